/** Requests of every operation of the contract, with all that has to exist before each, sent again until somebody answers. */

import type * as Chance from "@pay/crashtest/Chance"
import type { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Status from "@pay/schema/Status"
import * as Sandbox from "@pay/server/Sandbox"
import type * as PayError from "@pay/transport/PayError"
import { Effect, Exit } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import type { Merchant } from "./Merchant.ts"
import type { Tally } from "./soak/Tally.ts"

const { endpoints, login } = Sandbox.merchant
const { CARDREF_V4, CREATE_RP_V4, PAYOUT_V4_CHECK, PREAUTH, SALE, STATUS } = PayApi.operations

type Texts = Readonly<Record<string, string>>
type AnyOperation = Operation.Operation

export interface Sender {
  readonly merchant: Merchant
  readonly tally: Tally
  readonly threeds: ThreeDSControl["Service"]
  readonly chance: Chance.Chance
  /** A name that no other request has. */
  readonly fresh: () => string
  /** Numbers of stored cards, to pay with again. */
  readonly cards: Array<string>
}

interface Order {
  readonly texts: Texts
  readonly endpointId?: string | undefined
}

const mostAttempts = 60
const pause = "500 millis"
/** How long a merchant asks for the outcome of an order before it leaves that to callbacks. */
const patienceMs = 10_000
const mostCards = 20
/** So small that the balance of the sandbox suffices for thousands. */
const payoutAmount = "1.00"
const account = "DE89370400440532013000"

const paysOut = ({ fields, name }: AnyOperation): boolean => "account_number" in fields || name === "PAYOUTFORM"

const textsOf = (sender: Sender, operation: AnyOperation, changes: Texts): Texts => {
  const { credit_card_number, ...others } = Sample.request(operation)
  const isPayout = paysOut(operation)
  const id = sender.fresh()
  const card = isPayout || credit_card_number === undefined ? {} : { credit_card_number, cvv2: "123" }
  const own: Texts = {
    ...{ client_orderid: id, "client-order-id": id, server_callback_url: sender.merchant.shop.url() },
    ...(isPayout ? { amount: payoutAmount, account_number: account } : {}),
    ...("login" in others ? { login } : {})
  }
  const added = Object.entries({ ...card, ...own, ...changes }).filter(([name]) => name in operation.fields)
  return { ...others, ...Object.fromEntries(added) }
}

const isRepeatable = (failure: PayError.PayError): boolean => failure._tag === "OutcomeUnknown" || failure.retryable

type Answered = Readonly<Record<string, unknown>>
const isRecord = (answer: unknown): answer is Answered => typeof answer === "object" && answer !== null
const text = (answer: Answered | undefined, name: string): string | undefined => {
  const value = answer?.[name]
  return typeof value === "string" ? value : undefined
}

const acknowledge = ({ merchant: { ledger }, tally }: Sender, id: string, orderId: string) => {
  const before = ledger.acknowledged.get(id)
  if (before !== undefined && before !== orderId)
    tally.contradictions.push(`${id} was acknowledged as order ${before}, and then as order ${orderId}`)
  ledger.acknowledged.set(id, orderId)
}

/** Sends the request until it is answered; undefined where it is refused, or nobody answers. */
const send = Effect.fnUntraced(function* (
  sender: Sender,
  operation: AnyOperation,
  changes: Texts,
  endpointId?: string
) {
  const { client, ledger } = sender.merchant
  const texts = textsOf(sender, operation, changes)
  const request = yield* Effect.orDie(Effect.fromResult(operation.decodeFields(texts)))
  const creates = operation.acts === "creates"
  const id = creates ? Operation.clientOrder(texts)?.id : undefined
  const options = {
    ...(endpointId === undefined ? {} : { endpointId }),
    ...(creates ? {} : { idempotencyKey: sender.fresh() })
  }
  let isDoubtful = false
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const result = yield* Effect.result(client.call(operation, request, options))
    sender.tally.add(operation.name, result)
    if (result._tag === "Success") {
      const answer: Answered = isRecord(result.success) ? result.success : {}
      const orderId = text(answer, "paynet-order-id")
      if (id !== undefined && orderId !== undefined) acknowledge(sender, id, orderId)
      return { answer, texts: named(id, orderId), endpointId }
    }
    isDoubtful ||= result.failure._tag === "OutcomeUnknown"
    if (!isRepeatable(result.failure)) break
    yield* Effect.sleep(pause)
  }
  if (id !== undefined && isDoubtful && !ledger.acknowledged.has(id)) ledger.doubtful.add(id)
  return undefined
})

const named = (id: string | undefined, orderid: string | undefined): Texts =>
  id === undefined || orderid === undefined ? {} : { client_orderid: id, "client-order-id": id, orderid }

/** Asks for the status until it says so, for a while. Returns the last answer. */
const until = Effect.fnUntraced(function* (sender: Sender, order: Order, isSo: (answer: Answered) => boolean) {
  const untilMs = performance.now() + patienceMs
  const { client_orderid = "", orderid = "" } = order.texts
  for (let pauseMs = 50; ; pauseMs = Math.min(2 * pauseMs, 1000)) {
    const reply = yield* send(sender, STATUS, { client_orderid, orderid }, order.endpointId)
    if (reply === undefined || isSo(reply.answer) || performance.now() > untilMs) return reply?.answer
    yield* Effect.sleep(pauseMs)
  }
})

const isFinal = (answer: Answered): boolean => Status.isFinal(text(answer, "status") ?? "")

/** An order whose request was answered, as it is once its status is final. */
const settled = Effect.fnUntraced(function* (sender: Sender, operation: AnyOperation, changes: Texts = {}) {
  const reply = yield* send(sender, operation, changes)
  if (reply !== undefined) yield* until(sender, reply, isFinal)
  return reply
})

const storedCard = Effect.fnUntraced(function* (sender: Sender) {
  if (sender.cards.length >= mostCards) return sender.chance.someOf(sender.cards)
  const sale = yield* settled(sender, SALE)
  const reply = sale === undefined ? undefined : yield* send(sender, CARDREF_V4, sale.texts)
  const card = text(reply?.answer, "recurring-payment-id")
  if (card !== undefined) sender.cards.push(card)
  return card
})

/** A sale that waits for an upload of its merchant's, and what the customer's browser brought. */
const authentication = Effect.fnUntraced(function* (
  sender: Sender,
  card: string,
  stage: "method" | "challenge" | "pareq"
) {
  const { merchant, threeds } = sender
  const fields = { ...Sample.browser, credit_card_number: card, redirect_url: merchant.shop.url("/back") }
  const sale = yield* send(sender, SALE, fields, endpoints.threedsMerchant)
  if (sale === undefined) return undefined
  const status = yield* until(sender, sale, (answer) => isFinal(answer) || answer["threeds-stage"] === stage)
  if (text(status, "threeds-stage") !== stage) return undefined
  if (stage === "method") {
    const id = text(status, "threeds-server-trans-id") ?? ""
    return { ...sale, texts: { ...sale.texts, threeDSServerTransID: id } }
  }
  const carried = yield* Effect.orDie(threeds.play(sale.texts.orderid ?? "", "pass"))
  const result: Texts = carried._tag === "CRes" ? { cRes: carried.cres } : { paRes: carried.pares, md: carried.md }
  return { ...sale, texts: { ...sale.texts, ...result } }
})

/** Which fields name a stored card. */
const references = (operation: AnyOperation): ReadonlyArray<string> => {
  const sample = Sample.request(operation)
  return Object.keys(operation.fields).filter(
    (name) =>
      /cardrefid|card-ref-id/.test(name) &&
      (name in sample || (name.startsWith("source-") && sample.credit_card_number === undefined))
  )
}

/** What has to exist before the request; undefined where it did not come to that. */
const before = Effect.fnUntraced(function* (
  sender: Sender,
  operation: AnyOperation
): Effect.fn.Return<Order | undefined> {
  const { fields, name } = operation
  if ("threeDSServerTransID" in fields) return yield* authentication(sender, "4444020700000007", "method")
  if ("cRes" in fields) return yield* authentication(sender, "4444000011118888", "challenge")
  if ("paRes" in fields) return yield* authentication(sender, "4444024000000006", "pareq")
  const sample = Sample.request(operation)
  const cards = references(operation)
  if (cards.length > 0) {
    const texts: Record<string, string> = {}
    for (const card of cards) texts[card] = (yield* storedCard(sender)) ?? ""
    return Object.values(texts).includes("") ? undefined : { texts }
  }
  if ("recurring-payment-id" in sample) {
    const created = yield* settled(sender, CREATE_RP_V4, { expire_year: "2099" })
    const id = text(created?.answer, "recurring-payment-id")
    return id === undefined ? undefined : { texts: { "recurring-payment-id": id } }
  }
  if (operation.acts === "creates") return { texts: {} }
  if (name === "PAYOUT_V4_PAY") {
    const checked = yield* send(sender, PAYOUT_V4_CHECK, {})
    if (checked === undefined) return undefined
    const status = yield* until(
      sender,
      checked,
      (answer) => answer["order-stage"] === "payout_checked" || isFinal(answer)
    )
    return text(status, "order-stage") === "payout_checked" ? checked : undefined
  }
  return yield* settled(sender, name === "CAPTURE" || name === "VOID" ? PREAUTH : SALE)
})

/** The customer fills in the gateway's page, again where nobody answers. */
const onPage = (name: string, url: string) => {
  const payout = { attempts: "0", action: "pay", way: "account", account, recipient: "Jane Doe" }
  const visit =
    name === "PAYOUTFORM"
      ? HostedPage.visit(url, { form: payout })
      : HostedPage.pay(url, name === "TRANSFERFORM" ? { receiver: "4444 5555 6666 1111" } : {})
  return Effect.repeat(Effect.delay(Effect.exit(visit), "50 millis"), {
    until: (exit) => Exit.isSuccess(exit) && exit.value.status < 500,
    times: mostAttempts
  })
}

/** Carries the operation out, with all that has to exist before it, and follows what it has created to its outcome. */
export const take = Effect.fnUntraced(function* (sender: Sender, operation: AnyOperation, changes: Texts = {}) {
  const order = yield* before(sender, operation)
  if (order === undefined) return false
  const reply = yield* send(sender, operation, { ...order.texts, ...changes }, order.endpointId)
  if (reply === undefined) return false
  const url = text(reply.answer, "redirect-url")
  if (url !== undefined && operation.acts === "creates") yield* onPage(operation.name, url)
  const followed = reply.texts.orderid === undefined ? order : reply
  if (followed.texts.orderid !== undefined && operation.name !== "PAYOUT_V4_CHECK")
    yield* until(sender, followed, isFinal)
  return true
})

/** Cards with which the bank's answer is lost or late, or the request never arrives. */
const unlucky = ["4444010300000002", "4444010400000001", "4444010500000000", "4444010600000009"] as const

/** What customers of a shop do most is drawn most; every operation is drawn. */
export const draw = ({ chance }: Sender): { readonly operation: AnyOperation; readonly changes: Texts } => {
  if (chance.percent(60)) return { operation: chance.someOf(PayApi.all) ?? SALE, changes: {} }
  const operation = chance.percent(60) ? SALE : PREAUTH
  if (chance.percent(15)) return { operation, changes: { credit_card_number: chance.oneOf(unlucky) } }
  return { operation, changes: chance.percent(10) ? { cvv2: "116" } : {} }
}
