/**
 * The operations that act on an existing order: `capture`, `void`, `return` and the follow-ups of other capabilities. Each one is
 * stored durably before it is answered.
 */

import * as PayApi from "@pay/schema/PayApi"
import { Effect, Result } from "effect"
import * as MerchantUrls from "../../callbacks/MerchantUrls.ts"
import { type Answer, refuse, refuseFields } from "../../kernel/Answer.ts"
import { KeyedLock } from "../../kernel/KeyedLock.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Store } from "../../kernel/Store.ts"
import { type Call, type Handler, settled, spend } from "../../merchants/Call.ts"
import type { Act } from "../decide/Acts.ts"
import type { Order } from "../record/Order.ts"
import * as AcceptFollowUp from "./AcceptFollowUp.ts"
import * as JudgeRepeat from "./JudgeRepeat.ts"
import { namedOrder } from "./NamedOrder.ts"

export const make = Effect.fnUntraced(function* (act: Act) {
  const store = yield* Store
  const settings = yield* Settings
  const locks = yield* KeyedLock
  const repeatOf = yield* JudgeRepeat.make(act)
  const accept = yield* AcceptFollowUp.make(act)
  const operation = PayApi.operations[act.name]

  const replay = Effect.fnUntraced(function* (call: Call) {
    const order = yield* namedOrder(call.rows, call)
    return order === undefined ? undefined : yield* repeatOf(call, order)
  })

  const perform = Effect.fnUntraced(function* (call: Call) {
    const decoded = operation.decodeFields(call.fields)
    const clientOrderId = call.fields.client_orderid
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, clientOrderId)
    const { notify_url, server_callback_url } = decoded.success
    const { amount, currency } = call.fields
    yield* Effect.fromResult(MerchantUrls.check(decoded.success, settings, clientOrderId))
    const requestedFields: AcceptFollowUp.RequestedFields = {
      amount,
      currency,
      callbackUrl: server_callback_url ?? notify_url ?? null
    }
    const named = yield* namedOrder(call.rows, call)
    if (named === undefined) return yield* refuse("orderNotFound")
    // `replay` has judged the request on these rows. If another request changes the order meanwhile, it is judged again.
    let order: Order = named
    let repeatAnswer: Answer | undefined
    const reload = Effect.gen(function* () {
      order = (yield* namedOrder(store, call)) ?? order
      repeatAnswer = yield* repeatOf(call, order)
    })
    return yield* settled(
      locks(decoded.success.orderid),
      Effect.suspend(() =>
        repeatAnswer === undefined
          ? accept(call, order, requestedFields)
          : Effect.as(spend(store, call.nonce), repeatAnswer)
      ),
      reload
    )
  })

  const handler: Handler = { operation, replay, perform, reads: false }
  return handler
})
