/** Flows on a file whose disk fails at each moment: callers get an error that says what to do, and the flow continues. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ChildProcess from "../harness/ChildProcess.ts"
import * as WatchedDisk from "./WatchedDisk.ts"

const error = "StorageFailed retryable names the file"

/** The lines of the process. `steps`: how often a step was executed whose record failed. */
const expected = (steps: number) => [
  ["begin", error, "booked", 1],
  ["step", error, "booked", steps],
  ["sleep", error, "booked", 1],
  ["wait", error, "booked", 1],
  ["end", error, "booked", 1],
  ["signal", error, "booked", 1],
  ["interrupt", error, "Interrupted", 1],
  ["close", "nothing", "booked", 1],
  ["callback", "CallbackStoreError  names the file", 1],
  ["visit", "VisitStoreError  names the file"]
]

describe("a flow on a disk that fails at each moment continues when the disk works again", () => {
  it.live.each([
    // A step that is not recorded is executed again, with the same keys.
    ["full", 2],
    ["broken", 2],
    ["remounted", 2],
    ["vanished", 2],
    // The record is there, although its sync failed.
    ["unsynced", 1]
  ] as const)("%s", ([fault, steps]) =>
    Effect.gen(function* () {
      const place = yield* WatchedDisk.place
      mkdirSync(join(place.data, "here"))
      const lines: Array<string> = []
      const { ended } = yield* ChildProcess.start({
        args: [join(import.meta.dirname, "processes/FlowFaults.ts"), place.data, fault],
        env: { PAY_DISK_JOURNAL: place.journal, PAY_DISK_FAULT: place.fault, ...WatchedDisk.environment(place) },
        ready: (line) => line,
        onLine: (line) => lines.push(line)
      })
      yield* ended
      assert.deepStrictEqual(
        lines,
        expected(steps).map((row) => row.join(" | "))
      )
    })
  )
})
