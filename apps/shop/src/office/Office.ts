/** The back office captures, releases and refunds. An action is recorded before anything is sent, and is carried out once. */
import { Durable } from "@pay/flows/durable"
import * as Flow from "@pay/flows/Flow"
import { Capture, Refund, Void } from "@pay/flows/OrderAction"
import * as Money from "@pay/schema/Money"
import { Effect, Result, Schema } from "effect"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, missing, Problem } from "../web/Visitor.ts"

const withAction = (
  order: Orders.Order,
  name: string,
  changes: Pick<Orders.Action, "status" | "reason">
): Orders.Order => ({
  ...order,
  actions: order.actions.map((action) => (action.name === name ? { ...action, reason: undefined, ...changes } : action))
})

const record = (
  { clientOrderId, name }: { readonly clientOrderId: string; readonly name: string },
  end: Outcomes.End
) =>
  Orders.change(clientOrderId, (order) => {
    if (Result.isSuccess(end)) {
      const { released, ...others } = Outcomes.withEnd(end)(order)
      const isRelease = order.actions.some((action) => action.name === name && action.kind === "release")
      return withAction({ ...others, released: released || isRelease }, name, { status: "done" })
    }
    const status = Outcomes.uncertainty(end.failure) ?? "refused"
    return withAction(order, name, { status, reason: Outcomes.reasonOf(end.failure) })
  })

/** A release has a name like the other actions, so that a refused one can be repeated. */
const NamedVoid = Flow.make({
  ...Void,
  payload: Schema.Struct({ ...Void.payload.fields, name: Capture.payload.fields.name }),
  idempotencyKey: Capture.idempotencyKey,
  run: ({ name: _, ...payload }) => Void.run(payload)
})

export const capture = RecordedFlow.make(Capture, record)
export const refund = RecordedFlow.make(Refund, record)
export const release = RecordedFlow.make(NamedVoid, record)

/**
 * Returns what can still be captured or released of an authorization, and refunded of a payment. What is under way or unclear
 * counts as done.
 */
export const amountsLeft = (order: Orders.Order): Readonly<Record<Orders.Action["kind"], number>> => {
  const { actions, amountMinor, capturedMinor, released, returnedMinor, status } = order
  if (status !== "approved") return { capture: 0, release: 0, refund: 0 }
  const open = (kind: Orders.Action["kind"]) =>
    actions
      .filter((action) => action.kind === kind && action.status !== "done" && action.status !== "refused")
      .reduce((sum, action) => sum + action.amountMinor, 0)
  const remaining = released || open("release") > 0 ? 0 : amountMinor - capturedMinor - open("capture")
  return {
    capture: capturedMinor > 0 && returnedMinor === capturedMinor ? 0 : remaining,
    // While a capture is under way, it is open how much it leaves to be released.
    release: open("capture") > 0 ? 0 : remaining,
    refund: capturedMinor - returnedMinor - open("refund")
  }
}

const isKind = (text: string | undefined): text is Orders.Action["kind"] =>
  text === "capture" || text === "release" || text === "refund"

/** Adds the action, if it is new and no more than is left. */
const withNewAction =
  ({ action: name = "", amount = "", kind }: Form) =>
  (order: Orders.Order): Orders.Order | undefined => {
    if (!isKind(kind) || order.actions.some((action) => action.name === name)) return undefined
    const leftMinor = amountsLeft(order)[kind]
    const amountMinor =
      kind === "release" ? leftMinor : Result.getOrElse(Money.toMinor(amount.trim(), order.currency), () => 0)
    if (amountMinor <= 0 || amountMinor > leftMinor) return undefined
    return { ...order, actions: [...order.actions, { name, kind, amountMinor, status: "open" }] }
  }

/** Opens an action of which the outcome is unclear, so that the gateway is asked again. */
const withUnclearOpen =
  (name: string) =>
  (order: Orders.Order): Orders.Order | undefined =>
    order.actions.some((action) => action.name === name && action.status === "unclear")
      ? withAction(order, name, { status: "open" })
      : undefined

const send = Effect.fnUntraced(function* (order: Orders.Order, { amountMinor, kind, name }: Orders.Action) {
  const { currency, gatewayId, id, way } = order
  const { endpoints } = yield* Settings
  const { again } = yield* Durable
  const whole = { clientOrderId: id, orderId: gatewayId ?? "", name, endpointId: endpoints[way] }
  const part = { ...whole, amount: Money.fromMinor(amountMinor, currency), currency }
  if (kind === "capture") yield* again(capture, part)
  else if (kind === "release") yield* again(release, whole)
  else yield* again(refund, { ...part, comment: "requested by the customer" })
}, Effect.orDie)

/** Carries out a form of the office. The same form again asks for the outcome, where that is unclear. */
export const act = Effect.fn("Office.act")(function* (orderId: string, form: Form) {
  const { action: name } = form
  if ((yield* Orders.find(orderId)) === undefined) return yield* missing
  if (!isId(name)) return yield* new Problem({ status: 400, says: "This form is not complete." })
  const isOpen =
    (yield* Orders.change(orderId, withNewAction(form))) || (yield* Orders.change(orderId, withUnclearOpen(name)))
  const order = yield* Orders.find(orderId)
  const action = order?.actions.find((action) => action.name === name)
  if (order === undefined || action === undefined) {
    const says = "Give an amount like 10.00, and no more than is left of the order."
    return yield* new Problem({ status: 400, says })
  }
  if (isOpen) yield* send(order, action)
})

/** At a start of the shop, what was recorded is sent. An action that is under way already is not started again. */
export const resume = Effect.gen(function* () {
  for (const order of yield* Orders.pending) {
    for (const action of order.actions) if (action.status === "open") yield* send(order, action)
  }
})
