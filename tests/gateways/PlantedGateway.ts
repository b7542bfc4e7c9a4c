/** A sandbox gateway on a thread of its own, with a defect planted in one of its files while that is loaded. */
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type * as Conformance from "@pay/conformance/Conformance"
import { Effect } from "effect"
import type { Patch } from "../planted/Defect.ts"
import * as TestRun from "./TestRun.ts"

/** Starts the gateway. It is gone with the scope. */
const start = (patch: Patch) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const worker = new Worker(join(import.meta.dirname, "worker.ts"), { workerData: { patch } })
      const baseUrl = await new Promise<string>((resolve, reject) => {
        worker.once("error", reject)
        worker.once("message", resolve)
      })
      return { worker, baseUrl }
    }),
    ({ worker }) => Effect.promise(() => worker.terminate())
  )

/** Runs the suite against the gateway with the defect, up to the first check that fails. */
export const run = (patch: Patch, options: Partial<Conformance.Options> = {}) =>
  Effect.scoped(
    Effect.flatMap(start(patch), ({ baseUrl }) => TestRun.at(baseUrl, { bail: true, limitSeconds: 10, ...options }))
  )
