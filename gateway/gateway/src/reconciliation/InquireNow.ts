/** Lets an operator have bank and rail asked at once about requests whose outcome is open, before their next inquiry is due. */
import { Clock, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { isOfRail, OrderRequest } from "../orders/record/OrderRequest.ts"

/** The requests of one order, or of one page of unknown outcomes: more than an order should have. */
const most = 1000

/** Number of requests whose jobs are changed at the same time, so that they share a sync of the disk. */
const concurrency = 32

/** `begun`: requests that are asked about now. `left`: those that a process asks about already, or that are not asked about. */
export interface Inquired {
  readonly begun: number
  readonly left: number
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids

  /** Whether the job of the request is due now. */
  const hasten = Effect.fnUntraced(function* (request: OrderRequest) {
    const job = yield* store.load(Job, [Jobs.id(isOfRail(request) ? "rail" : "bank", request.requestId)])
    const decision = job && Jobs.dueNow(job, yield* Clock.currentTimeMillis)
    return decision !== undefined && (yield* Transact.lostGuardOf(store, decision)) === undefined
  })

  const hastenAll = Effect.fnUntraced(function* (
    requests: ReadonlyArray<OrderRequest>,
    actor: Actor,
    subject: { readonly kind: string; readonly id: string }
  ) {
    const results = yield* Effect.forEach(requests, hasten, { concurrency })
    const begun = results.filter((isDue) => isDue).length
    if (begun > 0) {
      const atMs = yield* Clock.currentTimeMillis
      const detail = { requests: begun }
      yield* Transact.record(store, [
        Audit.entry({ auditId: ids.next(), atMs, actor, action: "order.inquire", subject, detail })
      ])
      yield* scheduler.wake
    }
    return { begun, left: requests.length - begun } satisfies Inquired
  })

  return {
    /** `undefined`: the order does not exist, or has no request whose outcome is open. */
    ofOrder: Effect.fn("InquireNow.ofOrder")(function* (orderId: string, actor: Actor) {
      const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: most, descending: true })
      const open = requests.filter(({ progress }) => progress === "unknown" || progress === "processing")
      return open.length === 0 ? undefined : yield* hastenAll(open, actor, { kind: "order", id: orderId })
    }),
    /** Goes on with the unknown outcomes after a page, the oldest first. */
    ofUnknown: Effect.fn("InquireNow.ofUnknown")(function* (after: KeysetPage.Cursor | undefined, actor: Actor) {
      const page = yield* KeysetPage.oldest(store, OrderRequest, "progress", {
        equals: ["unknown"],
        after,
        limit: most
      })
      const next = KeysetPage.nextOf(page, most, ({ acceptedAtMs, requestId }) => ({
        atMs: acceptedAtMs,
        key: requestId
      }))
      return { ...(yield* hastenAll(page, actor, { kind: "gateway", id: "unknown" })), next }
    })
  }
})
