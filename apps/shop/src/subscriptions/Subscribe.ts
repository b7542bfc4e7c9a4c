/** A subscription begins with the payment of an order, by the card of the form or by a stored one. */
import type { FlowError } from "@pay/flows/FlowError"
import * as Subscription from "@pay/flows/Subscription"
import { Effect, Result } from "effect"
import { forgetful } from "../flows/CardInMemory.ts"
import * as RecordedFlow from "../flows/RecordedFlow.ts"
import * as Orders from "../orders/Orders.ts"
import * as Outcomes from "../orders/Outcomes.ts"
import * as Subscriptions from "./Subscriptions.ts"

type End = Result.Result<typeof Subscription.Subscribe.success.Type, FlowError>

const record = Effect.fnUntraced(function* ({ client_orderid }: { readonly client_orderid: string }, end: End) {
  const order = yield* Orders.find(client_orderid)
  const recurringId = Result.isSuccess(end) ? end.success.recurringPaymentId : undefined
  if (Result.isSuccess(end) && order !== undefined) {
    const { nextChargeDate: nextDay, order: report, recurringPaymentId: id } = end.success
    const { owner, product } = order
    yield* Subscriptions.add({ id, owner, product, state: "active", nextDay, lastFour: report.lastFour })
  }
  const outcome = Outcomes.withEnd(Result.map(end, ({ order: report }) => report))
  return yield* Orders.change(client_orderid, (order) => ({ ...outcome(order), recurringId }))
})

export const subscribe = forgetful(RecordedFlow.make(Subscription.Subscribe, record))
