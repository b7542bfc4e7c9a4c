/** The back office acts on orders: an action is in the table before anything is sent, and is done once. */
import { Durable } from "@pay/flows/durable"
import * as Money from "@pay/schema/Money"
import { Effect, Result } from "effect"
import type { Order } from "../orders/Orders.ts"
import * as Payments from "../payments/Payments.ts"
import { Settings } from "../Settings.ts"
import { type Form, isId, Problem } from "../web/Visitor.ts"
import { type Action, Actions } from "./Actions.ts"

/** What can still be charged or released of a reservation, and given back of a payment; what is under way counts as done. */
export const left = (
  { amountMinor, capturedMinor, released, returnedMinor, status }: Order,
  actions: ReadonlyArray<Action>
): Readonly<Record<Action["kind"], number>> => {
  if (status !== "approved") return { capture: 0, release: 0, refund: 0 }
  const open = (kind: Action["kind"]) =>
    actions
      .filter((action) => action.kind === kind && action.status === "open")
      .reduce((sum, action) => sum + action.amountMinor, 0)
  const held = released === 1 || open("release") > 0 ? 0 : amountMinor - capturedMinor - open("capture")
  return {
    capture: capturedMinor > 0 && returnedMinor === capturedMinor ? 0 : held,
    // Nobody knows yet what a charge under way leaves of the hold.
    release: open("capture") > 0 ? 0 : held,
    refund: capturedMinor - returnedMinor - open("refund")
  }
}

const isKind = (text: string | undefined): text is Action["kind"] =>
  text === "capture" || text === "release" || text === "refund"

export const act = Effect.fn("Office.act")(
  function* (order: Order, form: Form) {
    const { action: name, amount = "", kind } = form
    const { currency, gatewayId, id, way } = order
    if (!isId(name) || !isKind(kind) || gatewayId === null) {
      return yield* new Problem({ status: 400, says: "This form is not complete." })
    }
    const { add, of } = yield* Actions
    const actions = yield* of(id)
    if (actions.some((action) => action.name === name)) return
    const leftMinor = left(order, actions)[kind]
    const amountMinor =
      kind === "release" ? leftMinor : Result.getOrElse(Money.toMinor(amount.trim(), currency), () => 0)
    if (amountMinor === 0 || amountMinor > leftMinor) {
      return yield* new Problem({ status: 400, says: "This is no amount that is left of the order." })
    }
    const { endpoints } = yield* Settings
    const { start } = yield* Durable
    const whole = { client_orderid: id, orderid: gatewayId, name, endpointId: endpoints[way] }
    const part = { ...whole, amount: Money.fromMinor(amountMinor, currency), currency }
    if (!(yield* add({ name, orderId: id, kind, amountMinor }))) return
    if (kind === "capture") yield* start(Payments.capture, part)
    else if (kind === "release") yield* start(Payments.release, whole)
    else yield* start(Payments.refund, { ...part, comment: "asked for by the customer" })
  },
  Effect.catchTags({ PayloadDiffers: Effect.die, SqliteError: Effect.die, CommitUnknown: Effect.die })
)

/** After a start: an action that was written down but not begun is refused; nothing of it was sent. */
export const goOn = Effect.gen(function* () {
  const actions = yield* Actions
  const { result } = yield* Durable
  for (const { kind, name, orderId } of yield* actions.open) {
    if (yield* Effect.isFailure(result(Payments[kind], `${orderId}/${name}`)))
      yield* actions.conclude(name, "refused", "the shop was stopped before it began")
  }
})
