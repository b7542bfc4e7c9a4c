/**
 * Advances an authentication by one step: sends the request of its stage to the 3-D Secure server, or ends a stage whose
 * time is over. Every call is idempotent by its reference, so a job that was started before just sends its request again.
 */

import { Clock, Effect } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Evidence } from "../kernel/Evidence.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import type { Rows } from "../kernel/Rows.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import { Directory } from "../merchants/Directory.ts"
import * as Continuations from "../orders/outcomes/Continuations.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { Order } from "../orders/record/Order.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import * as CallServer from "./CallServer.ts"
import { Authentication } from "./decide/Authentication.ts"
import type { Event } from "./decide/AuthenticationProgress.ts"
import * as AuthenticationProgress from "./decide/AuthenticationProgress.ts"
import * as ThreeDSStages from "./decide/ThreeDSStages.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  const directory = yield* Directory
  const settings = yield* Settings
  const continuations = yield* Continuations.Continuations
  const callServer = yield* CallServer.make

  const load = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const order = yield* rows.load(Order, [job.subject])
    const authentication = yield* rows.load(Authentication, [job.subject])
    const request = order === undefined ? undefined : yield* rows.load(OrderRequest, [order.requestId])
    return order === undefined || authentication === undefined || request === undefined
      ? undefined
      : {
          order,
          request,
          job,
          authentication,
          continuation: yield* Continuations.load(continuations, rows, order, request)
        }
  })

  /** Returns the evidence of what the 3-D Secure server gave instead of an answer. */
  const evidenceOf = ({ authentication }: AuthenticationProgress.AuthenticationContext, event: Event, atMs: number) =>
    event._tag === "Silent" && event.unreadable !== undefined
      ? [
          Decision.append(Evidence, {
            evidenceId: ids.next(),
            reference: CallServer.referenceOf(authentication),
            orderId: authentication.orderId,
            answer: JSON.stringify({ _tag: "Lost", ...event.unreadable }),
            atMs
          })
        ]
      : []

  /** Returns the event of the stage. While the browser is away, the job is due only when the browser's time is over. */
  const eventOf = (context: AuthenticationProgress.AuthenticationContext) =>
    ThreeDSStages.waitsForBrowser(context.authentication.stage) ? Effect.succeed(deadline) : callServer(context)

  const step = Effect.fnUntraced(function* (job: Job, rows: Rows) {
    const context = yield* load(job, rows)
    if (context === undefined || Lifecycle.next(context.order.state, "reject") === undefined) {
      return yield* store.commit(Jobs.ended(job))
    }
    const event: Event = yield* eventOf(context)
    // An answer that cannot be committed counts as no answer, so that it authenticates nobody.
    yield* Uncommitted.onDefect(apply(context, event), (reason) =>
      apply(context, { ...CallServer.silent, unreadable: { reason, answer: event._tag } })
    )
  })

  /** Decides what an event changes, and commits it. */
  const apply = Effect.fnUntraced(function* (context: AuthenticationProgress.AuthenticationContext, event: Event) {
    const nowMs = yield* Clock.currentTimeMillis
    const limits: AuthenticationProgress.StageLimits = {
      nowMs,
      claim: scheduler.claim(nowMs, "threeds", context.order.merchantId),
      methodMs: settings.methodMs,
      browserMs: settings.browserMs,
      challengeMs: settings.challengeMs,
      unavailable: directory.endpoint(context.order.endpointId)?.threedsUnavailable ?? "decline"
    }
    const evidence = evidenceOf(context, event, nowMs)
    const { guards, writes } = AuthenticationProgress.decide(context, event, limits).decision
    yield* store.commit({ guards, writes: [...writes, ...evidence] })
  })

  /** Carries out one step. A process that has lost the lease leaves the job to the current holder. */
  const advance = (job: Job, written: Rows) => {
    let rows = written
    return Transact.transact({
      attempt: Effect.suspend(() => step(job, rows)),
      reload: Effect.sync(() => {
        rows = store
      }),
      onLostGuard: ({ _tag }) => (_tag === "LeaseIs" ? Effect.void : "again"),
      exhausted: () => Effect.void
    })
  }

  /** If an error occurs, the job stays leased. It runs again when the lease expires. */
  return (job: Job, rows: Rows): Effect.Effect<void> =>
    Effect.catch(advance(job, rows), (error) => Effect.logDebug("An authentication has to wait", error))
})

const deadline: Event = { _tag: "Deadline" }
