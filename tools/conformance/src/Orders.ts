/** Actions of a merchant that many checks need: create orders, act on them, read their status. */
import * as Operation from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Status from "@pay/schema/Status"
import { Effect } from "effect"
import type { Fields, Options } from "./Draft.ts"
import * as Echo from "./Echo.ts"
import * as Expect from "./Expect.ts"
import { call, dialectOf, Gateway } from "./Gateway.ts"
import * as Samples from "./Samples.ts"
import type { CardRole } from "./Settings.ts"
import { Lacking, type Violation } from "./Violation.ts"

export type Body = Readonly<Record<string, unknown>>

/** An order, and the endpoint that took it. */
export interface Order {
  readonly clientOrderId: string
  readonly orderId: string
  readonly endpointId?: string | undefined
}

/** An order that was created, with its request. */
export interface Accepted extends Order {
  readonly fields: Fields
  readonly serialNumber: string
}

export type FollowUp = "CAPTURE" | "VOID" | "RETURN"

const { STATUS } = PayApi.operations

const onEndpoint = ({ endpointId }: Pick<Order, "endpointId">): Options =>
  endpointId === undefined ? {} : { endpointId }

/** Remembers the request that made an order, for the answers to its status. */
const remember = ({ fields, orderId }: Accepted) =>
  Effect.map(Gateway, ({ made }) => void made.set(orderId, { fields, isUntouched: true }))

/** Sends a request that must be accepted. Returns the order of the answer. */
export const create = Effect.fnUntraced(function* (name: PayApi.Name, changes: Fields = {}, options: Options = {}) {
  const operation: Operation.Operation = PayApi.operations[name]
  const fields = yield* Samples.request(operation, changes)
  const reply = yield* call(operation, fields, options)
  yield* Expect.accepted(reply, operation.command)
  const accepted: Accepted = {
    clientOrderId: Operation.clientOrder(fields)?.id ?? "",
    orderId: yield* Expect.text(reply, "paynet-order-id"),
    serialNumber: yield* Expect.text(reply, "serial-number"),
    endpointId: options.endpointId,
    fields
  }
  yield* remember(accepted)
  return accepted
})

/** Returns the fields of the card with this role. */
export const card = Effect.fnUntraced(function* (role: CardRole) {
  const { cards } = (yield* Gateway).facts.settings
  return Samples.cardFields(cards[role] ?? cards.approved, cards.approved)
})

/** Requests the status of an order. The answer may be a refusal. */
export const statusReply = Effect.fnUntraced(function* (order: Order, changes: Fields = {}, options: Options = {}) {
  const { settings } = (yield* Gateway).facts
  const fields: Fields = {
    login: settings.login,
    client_orderid: order.clientOrderId,
    orderid: order.orderId,
    ...changes
  }
  return yield* call(STATUS, fields, { ...onEndpoint(order), ...options })
})

/**
 * Restores the status `unknown`, which the older dialect reports only in `order-stage`: its modules treat `unknown` as a failure.
 */
const withUnknown = (body: Body): Effect.Effect<Body, Violation> =>
  body.status === "unknown"
    ? Expect.violated("the older dialect has no status unknown: it reports processing")
    : Effect.succeed(
        body.status === "processing" && /_unknown$/.test(Expect.textOf(body, "order-stage") ?? "")
          ? { ...body, status: "unknown" }
          : body
      )

/** Requests the status of an order and requires that the request is accepted. */
export const status = Effect.fnUntraced(function* (order: Order, changes: Fields = {}) {
  const body = yield* Expect.accepted(yield* statusReply(order, changes), "status")
  const made = (yield* Gateway).made.get(order.orderId)
  if (made !== undefined && Object.keys(changes).length === 0)
    yield* Echo.check(body, { ...made, ...order, fields: made.fields })
  return (yield* dialectOf) === "pairs" ? yield* withUnknown(body) : body
})

/** Requests the status until the condition is met. The check's own time limit ends the wait. */
export const until = Effect.fnUntraced(function* (
  order: Order,
  isReached: (body: Body) => boolean,
  changes: Fields = {}
) {
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 1000)) {
    const body = yield* status(order, changes)
    if (isReached(body)) return body
    yield* Effect.sleep(pauseMs)
  }
})

/** Waits for a final status, or for `unknown`. */
export const settledOrUnknown = Effect.fnUntraced(function* (order: Order) {
  const { facts } = yield* Gateway
  if ((yield* dialectOf) === "pairs" && !facts.profile.showsOrderStage)
    return yield* new Lacking({
      message: "without order-stage, no answer of the older dialect reports an unknown outcome"
    })
  return yield* until(order, (each) => each.status !== "processing")
})

export const isFinal = (body: Body): boolean => Status.isFinal(Expect.textOf(body, "status") ?? "")

/** Waits for the final status, for which the gateway then owes a callback. */
export const final = Effect.fnUntraced(function* (order: Order & { readonly fields?: Fields }, changes: Fields = {}) {
  const body = yield* until(order, isFinal, changes)
  const name = Samples.callbackName(order.fields ?? {})
  if (name !== undefined)
    (yield* Gateway).owed.set(name, [body["transaction-type"], body.status, order.orderId].join(" "))
  return body
})

/** Makes a payment and requires its final status. */
export const settled = Effect.fnUntraced(function* (
  name: PayApi.Name,
  role: CardRole = "approved",
  expected = "approved",
  changes: Fields = {}
) {
  const order = yield* create(name, { ...(yield* card(role)), ...changes })
  const body = yield* final(order)
  yield* Expect.equal(body.status, expected, `the status of ${PayApi.operations[name].command}`)
  return order
})

/** Sends a capture, void or return. */
export const act = Effect.fnUntraced(function* (
  name: FollowUp,
  order: Order,
  amount?: string,
  options: Options = {},
  changes: Fields = {}
) {
  const { facts, freshId, hasCallbacks, inbox, made } = yield* Gateway
  made.set(order.orderId, { fields: made.get(order.orderId)?.fields ?? {}, isUntouched: false })
  const fields: Fields = {
    login: facts.settings.login,
    client_orderid: order.clientOrderId,
    orderid: order.orderId,
    ...(amount !== undefined && { amount, currency: facts.settings.currency }),
    ...(hasCallbacks && { server_callback_url: inbox.address(freshId()) }),
    ...changes
  }
  return { fields, reply: yield* call(PayApi.operations[name], fields, { ...onEndpoint(order), ...options }) }
})

/** Sends a follow-up that must be accepted, and waits for its outcome. */
export const done = Effect.fnUntraced(function* (name: FollowUp, order: Order, amount?: string, options: Options = {}) {
  const { fields, reply } = yield* act(name, order, amount, options)
  yield* Expect.accepted(reply, PayApi.operations[name].command)
  yield* final({ ...order, fields })
  return { fields, serialNumber: yield* Expect.text(reply, "serial-number") }
})

const amountNames = ["authorized-amount", "captured-amount", "returned-amount", "remaining-amount"] as const

/** Returns the state of an order in one line: `status type authorized captured returned remaining`. */
export const stateOf = Effect.fnUntraced(function* (order: Order) {
  const body = yield* status(order)
  return ["status", "transaction-type", ...amountNames].map((name) => Expect.textOf(body, name) ?? "?").join(" ")
})

/** Requires the state of an order, in the form of {@link stateOf}. */
export const expectState = Effect.fnUntraced(function* (order: Order, expected: string, when: string) {
  const line = yield* stateOf(order)
  yield* Expect.equal(line, expected, `${when}: the order's status, type and amounts`)
})

/** Requires that no order has this id, so that it can still be used. Only an answer with an order shows that one was made. */
export const free = Effect.fnUntraced(function* (clientOrderId: string, what: string) {
  const { facts } = yield* Gateway
  const reply = yield* call(STATUS, { login: facts.settings.login, client_orderid: clientOrderId })
  const isOrder = reply.status === 200 && reply.body !== undefined
  yield* Expect.that(!isOrder, `${what} made an order: ${Expect.shown(reply)}`)
  yield* Expect.refused(reply, "orderNotFound", undefined, `status after ${what}`)
})

/** Stores the card of an approved order. Returns the reference of the stored card. */
export const storedCard: Effect.Effect<string, Violation | Lacking, Gateway> = Effect.gen(function* () {
  const { settings } = (yield* Gateway).facts
  const order = yield* settled("SALE")
  const fields = { login: settings.login, client_orderid: order.clientOrderId, orderid: order.orderId }
  const reply = yield* call(PayApi.operations.CARDREF, fields)
  yield* Expect.accepted(reply, "create-card-ref")
  return yield* Expect.text(reply, "card-ref-id")
})

/** Creates a recurring payment whose first charge is approved. */
export const subscribed = Effect.fnUntraced(function* (changes: Fields = {}) {
  const operation = PayApi.operations.CREATE_RP_V4
  const fields = yield* Samples.request(operation, changes)
  const reply = yield* call(operation, fields)
  yield* Expect.accepted(reply, operation.command)
  const first: Accepted = {
    clientOrderId: fields.client_orderid ?? "",
    orderId: yield* Expect.text(reply, "paynet-order-id"),
    serialNumber: yield* Expect.text(reply, "serial-number"),
    endpointId: undefined,
    fields
  }
  yield* remember(first)
  const body = yield* final(first)
  yield* Expect.equal(body.status, "approved", "the status of the first charge")
  return { id: yield* Expect.text(reply, "recurring-payment-id"), first }
})
