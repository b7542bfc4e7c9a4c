/** The back office acts on orders: an action is in the table before anything is sent, and is done once. */
import { Durable } from "@pay/flows/durable"
import * as Money from "@pay/schema/Money"
import { Effect, Result } from "effect"
import { Actions } from "./Actions.ts"
import type { Order } from "./Orders.ts"
import * as Payments from "./Payments.ts"
import { Settings } from "./Settings.ts"
import { type Form, Problem } from "./Visitor.ts"

/** What can still be charged of a reservation, and given back of a payment. */
export const left = ({ amountMinor, capturedMinor, returnedMinor, status }: Order) => {
  const approved = status === "approved"
  const toCapture = approved && returnedMinor === 0 ? amountMinor - capturedMinor : 0
  return { capture: toCapture, refund: approved ? capturedMinor - returnedMinor : 0 }
}

export const act = Effect.fn("Office.act")(
  function* (order: Order, form: Form) {
    const { action: name = "", amount = "", kind } = form
    const { currency, gatewayId, id, way } = order
    const amountMinor = Result.getOrElse(Money.toMinor(amount.trim(), currency), () => 0)
    if (!/^[\w-]{22}$/.test(name) || (kind !== "capture" && kind !== "refund") || gatewayId === null) {
      return yield* new Problem({ status: 400, says: "This form is not complete." })
    }
    if (amountMinor === 0 || amountMinor > left(order)[kind]) {
      return yield* new Problem({ status: 400, says: "This is no amount that is left of the order." })
    }
    const { endpoints } = yield* Settings
    const { start } = yield* Durable
    const { add } = yield* Actions
    const payload = {
      client_orderid: id,
      orderid: gatewayId,
      name,
      amount: Money.fromMinor(amountMinor, currency),
      currency,
      endpointId: endpoints[way]
    }
    yield* add({ name, orderId: id, kind, amountMinor })
    if (kind === "capture") yield* start(Payments.capture, payload)
    else yield* start(Payments.refund, { ...payload, comment: "asked for by the customer" })
  },
  Effect.catchTags({ PayloadDiffers: Effect.die, SqliteError: Effect.die, CommitUnknown: Effect.die })
)

/** After a start: an action that was written down but not begun is refused; nothing of it was sent. */
export const goOn = Effect.gen(function* () {
  const actions = yield* Actions
  const { result } = yield* Durable
  for (const { name, orderId } of yield* actions.open) {
    const key = `${orderId}/${name}`
    const asked = [Effect.isSuccess(result(Payments.capture, key)), Effect.isSuccess(result(Payments.refund, key))]
    if (!(yield* Effect.all(asked)).includes(true))
      yield* actions.conclude(name, "refused", "the shop was stopped before it began")
  }
})
