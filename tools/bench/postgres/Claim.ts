/**
 * Claims and removes jobs until none is left. Runs as a process: the database's URL is the argument, and the work starts when the
 * input ends.
 */
import { once } from "node:events"
import { leaseOf, remove } from "@pay/gateway/Decision"
import { Job } from "@pay/gateway/Entities"
import { Effect } from "effect"
import * as Stores from "./Stores.ts"

const { close, store } = await Stores.open(process.argv[2] ?? "")
console.log("port 1")
process.stdin.resume()
await once(process.stdin, "end")

/** The largest number of jobs that the gateway claims at once. */
const limit = 200

const run = Effect.gen(function* () {
  let turn = 0
  let total = 0
  while (true) {
    const token = `${process.pid} ${turn++}`
    const jobs = yield* store.claimDue({ kind: "bank", nowMs: Date.now(), leaseMs: 60_000, limit, token })
    if (jobs.length === 0 && (yield* store.find(Job, "due", { equals: ["bank"], limit: 1 })).length === 0) return total
    yield* Effect.forEach(jobs, (job) => store.commit({ guards: [leaseOf(job)], writes: [remove(Job, [job.jobId])] }), {
      concurrency: "unbounded",
      discard: true
    })
    total += jobs.length
  }
})
console.log(`claimed ${await Effect.runPromise(run)}`)
await close()
