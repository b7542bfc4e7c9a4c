/**
 * A gateway that does only what the specification says and what is publicly known of gateways like it: no
 * `Idempotency-Key`, no `by-request-sn`, no replays; `status` by `client_orderid` works. It shares no code with ours.
 */
import { randomUUID } from "node:crypto"
import * as Money from "@pay/schema/Money"
import * as StubBank from "./StubBank.ts"
import { cents, controlKey, creations, type Fields, isSigned, sha1 } from "./StubContract.ts"
import type { Dialect } from "./StubDialect.ts"

export interface Settings {
  /** The reaction to a second creation under a `client_orderid`, and to a second `payout-pay`. */
  readonly repeats: "refused" | "doubled"
  /** Optional fields are left out, and error bodies have no `type`. */
  readonly isTerse: boolean
  /** How long an accepted capture, void or return shows nowhere, in milliseconds. Default 0. */
  readonly hiddenMs?: number
  /** How it speaks over the wire. Default `json`. */
  readonly dialect?: Dialect
  /** Endpoints at which the issuer wants to see every card's holder. Default: none. */
  readonly threeds?: ReadonlySet<string>
}

/** The surroundings of the gateway: time, the way to the merchant, its bank and chance. */
export interface Surroundings {
  readonly after: (delayMs: number, work: () => void) => void
  readonly tell: (url: string) => void
  /** Whether the bank approves a movement of this kind. Default: always. */
  readonly approves?: (kind: string) => boolean
  readonly serialNumber?: () => string
}

export interface Reply {
  readonly status: number
  readonly body: object
}

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
  /** A hold of which neither a capture nor a release was accepted. */
  isHeld: boolean
  /** What can still be asked back: a return that was accepted counts before it is done. */
  leftMinor: number
  /** Paid from the merchant's balance, not by a card. */
  readonly isFromBalance: boolean
  /** The customer's browser has something to do there, by a form or for the issuer. */
  page: string | undefined
  isPaid: boolean
  recurringPaymentId?: number
}

const processingMs = 2000
/** The customer's time at a page. */
const patienceMs = 30 * 60_000

const decimal = (minor: number): string => Money.fromMinor(minor, "USD")

/** Cards whose holders the issuer wants to see. */
const challenged = new Set(["4444000011118888", "4444000022224444", "4444024000000006"])

export const baseUrl = "https://stub.example"

export const make = (
  { hiddenMs = 0, isTerse, repeats, threeds = new Set() }: Settings,
  { after, approves = () => true, serialNumber = randomUUID, tell }: Surroundings
) => {
  const bank = StubBank.make()
  const orders: Array<Order> = []
  let lastId = 7_000_000

  const move = ({ clientOrderId, currency, isFromBalance, type }: Order, kind: string, amountMinor: number): void =>
    bank.move({ clientOrderId, kind, amountMinor, currency, type, isFromBalance })

  const refuse = (message: string, code = 1, clientOrderId?: string): Reply => ({
    status: 400,
    body: isTerse
      ? { "error-message": message }
      : {
          type: "validation-error",
          "serial-number": serialNumber(),
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
      // It is paid after its check, and not where that was declined.
      if (order.status === "declined") return
      if (!approves(kind)) return end(order, "declined")
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
        "serial-number": serialNumber(),
        ...(isTerse ? {} : { "end-point-id": 1001 }),
        ...(isForm ? { "redirect-url": page } : {}),
        ...(isRecurring ? { "recurring-payment-id": recurringPaymentId } : {})
      }
    }
  }

  const create = (operation: string, fields: Fields, clientOrderId: string, endpointId: string): Reply => {
    const [kind = "", type = ""] = creations[operation] ?? []
    if (repeats === "refused" && orders.some((order) => order.clientOrderId === clientOrderId)) {
      return refuse("client_orderid is not unique", 1, clientOrderId)
    }
    lastId += 1
    const isForm = operation.endsWith("-form")
    const card = fields.credit_card_number ?? ""
    const isAway = isForm || challenged.has(card) || (card !== "" && threeds.has(endpointId))
    const page = isAway ? `${baseUrl}/pages/${lastId}` : undefined
    const charged = orders.find(({ recurringPaymentId: id }) => String(id) === fields["recurring-payment-id"])
    const { amount = charged?.amount ?? "0.00", currency = charged?.currency ?? "USD" } = fields
    const order: Order = {
      ...{ id: lastId, clientOrderId, amount, currency },
      ...{ callbackUrl: fields.server_callback_url, status: "processing", type, returnedMinor: 0 },
      ...{ isForm, isPaid: false, page, isHeld: type === "preauth", leftMinor: cents(amount) },
      isFromBalance: card === "" && fields["source-card-ref-id"] === undefined,
      ...(operation === "create-recurring-payment" ? { recurringPaymentId: lastId } : {})
    }
    orders.push(order)
    if (page === undefined) {
      carryOut(order, kind)
      return acknowledge(order, operation)
    }
    after(patienceMs, () => (order.page === undefined ? undefined : end(order, "declined")))
    pages.set(page, (isWilling) => {
      if (order.page === undefined) return
      if (!isWilling) return end(order, "declined")
      order.page = undefined
      if (kind === "pay") move(order, "check", cents(order.amount))
      carryOut(order, kind)
    })
    return acknowledge(order, operation)
  }

  /** What the customer's browser does at a page. */
  const pages = new Map<string, (isWilling: boolean) => void>()

  const named = ({ client_orderid, orderid, ...others }: Fields): Order | undefined => {
    const clientOrderId = client_orderid ?? others["client-order-id"]
    return orders.find(
      (order) =>
        (clientOrderId ?? order.clientOrderId) === order.clientOrderId &&
        (orderid ?? String(order.id)) === String(order.id)
    )
  }

  const act = (order: Order, operation: string, fields: Fields): Reply => {
    if (order.status !== "approved") return refuse("The order is not in a final successful status")
    const askedMinor = fields.amount === undefined ? undefined : cents(fields.amount)
    const { isHeld, leftMinor } = order
    if (operation !== "return" && !isHeld) return refuse("The order is not an uncaptured preauth")
    if (operation === "return" && isHeld && askedMinor !== undefined) return refuse("A hold is released as a whole")
    if ((askedMinor ?? leftMinor) > leftMinor || leftMinor === 0) return refuse("The amount is too large")
    const amountMinor = askedMinor ?? leftMinor
    const [kind, type] =
      operation === "capture" ? ["capture", "capture"] : isHeld ? ["void", "cancel"] : ["refund", "reversal"]
    order.isHeld = false
    order.leftMinor = kind === "capture" ? amountMinor : leftMinor - amountMinor
    if (hiddenMs === 0) order.status = "processing"
    after(hiddenMs + processingMs, () => {
      if (!approves(kind)) {
        // It is as it was before: nothing but that tells of the decline.
        order.isHeld = isHeld
        order.leftMinor = isHeld ? leftMinor : order.leftMinor + amountMinor
        order.status = "approved"
        return
      }
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
      ...{ type: "status-response", status: order.status, "serial-number": serialNumber() },
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
    const body = { type: "create-card-ref-response", "serial-number": serialNumber(), "card-ref-id": lastId }
    return { status: 200, body }
  }

  /** One request, as it arrives. */
  const receive = (path: string, body: string): Reply => {
    const fields: Fields = Object.fromEntries(new URLSearchParams(body))
    const [endpointId = "", operation = "", ...rest] = path.split("/").reverse()
    const version = rest.find((part) => /^v\d$/.test(part)) ?? ""
    if (!isSigned(operation, version, endpointId, fields)) return refuse("Wrong control", 2)
    const clientOrderId = fields.client_orderid ?? fields["client-order-id"]
    if (operation === "update-recurring-payment") {
      const about = { "serial-number": serialNumber(), "recurring-payment-id": fields["recurring-payment-id"] }
      return { status: 200, body: { type: "update-recurring-payment-response", ...about, status: "paused" } }
    }
    if (clientOrderId === undefined && fields.orderid === undefined)
      return refuse("Parameter client_orderid is required")
    if (creations[operation] !== undefined) return create(operation, fields, clientOrderId ?? "", endpointId)
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
    visit: (url: string): void => pages.get(url)?.(true),
    /** The customer does not want to pay after all. */
    leave: (url: string): void => pages.get(url)?.(false),
    /** Whether the page still asks for something. */
    isAsking: (url: string): boolean => orders.some(({ page }) => page === url),
    booked: bank.booked,
    movements: bank.movements
  }
}

export type StubGateway = ReturnType<typeof make>
