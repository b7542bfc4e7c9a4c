/**
 * Starts executions that wait for a clock, as a process, and reports the memory and the disk space of one execution. A second
 * process, with a clock that is ahead, reports how the executions resume. Needs `--expose-gc`.
 */
import { statSync } from "node:fs"
import * as Database from "@pay/sqlite/Database"
import { Executions } from "@pay/workflow-sqlite/Executions"
import * as Engine from "@pay/workflow-sqlite/WorkflowEngine"
import { Clock, Effect, Layer, Schema } from "effect"
import { Activity, DurableClock, Workflow } from "effect/workflow"
import * as Process from "./Process.ts"

export interface Message {
  readonly heapBytesEach: number
  readonly diskBytesEach: number
  readonly runs: number
  readonly ticks: number
  readonly mostRunning: number
  /** Processor time of the process in milliseconds, without other processes of the machine. */
  readonly cpuMs: number
}

const [, , path = "", countText = "0", aheadText = "0"] = process.argv
const count = Number(countText)
/** Milliseconds by which this process's clock is ahead. A second process starts after the clocks of the first one have ended. */
const aheadMs = Number(aheadText)

const Wait = Workflow.make("Wait", { payload: { id: Schema.String }, idempotencyKey: ({ id }) => id })

let mostRunning = 0

const program = Effect.gen(function* () {
  const executions = yield* Executions
  const before = yield* Process.heapBytes
  const started = process.cpuUsage()
  for (let n = 0; n < count; n += 500) {
    const ids = Array.from({ length: Math.min(500, count - n) }, (_, at) => `waiting-${n + at}`)
    yield* Effect.forEach(ids, (id) => Wait.execute({ id }, { discard: true }), { concurrency: 64, discard: true })
  }
  yield* executions.settled
  const { system, user } = process.cpuUsage(started)
  const report: Message = {
    heapBytesEach: ((yield* Process.heapBytes) - before) / Math.max(1, count),
    diskBytesEach: statSync(path).size / Math.max(1, count),
    runs: executions.statistics.runs,
    ticks: executions.statistics.ticks,
    mostRunning,
    cpuMs: (user + system) / 1000
  }
  console.log(JSON.stringify(report))
})

const waiting = Wait.toLayer(
  Effect.fnUntraced(function* () {
    yield* Activity.make({ name: "before", execute: Effect.void })
    yield* DurableClock.sleep({ name: "wait", duration: "1 day" })
    const { running } = yield* Executions
    yield* Activity.make({
      name: "after",
      execute: Effect.sync(() => {
        mostRunning = Math.max(mostRunning, running())
      })
    })
  })
)

await Effect.runPromise(
  Effect.gen(function* () {
    const database = yield* Database.open({ path })
    const wall = Clock.Clock.defaultValue()
    const ahead = Process.clockAt(() => wall.currentTimeMillisUnsafe() + aheadMs)
    yield* program.pipe(
      Effect.provide(waiting.pipe(Layer.provideMerge(Engine.layer({ database })))),
      Effect.provideService(Clock.Clock, ahead)
    )
  }).pipe(Effect.scoped)
)
