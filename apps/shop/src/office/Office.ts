/** The back office acts on orders: an action is in the table before anything is sent, and is done once. */
import { Durable } from "@pay/flows/durable"
import * as Money from "@pay/schema/Money"
import { Effect, Option, Result } from "effect"
import { type Order, Orders } from "../orders/Orders.ts"
import * as Payments from "../payments/Payments.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, missing, Problem } from "../web/Visitor.ts"
import { type Action, Actions, type NewAction } from "./Actions.ts"

/**
 * What can still be charged or released of a reservation, and given back of a payment. What is under way, or unclear, counts as
 * done.
 */
export const left = (
  { amountMinor, capturedMinor, released, returnedMinor, status }: Order,
  actions: ReadonlyArray<Action>
): Readonly<Record<Action["kind"], number>> => {
  if (status !== "approved") return { capture: 0, release: 0, refund: 0 }
  const open = (kind: Action["kind"]) =>
    actions
      .filter((action) => action.kind === kind && (action.status === "open" || action.status === "unclear"))
      .reduce((sum, action) => sum + action.amountMinor, 0)
  const remaining = released === 1 || open("release") > 0 ? 0 : amountMinor - capturedMinor - open("capture")
  return {
    capture: capturedMinor > 0 && returnedMinor === capturedMinor ? 0 : remaining,
    // It is not known yet how much a charge under way leaves of the hold.
    release: open("capture") > 0 ? 0 : remaining,
    refund: capturedMinor - returnedMinor - open("refund")
  }
}

const isKind = (text: string | undefined): text is Action["kind"] =>
  text === "capture" || text === "release" || text === "refund"

const storage = {
  PayloadDiffers: Effect.die,
  PayloadInvalid: Effect.die,
  SqliteError: Effect.die,
  CommitUnknown: Effect.die
}

/** Begins it, or goes on asking what became of it. */
const send = Effect.fnUntraced(function* (order: Order, { amountMinor, kind, name }: Omit<NewAction, "orderId">) {
  const { currency, gatewayId, id, way } = order
  const { endpoints } = yield* Settings
  const { again } = yield* Durable
  const whole = { client_orderid: id, orderid: gatewayId ?? "", name, endpointId: endpoints[way] }
  const part = { ...whole, amount: Money.fromMinor(amountMinor, currency), currency }
  if (kind === "capture") yield* again(Payments.capture, part)
  else if (kind === "release") yield* again(Payments.release, whole)
  else yield* again(Payments.refund, { ...part, comment: "asked for by the customer" })
}, Effect.catchTags(storage))

/** False: while this was decided, something else happened to the order. */
const tried = Effect.fnUntraced(function* (orderId: string, form: Form) {
  const order = yield* (yield* Orders).find(orderId)
  if (order === undefined) return yield* missing
  const { action: name, amount = "", kind } = form
  if (!isId(name) || !isKind(kind) || order.gatewayId === null) {
    return yield* new Problem({ status: 400, says: "This form is not complete." })
  }
  const { add, find, of, reopen } = yield* Actions
  const before = yield* find(name)
  if (before !== undefined) {
    if (before.orderId === orderId && (yield* reopen(name))) yield* send(order, before)
    return true
  }
  const actions = yield* of(orderId)
  const leftMinor = left(order, actions)[kind]
  const amountMinor =
    kind === "release" ? leftMinor : Result.getOrElse(Money.toMinor(amount.trim(), order.currency), () => 0)
  if (amountMinor === 0 || amountMinor > leftMinor) {
    return yield* new Problem({
      status: 400,
      says: "Give an amount like 10.00, and no more than is left of the order."
    })
  }
  const action = { name, orderId, kind, amountMinor }
  if (!(yield* add(action, { version: order.version, actions: actions.length }))) return false
  yield* send(order, action)
  return true
})

/**
 * What a form of the office asks for; of many at once, each gets what the others have left. The same form again asks only what
 * became of it, where that is unclear.
 */
export const act = Effect.fn("Office.act")((orderId: string, form: Form) =>
  Effect.repeat(tried(orderId, form), { until: (isTold) => isTold })
)

/** After a start: of an action that was written down but not begun, nothing was sent; what was to be asked again, still is. */
export const goOn = Effect.gen(function* () {
  const { conclude, open } = yield* Actions
  const { result } = yield* Durable
  for (const { kind, name, orderId } of yield* open) {
    const standing = yield* Effect.option(result(Payments[kind], `${orderId}/${name}`))
    if (Option.isNone(standing)) yield* conclude(name, "refused", "the shop was stopped before it began")
    else if (standing.value._tag === "Failed") yield* conclude(name, "unclear", "the shop was stopped before it asked")
  }
})
