/** Makes an ended step durable and goes on at once: judged on what was read, guarded by its versions, judged again if they moved. */
import { Clock, Effect } from "effect"
import { Agenda } from "../Agenda.ts"
import * as Decision from "../domain/Decision.ts"
import { AgendaItem } from "../domain/entities/AgendaItem.ts"
import { Authentication } from "../domain/entities/Authentication.ts"
import { Order } from "../domain/entities/Order.ts"
import type * as ThreeDSAnswer from "../domain/ThreeDSAnswer.ts"
import * as ThreeDSWork from "../domain/ThreeDSWork.ts"
import { Store } from "../ports/Store.ts"

const mostTries = 5
const nothing = { changes: {}, writes: [] }

export const make = Effect.gen(function* () {
  const store = yield* Store
  const agenda = yield* Agenda

  const commit = Effect.fnUntraced(function* (
    order: Order,
    authentication: Authentication,
    writes: ReadonlyArray<Decision.Write>,
    nowMs: number
  ) {
    const item = ThreeDSWork.newItem(order.orderId, nowMs, nowMs, agenda.claim(nowMs))
    yield* store.commit({
      guards: [
        Decision.versionIs(Authentication, [order.orderId], authentication.version),
        Decision.versionIs(Order, [order.orderId], order.version)
      ],
      writes: [
        Decision.put(Authentication, { ...authentication, version: authentication.version + 1 }),
        Decision.put(AgendaItem, item),
        ...writes
      ]
    })
    if (item.token !== null) agenda.start([item])
  })

  /** What became of it; `along` is written with an accepted answer. */
  return Effect.fnUntraced(function* (
    known: { readonly order: Order; readonly authentication: Authentication },
    judge: ThreeDSAnswer.Judge,
    along: { readonly changes: Partial<Authentication>; readonly writes: ReadonlyArray<Decision.Write> } = nothing
  ) {
    let { authentication, order } = known
    for (let tries = 1; ; tries += 1) {
      const nowMs = yield* Clock.currentTimeMillis
      const judged = judge(authentication, order, nowMs)
      if (judged._tag !== "Accept") return judged
      const next: Authentication = { ...authentication, ...judged.changes, ...along.changes }
      const lost = yield* commit(order, next, along.writes, nowMs).pipe(
        Effect.as(false),
        Effect.catchTag("GuardFailed", () => Effect.succeed(tries < mostTries))
      )
      if (!lost) return judged
      authentication = (yield* store.load(Authentication, [order.orderId])) ?? authentication
      order = (yield* store.load(Order, [order.orderId])) ?? order
    }
  })
})
