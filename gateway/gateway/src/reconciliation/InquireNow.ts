/** Lets an operator have bank and rail asked at once about requests whose outcome is open, before their next inquiry is due. */
import { Clock, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as CommitEach from "../kernel/CommitEach.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import { isOfRail, OrderRequest } from "../orders/record/OrderRequest.ts"

/** The requests of one order, or of one page of unknown outcomes: more than an order should have. */
const most = 1000

export const make = Effect.gen(function* () {
  const store = yield* Store
  const commitEach = yield* CommitEach.make

  /** Makes the job of the request due now. */
  const decisionOf = Effect.fnUntraced(function* (request: OrderRequest) {
    const job = yield* store.load(Job, [Jobs.id(isOfRail(request) ? "rail" : "bank", request.requestId)])
    return job && Jobs.dueNow(job, yield* Clock.currentTimeMillis)
  })

  /** Those that are left: a process asks about them already, or nobody asks about them. */
  const askAbout = (requests: ReadonlyArray<OrderRequest>, actor: Actor, subject: CommitEach.Act["subject"]) =>
    commitEach(requests, decisionOf, {
      actor,
      action: "order.inquire",
      subject,
      detailOf: (begun) => ({ requests: begun })
    })

  return {
    /** `undefined`: the order does not exist, or has no request whose outcome is open. */
    ofOrder: Effect.fn("InquireNow.ofOrder")(function* (orderId: string, actor: Actor) {
      const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: most, descending: true })
      const open = requests.filter(({ progress }) => progress === "unknown" || progress === "processing")
      return open.length === 0 ? undefined : yield* askAbout(open, actor, { kind: "order", id: orderId })
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
      return { ...(yield* askAbout(page, actor, { kind: "gateway", id: "unknown" })), next }
    })
  }
})
