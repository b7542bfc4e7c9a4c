/** Answers a request that acts on an order, and that repeats an earlier one, like the earlier one. */

import * as Money from "@pay/schema/Money"
import * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { refuse } from "../../kernel/Answer.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import { Settings } from "../../kernel/Settings.ts"
import { Store } from "../../kernel/Store.ts"
import type { Call } from "../../merchants/Call.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import type { Act } from "../decide/Acts.ts"
import * as Repeat from "../decide/Repeat.ts"
import type { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import { acknowledge } from "./Acknowledge.ts"
import * as CardIdentity from "./CardIdentity.ts"

/** Largest number of requests of one order that are searched for repetitions without a key: more than any order should have. */
const maxRequests = 10_000

export const make = Effect.fnUntraced(function* ({ name, once, wholeMinor }: Act) {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const settings = yield* Settings
  const operation = PayApi.operations[name]

  /**
   * Returns the request that has the call's idempotency key. Without a key it returns every request of the order that the call
   * may repeat.
   */
  const earlierOf = Effect.fnUntraced(function* (call: Call, { orderId }: Order) {
    const { idempotencyKey, merchant } = call
    if (idempotencyKey === undefined || once)
      return yield* store.find(OrderRequest, "order", { equals: [orderId], limit: maxRequests, descending: true })
    const bound = [merchant.login, operation.name, orderId, idempotencyKey]
    const holder = yield* store.load(OrderRequest, bound, "idempotency")
    return holder === undefined ? [] : [holder]
  })

  /** Returns the answer to a repeated request; undefined for a new one. */
  return Effect.fnUntraced(function* (call: Call, order: Order) {
    const { amount } = call.fields
    const amountMinor = amount === undefined ? undefined : Money.toMinor(amount, order.currency)
    if (amountMinor !== undefined && Result.isFailure(amountMinor)) return undefined
    const verdict = Repeat.judge(
      {
        operation: operation.name,
        fingerprintLike: (earlier) => CardIdentity.contentFingerprint(vault, operation, call, earlier),
        idempotencyKey: call.idempotencyKey,
        amountMinor: amountMinor?.success,
        nowMs: yield* Clock.currentTimeMillis,
        repeatWindowMs: settings.repeatWindowMs,
        // Clients of the older dialect send the amount in each request and have no Idempotency-Key.
        wholeMinor: call.dialect === "pairs" ? wholeMinor?.(order) : undefined,
        once
      },
      yield* earlierOf(call, order)
    )
    const names = { clientOrderId: order.clientOrderId, orderId: order.orderId }
    switch (verdict._tag) {
      case "New":
        return undefined
      case "Replay":
        return acknowledge(order, SerialNumber.again(verdict.of.requestId, ids.salt()))
      case "KeyTaken":
        return yield* refuse("idempotencyKeyConflict", names)
      case "Ambiguous": {
        const serialNumber = SerialNumber.first(verdict.with.requestId)
        return yield* refuse("repeatedWithoutKey", {
          ...names,
          message: `An equal ${operation.command} was accepted as ${serialNumber}; send the header Idempotency-Key to ask for another one`
        })
      }
    }
  })
})
