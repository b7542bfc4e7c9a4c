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
import { Problem } from "../web/Page.ts"
import { type Form, isId } from "../web/Visitor.ts"

const withAction = (order: Orders.Order, name: string, status: Orders.Action["status"], reason?: string) => ({
  ...order,
  actions: order.actions.map((action) => (action.name === name ? { ...action, status, reason } : action))
})

const record = (
  { clientOrderId, name }: { readonly clientOrderId: string; readonly name: string },
  end: Outcomes.End
) =>
  Orders.change(clientOrderId, (order) => {
    if (Result.isSuccess(end)) return withAction(Outcomes.withEnd(end)(order), name, "done")
    const status = Outcomes.uncertainty(end.failure) ?? "refused"
    return withAction(order, name, status, Outcomes.reasonOf(end.failure))
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

const isKind = Schema.is(Orders.Kind)

/**
 * Adds the action of a form, if it is new and no more than is left. The same form again opens an action of which the outcome is
 * unclear, so that the gateway is asked again.
 */
const withFormAction =
  ({ action: name = "", amount = "", kind }: Form) =>
  (order: Orders.Order): Orders.Order | undefined => {
    const action = order.actions.find((action) => action.name === name)
    if (action !== undefined) return action.status === "unclear" ? withAction(order, name, "open") : undefined
    if (!isKind(kind)) return undefined
    const leftMinor = amountsLeft(order)[kind]
    const amountMinor = kind === "release" ? leftMinor : Outcomes.minor(amount.trim(), order.currency)
    if (amountMinor <= 0 || amountMinor > leftMinor) return undefined
    return { ...order, actions: [...order.actions, { name, kind, amountMinor, status: "open" }] }
  }

const send = Effect.fnUntraced(function* (order: Orders.Order, { amountMinor, kind, name }: Orders.Action) {
  const { currency, gatewayId: orderId = "", id, way } = order
  const { endpoints } = yield* Settings
  const { again } = yield* Durable
  const whole = { clientOrderId: id, orderId, name, endpointId: endpoints[way] }
  const part = { ...whole, amount: Money.fromMinor(amountMinor, currency), currency }
  if (kind === "capture") yield* again(capture, part)
  else if (kind === "release") yield* again(release, whole)
  else yield* again(refund, { ...part, comment: "requested by the customer" })
}, Effect.orDie)

/** Carries out a form of the office: records the action, then sends it. */
export const act = Effect.fn("Office.act")(function* (orderId: string, form: Form) {
  if (!isId(form.action)) return yield* new Problem({ why: "incomplete" })
  const isOpen = yield* Orders.change(orderId, withFormAction(form))
  const order = yield* Orders.find(orderId)
  if (order === undefined) return yield* new Problem({ why: "missing" })
  const action = order.actions.find(({ name }) => name === form.action)
  if (action === undefined) return yield* new Problem({ why: "actionInvalid" })
  if (isOpen) yield* send(order, action)
})

/** At a start of the shop, what was recorded is sent. An action that is under way already is not started again. */
export const resume = Effect.gen(function* () {
  for (const order of yield* Orders.pending) {
    for (const action of order.actions) if (action.status === "open") yield* send(order, action)
  }
})
