/**
 * The operation `sync/account-verification`: a verification that is answered with its status. It waits until the status is
 * final or the customer has something to do, at most for a limited time. After that the merchant gets the outcome by
 * `status`. In the older dialect it also stores the card of an approved verification, whose reference its libraries require.
 */
import * as Dialect from "@pay/schema/Dialect"
import { Effect } from "effect"
import { type Answer, refuse } from "../kernel/Answer.ts"
import * as Rows from "../kernel/Rows.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import { Card } from "../orders/record/Card.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import type { Order } from "../orders/record/Order.ts"
import * as AnswerStatus from "../orders/requests/AnswerStatus.ts"
import * as AwaitAnswer from "../orders/requests/AwaitAnswer.ts"
import * as CreateOrder from "../orders/requests/CreateOrder.ts"
import { namedOrder } from "../orders/requests/NamedOrder.ts"
import * as StoreCard from "./StoreCard.ts"

const withFallbacks = (answer: Answer): Answer => ({
  ...answer,
  fields: { ...Dialect.verificationFallbacks, ...answer.fields }
})

export const make = Effect.gen(function* () {
  const { operation, perform, reads, replay } = yield* CreateOrder.make("SYNC_ACCOUNT_VERIFICATION")
  const storeCard = yield* StoreCard.make("CARDREF")
  const store = yield* Store
  const read = yield* AnswerStatus.reader
  const awaitAnswer = yield* AwaitAnswer.make
  const { syncWaitMs } = yield* Settings

  const keep = Effect.fnUntraced(function* (call: Call, order: Order) {
    const isErased = (yield* call.rows.load(Card, [order.orderId])) === undefined
    if (isErased || !Lifecycle.isApproved(order.state)) return
    const fields = { login: call.merchant.login, client_orderid: order.clientOrderId, orderid: order.orderId }
    yield* storeCard.perform({ ...call, operation: storeCard.operation, fields }, call.route.endpoints)
  })

  const look = Effect.fnUntraced(function* (call: Call) {
    const rows = Rows.loadedOnce(store)
    const order = yield* namedOrder(rows, call)
    if (order === undefined) return yield* refuse("orderNotFound")
    if (call.dialect === "pairs") yield* keep({ ...call, rows }, order)
    return yield* read(order, undefined)
  })

  const wait = (call: Call) => {
    const answer = awaitAnswer(look(call), look(call), syncWaitMs)
    return call.dialect === "pairs" ? Effect.map(answer, withFallbacks) : answer
  }

  const handler: Handler = {
    operation,
    replay: (call) => Effect.flatMap(replay(call), (again) => (again === undefined ? Effect.undefined : wait(call))),
    perform: (call, endpoints) => Effect.andThen(perform(call, endpoints), wait(call)),
    reads
  }
  return handler
})
