/**
 * Commits the end of a step that the browser or the merchant reports. It decides on the rows that were loaded, guards their
 * versions, and loads and decides again if another writer was first.
 */

import { Clock, Effect } from "effect"
import type * as Decision from "../kernel/Decision.ts"
import { OrderGate } from "../kernel/OrderGate.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Order } from "../orders/record/Order.ts"
import { Authentication } from "./decide/Authentication.ts"
import * as AuthenticationProgress from "./decide/AuthenticationProgress.ts"
import * as ThreeDSAnswer from "./decide/ThreeDSAnswer.ts"

const noExtra = { changes: {}, writes: [] }
const busy = ThreeDSAnswer.refuse(
  "unavailable",
  "Other requests about this order came first each time; send this one again"
)

const closed = ThreeDSAnswer.refuse("unavailable", "The gateway moves no orders at the moment; send this again later")

export const make = Effect.gen(function* () {
  const store = yield* Store
  const gate = yield* OrderGate
  const scheduler = yield* Scheduler

  /** Returns the result of `check`. `extra`: further changes that are committed if the answer is accepted. */
  return (
    loaded: { readonly order: Order; readonly authentication: Authentication },
    check: ThreeDSAnswer.StepCheck,
    extra: { readonly changes: Partial<Authentication>; readonly writes: ReadonlyArray<Decision.Write> } = noExtra
  ) => {
    let { authentication, order } = loaded
    const reload = Effect.gen(function* () {
      authentication = (yield* store.load(Authentication, [order.orderId])) ?? authentication
      order = (yield* store.load(Order, [order.orderId])) ?? order
    })
    const attempt = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const result = check(authentication, order, nowMs)
      if (result._tag !== "Accept") return result
      if ((yield* gate.closedForMs(order.orderId)) !== undefined) return closed
      const row: Authentication = { ...authentication, ...result.changes, ...extra.changes }
      const now = { nowMs, claim: scheduler.claim(nowMs, "threeds", order.merchantId) }
      const next = AuthenticationProgress.browserReturned({ order, authentication: row }, extra.writes, now)
      yield* store.commit(next.decision)
      return result
    })
    return Transact.transact({ attempt, reload, exhausted: () => Effect.succeed(busy) })
  }
})
