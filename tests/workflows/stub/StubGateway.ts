/**
 * A gateway that does what the specification says and what is publicly known of its family, and nothing else: no
 * `Idempotency-Key`, no `by-request-sn`, no replays; `status` by `client_orderid` works. It shares no code with ours.
 */
import { createHash, randomUUID } from "node:crypto"
import * as StubBank from "./StubBank.ts"

export interface Settings {
  /** What becomes of a second creation under a `client_orderid`, and of a second `payout-pay`. */
  readonly repeats: "refused" | "doubled"
  /** Optional fields are left out, and error bodies have no `type`. */
  readonly isTerse: boolean
  /** How long an accepted capture, void or return shows nowhere, in milliseconds. Default 0. */
  readonly hiddenMs?: number
}

export interface Reply {
  readonly status: number
  readonly body: object
}

type Fields = Readonly<Record<string, string | undefined>>

interface Order {
  readonly id: number
  readonly clientOrderId: string
  readonly amount: string
  readonly currency: string
  readonly isForm: boolean
  callbackUrl: string | undefined
  status: string
  type: string
  returnedMinor: number
  /** The customer's browser has something to do there, by a form or for the issuer. */
  page: string | undefined
  isPaid: boolean
  recurringPaymentId?: number
}

export const controlKey = "5A4DB0C5-91F0-4D7C-9A3B-1E6C0F2D7B48"
const sha1 = (text: string): string => createHash("sha1").update(text, "utf8").digest("hex")

const processingMs = 2000
/** The customer's time at a page. */
const patienceMs = 30 * 60_000

const cents = (amount = "0"): number => Math.round(Number(amount) * 100)
const decimal = (minor: number): string => (minor / 100).toFixed(2)

/** What a creation does at the bank, and what the order is called then. */
const creations: Readonly<Record<string, readonly [kind: string, type: string]>> = {
  sale: ["authorize", "sale"],
  preauth: ["authorize", "preauth"],
  "account-verification": ["authorize", "account_verification"],
  "make-rebill": ["authorize", "sale"],
  "sale-form": ["authorize", "sale"],
  "preauth-form": ["authorize", "preauth"],
  "payment-form": ["authorize", "sale"],
  "account-verification-form": ["authorize", "account_verification"],
  "payout-form": ["pay", "payout"],
  payout: ["pay", "payout"],
  "payout-check": ["check", "payout"],
  transfer: ["authorize", "transfer"],
  "transfer-by-ref": ["pay", "transfer"],
  send: ["eligible", "pan_eligibility"],
  "create-recurring-payment": ["authorize", "sale"],
  "process-recurring-payment": ["authorize", "sale"]
}

/** Cards whose holders the issuer wants to see. */
const challenged = new Set(["4444000011118888", "4444000022224444", "4444024000000006"])

export const make = (
  { hiddenMs = 0, isTerse, repeats }: Settings,
  after: (delayMs: number, work: () => void) => void,
  tell: (url: string) => void
) => {
  const bank = StubBank.make()
  const orders: Array<Order> = []
  let lastId = 7_000_000

  const move = ({ clientOrderId }: Order, kind: string, amountMinor: number): void =>
    bank.move({ clientOrderId, kind, amountMinor })

  const refuse = (message: string, code = 1, clientOrderId?: string): Reply => ({
    status: 400,
    body: isTerse
      ? { "error-message": message }
      : {
          type: "validation-error",
          "serial-number": randomUUID(),
          "error-message": message,
          "error-code": code,
          ...(clientOrderId === undefined ? {} : { "merchant-order-id": clientOrderId })
        }
  })

  const end = (order: Order, status: string): void => {
    order.status = status
    order.page = undefined
    if (order.callbackUrl === undefined) return
    const { clientOrderId, id } = order
    const query = new URLSearchParams({
      ...{ status, orderid: String(id), client_orderid: clientOrderId, merchant_order: clientOrderId },
      ...{ type: order.type, amount: order.amount, currency: order.currency },
      control: sha1(`${status}${id}${clientOrderId}${controlKey}`)
    })
    tell(`${order.callbackUrl}?${query}`)
  }

  const carryOut = (order: Order, kind: string): void =>
    after(processingMs, () => {
      const isFree = kind === "eligible" || order.type === "account_verification"
      move(order, kind, isFree ? 0 : cents(order.amount))
      // A payout that was checked waits to be paid.
      if (kind !== "check") end(order, "approved")
    })

  const acknowledge = (order: Order, operation: string): Reply => {
    const { clientOrderId, id, isForm, page, recurringPaymentId } = order
    const isRecurring = operation === "create-recurring-payment"
    return {
      status: 200,
      body: {
        type: isForm ? "async-form-response" : isRecurring ? "create-recurring-payment-response" : "async-response",
        "paynet-order-id": id,
        "merchant-order-id": clientOrderId,
        "serial-number": randomUUID(),
        ...(isTerse ? {} : { "end-point-id": 1001 }),
        ...(isForm ? { "redirect-url": page } : {}),
        ...(isRecurring ? { "recurring-payment-id": recurringPaymentId } : {})
      }
    }
  }

  const create = (operation: string, fields: Fields, clientOrderId: string): Reply => {
    const [kind = "", type = ""] = creations[operation] ?? []
    if (repeats === "refused" && orders.some((order) => order.clientOrderId === clientOrderId)) {
      return refuse("client_orderid is not unique", 1, clientOrderId)
    }
    lastId += 1
    const isForm = operation.endsWith("-form")
    const isAway = isForm || challenged.has(fields.credit_card_number ?? "")
    const page = isAway ? `https://stub.example/pages/${lastId}` : undefined
    const charged = orders.find(({ recurringPaymentId: id }) => String(id) === fields["recurring-payment-id"])
    const { amount = charged?.amount ?? "0.00", currency = charged?.currency ?? "USD" } = fields
    const order: Order = {
      ...{ id: lastId, clientOrderId, amount, currency },
      ...{ callbackUrl: fields.server_callback_url, status: "processing", type, returnedMinor: 0 },
      ...{ isForm, isPaid: false, page },
      ...(operation === "create-recurring-payment" ? { recurringPaymentId: lastId } : {})
    }
    orders.push(order)
    if (page === undefined) {
      carryOut(order, kind)
      return acknowledge(order, operation)
    }
    after(patienceMs, () => (order.page === undefined ? undefined : end(order, "declined")))
    pages.set(page, () => {
      if (order.page === undefined) return
      order.page = undefined
      if (kind === "pay") move(order, "check", cents(order.amount))
      carryOut(order, kind)
    })
    return acknowledge(order, operation)
  }

  /** What the customer's browser does at a page. */
  const pages = new Map<string, () => void>()

  const named = ({ client_orderid, orderid, ...others }: Fields): Order | undefined => {
    const clientOrderId = client_orderid ?? others["client-order-id"]
    return orders.find(
      (order) => order.clientOrderId === clientOrderId && (orderid ?? String(order.id)) === String(order.id)
    )
  }

  const act = (order: Order, operation: string, fields: Fields): Reply => {
    if (order.status !== "approved") return refuse("The order is not in a final successful status")
    const whole = cents(order.amount)
    const askedMinor = fields.amount === undefined ? undefined : cents(fields.amount)
    const isHeld = order.type === "preauth"
    const leftMinor = whole - order.returnedMinor
    if (operation !== "return" && !isHeld) return refuse("The order is not an uncaptured preauth")
    if ((askedMinor ?? leftMinor) > leftMinor || leftMinor === 0) return refuse("The amount is too large")
    const [kind, type, amountMinor] =
      operation === "capture"
        ? (["capture", "capture", askedMinor ?? whole] as const)
        : isHeld
          ? (["cancel", "cancel", whole] as const)
          : (["refund", "reversal", askedMinor ?? leftMinor] as const)
    if (hiddenMs === 0) order.status = "processing"
    after(hiddenMs + processingMs, () => {
      move(order, kind, amountMinor)
      if (kind === "refund") order.returnedMinor += amountMinor
      order.type = type
      order.callbackUrl = fields.server_callback_url
      end(order, "approved")
    })
    return acknowledge(order, operation)
  }

  const pay = (order: Order): Reply => {
    if (order.type !== "payout" || order.status === "declined") return refuse("The order is not a checked payout")
    if (order.isPaid && repeats === "refused") return refuse("The payout was paid")
    order.isPaid = true
    carryOut(order, "pay")
    return acknowledge(order, "payout-pay")
  }

  const status = (order: Order): Reply => ({
    status: 200,
    body: {
      ...{ type: "status-response", status: order.status, "serial-number": randomUUID() },
      ...{ "paynet-order-id": String(order.id), "merchant-order-id": order.clientOrderId },
      ...(order.page === undefined || order.isForm ? {} : { "redirect-to": order.page }),
      ...(isTerse
        ? {}
        : {
            ...{ amount: order.amount, currency: order.currency, "transaction-type": order.type },
            ...{
              "total-reversal-amount": decimal(order.returnedMinor),
              "order-stage": `${order.type}_${order.status}`
            },
            ...(order.recurringPaymentId === undefined ? {} : { "recurring-payment-id": order.recurringPaymentId })
          })
    }
  })

  const keepCard = (order: Order | undefined): Reply => {
    if (order !== undefined && order.status !== "approved") return refuse("The order is not approved")
    lastId += 1
    const body = { type: "create-card-ref-response", "serial-number": randomUUID(), "card-ref-id": lastId }
    return { status: 200, body }
  }

  const isSignedBy = (fields: Fields, ...parts: ReadonlyArray<string | undefined>): boolean =>
    fields.control === sha1(parts.map((part) => part ?? "").join("") + controlKey)

  /** What `control` covers, by operation; the others are signed by OAuth, which nobody checks here. */
  const isSigned = (operation: string, version: string, endpointId: string, fields: Fields): boolean => {
    const { amount, cardrefid, client_orderid, currency, email, login, orderid } = fields
    const minor = amount === undefined ? "" : String(cents(amount))
    if (version === "v4" || operation === "send" || operation.startsWith("payout")) return true
    if (operation.startsWith("account-verification")) return isSignedBy(fields, endpointId, client_orderid, email)
    if (operation === "make-rebill") return isSignedBy(fields, login, client_orderid, cardrefid, minor, currency)
    if (operation === "capture" || operation === "return")
      return isSignedBy(fields, login, client_orderid, orderid, minor, currency)
    if (creations[operation] === undefined) return isSignedBy(fields, login, client_orderid, orderid)
    return isSignedBy(fields, endpointId, client_orderid, minor, email)
  }

  /** One request, as it arrives. */
  const receive = (path: string, body: string): Reply => {
    const fields: Fields = Object.fromEntries(new URLSearchParams(body))
    const [endpointId = "", operation = "", ...rest] = path.split("/").reverse()
    const version = rest.find((part) => /^v\d$/.test(part)) ?? ""
    if (!isSigned(operation, version, endpointId, fields)) return refuse("Wrong control", 2)
    const clientOrderId = fields.client_orderid ?? fields["client-order-id"]
    if (operation === "update-recurring-payment") {
      const about = { "serial-number": randomUUID(), "recurring-payment-id": fields["recurring-payment-id"] }
      return { status: 200, body: { type: "update-recurring-payment-response", ...about, status: "paused" } }
    }
    if (clientOrderId === undefined) return refuse("Parameter client_orderid is required")
    if (creations[operation] !== undefined) return create(operation, fields, clientOrderId)
    const order = named(fields)
    if (operation === "create-card-ref" && version === "v4" && fields.orderid === undefined) return keepCard(undefined)
    if (order === undefined) return refuse("Unknown order", 1, clientOrderId)
    switch (operation) {
      case "status":
        return status(order)
      case "capture":
      case "return":
      case "void":
        return act(order, operation, fields)
      case "payout-pay":
        return pay(order)
      case "create-card-ref":
        return keepCard(order)
      default:
        return { status: 404, body: {} }
    }
  }

  return {
    receive,
    /** The customer does what the page asks for; nothing at an address that shows nothing any more. */
    visit: (url: string): void => pages.get(url)?.(),
    booked: bank.booked
  }
}

export type StubGateway = ReturnType<typeof make>
