/** When a gateway first started on the restored copy that this store is; undefined if it is no restored copy. */

import { Clock, Effect } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { Restoration } from "./Restoration.ts"

/**
 * Returns the time of the first start. The first start stores it before any job runs, together with a job that lists
 * the bookings since the copy was taken.
 */
export const make = Effect.gen(function* () {
  const store = yield* Store
  const mark = yield* store.load(Restoration, ["latest"])
  if (mark === undefined) return undefined
  if (mark.startedAtMs !== null) return mark.startedAtMs
  const startedAtMs = yield* Clock.currentTimeMillis
  const job = Jobs.make({ kind: "enumerate", subject: mark.name, merchantId: "", nowMs: startedAtMs })
  // If several processes start at once, the first one stores the time.
  const guards = [Decision.absent(Job, "key", [job.jobId])]
  const writes = [Decision.put(Restoration, { ...mark, startedAtMs }), Decision.put(Job, job)]
  if ((yield* Transact.lostGuardOf(store, { guards, writes })) !== undefined)
    return (yield* store.load(Restoration, ["latest"]))?.startedAtMs ?? startedAtMs
  yield* Effect.logWarning(
    "This is a restored copy: the gateway inquires at the bank before it sends a request of an older order"
  )
  return startedAtMs
}).pipe(Effect.orDie)
