/** When a gateway first started on the restored copy that this store is; undefined if it is no restored copy. */

import { Clock, Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as Adoption from "./Adoption.ts"
import * as Hold from "./Hold.ts"
import { Restoration } from "./Restoration.ts"

/**
 * Returns the time of the first start. The first start holds all jobs of the copy, and stores its time together with a job that lists the
 * bookings since the copy was taken. The job of an earlier restoration is replaced: what it has listed does not count for this one.
 */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const attempt = Effect.gen(function* () {
    const mark = yield* store.load(Restoration, ["latest"])
    if (mark === undefined) return undefined
    const nowMs = yield* Clock.currentTimeMillis
    const start = startOf(mark, nowMs)
    const job = Jobs.make({ kind: "enumerate", subject: mark.name, merchantId: "", nowMs })
    if (start === undefined) {
      const isPending = mark.enumeratedAtMs === null && (yield* store.load(Job, [job.jobId])) === undefined
      const guards = [Decision.absent(Job, "key", [job.jobId])]
      if (isPending) yield* store.commit({ guards, writes: [Decision.append(Job, job)] })
      return mark.startedAtMs ?? nowMs
    }
    yield* Hold.all(store, Change.unchanged(Restoration, mark), nowMs)
    // If several processes start at once, the first one stores the time.
    yield* store.commit(Change.all(Change.update(Restoration, mark, start), Change.writing(Decision.put(Job, job))))
    yield* Effect.logWarning(
      "This is a restored copy: the gateway compares each unfinished order with bank and rail before it continues"
    )
    return nowMs
  })
  return yield* Transact.transact({
    attempt,
    exhausted: () => Effect.die(new Error("Other processes changed the restored copy's start each time.")),
    tries: Transact.triesUnderLock
  })
}).pipe(Effect.orDie)

/**
 * Returns the changes of the mark by a start; undefined if an earlier start counts. A start in the future was made under a wrong clock:
 * nothing would be known before that time.
 */
const startOf = ({ enumeratedAtMs, restoredAtMs, startedAtMs }: Restoration, nowMs: number) => {
  if (startedAtMs === null) return { startedAtMs: nowMs }
  if (enumeratedAtMs !== null || startedAtMs <= nowMs + Adoption.clockSkewMs) return undefined
  // Another restoration's time, because the enumerations of this one have periods that end in the future.
  return { startedAtMs: nowMs, restoredAtMs: restoredAtMs + 1 }
}
