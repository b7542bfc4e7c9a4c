/** Runs one gateway on a thread of its own, and says its address. A planted defect is put in while its file is loaded. */
import { parentPort, workerData } from "node:worker_threads"
import { Effect } from "effect"
import * as Plant from "../planted/Plant.ts"

Plant.inThread(workerData.patch)

const { gateway } = await import("./TestRun.ts")

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const baseUrl = yield* gateway()
      parentPort?.postMessage(baseUrl)
      return yield* Effect.never
    })
  )
)
