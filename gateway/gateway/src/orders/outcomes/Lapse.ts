/** Expiry of an uncaptured hold: the gateway requests its release from the bank before it books the release. */
import { Clock, Effect, Result } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Store } from "../../kernel/Store.ts"
import * as FollowUp from "../decide/FollowUp.ts"
import * as HoldTask from "../decide/HoldTask.ts"
import { lapseOperation } from "../decide/RequestEnd.ts"
import { BankTask } from "../record/BankTask.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const scheduler = yield* Scheduler

  const lapse = Effect.fnUntraced(function* (job: Job, order: Order) {
    if (!Lifecycle.isHeld(order.state)) return yield* store.commit(Jobs.ended(job))
    if (HoldTask.isSettledByHand(yield* store.load(BankTask, [HoldTask.idOf(order.orderId)])))
      return yield* store.commit(Jobs.ended(job))
    const nowMs = yield* Clock.currentTimeMillis
    const planned = FollowUp.voidHold(order)
    if (Result.isFailure(planned)) return yield* store.commit(Jobs.postponed(job, Jobs.nextLookAtMs(job.tries, nowMs)))
    const { action, amountMinor, order: released } = planned.success
    const request: OrderRequest = {
      requestId: ids.next(),
      merchantId: order.merchantId,
      orderId: order.orderId,
      operation: lapseOperation,
      action,
      sequence: released.sequence,
      amountMinor,
      hasAmount: 0,
      progress: "processing",
      fingerprint: "",
      idempotencyKey: null,
      errorCode: null,
      errorMessage: null,
      callbackUrl: null,
      processorTxId: null,
      acceptedAtMs: nowMs,
      finishedAtMs: null
    }
    const claim = scheduler.claim(nowMs, "bank", order.merchantId)
    const work = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs, claim })
    yield* store.commit({
      guards: [Decision.leaseOf(job), Decision.versionIs(Order, [order.orderId], order.version)],
      writes: [
        Decision.put(Order, released),
        Decision.append(OrderRequest, request),
        Decision.append(Job, work),
        Decision.remove(Job, [job.jobId])
      ]
    })
  })

  /** If a guard is lost, the job stays leased. It runs again when the lease expires, and the order is loaded again. */
  return (job: Job, order: Order): Effect.Effect<void> =>
    Effect.catch(lapse(job, order), (error) => Effect.logDebug("A lapse has to wait", error))
})
