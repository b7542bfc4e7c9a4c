/**
 * Commits the end of a step that the browser or the merchant reports. It decides on the rows that were loaded, guards their
 * versions, and loads and decides again if another writer was first.
 */

import { Clock, Effect } from "effect"
import type * as Decision from "../kernel/Decision.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Order } from "../orders/Order.ts"
import { Authentication } from "./Authentication.ts"
import * as AuthenticationProgress from "./AuthenticationProgress.ts"
import * as ThreeDSAnswer from "./ThreeDSAnswer.ts"

const nothing = { changes: {}, writes: [] }
const crowded = ThreeDSAnswer.refuse(
  "unavailable",
  "Other requests about this order came first each time; send this one again"
)

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler

  /** Returns the result of `judge`. `along`: further changes that are committed if the answer is accepted. */
  return (
    loaded: { readonly order: Order; readonly authentication: Authentication },
    judge: ThreeDSAnswer.Judge,
    along: { readonly changes: Partial<Authentication>; readonly writes: ReadonlyArray<Decision.Write> } = nothing
  ) => {
    let { authentication, order } = loaded
    const reload = Effect.gen(function* () {
      authentication = (yield* store.load(Authentication, [order.orderId])) ?? authentication
      order = (yield* store.load(Order, [order.orderId])) ?? order
    })
    const attempt = Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const judged = judge(authentication, order, nowMs)
      if (judged._tag !== "Accept") return judged
      const row: Authentication = { ...authentication, ...judged.changes, ...along.changes }
      const now = { nowMs, claim: scheduler.claim(nowMs, "threeds", order.merchantId) }
      const next = AuthenticationProgress.answered({ order, authentication: row }, along.writes, now)
      yield* store.commit(next.decision)
      scheduler.start(next.started, next.decision.writes)
      return judged
    })
    return Transact.transact({ attempt, reload, exhausted: () => Effect.succeed(crowded) })
  }
})
