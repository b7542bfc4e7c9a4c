/** Pauses on each engine end when they are due, on the cluster with its default settings too, and their callers know it at once. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Cluster from "../../src/durable/Cluster.ts"
import * as Flow from "../../src/engine/Flow.ts"
import type { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import * as VirtualTime from "../durable/VirtualTime.ts"
import { engines, runner } from "./Engines.ts"

const second = Effect.map(Clock.currentTimeMillis, (nowMs) => Math.round(nowMs / 1000))
const look = (name: string) => Steps.step(name, { success: Schema.Int, error: Schema.Never }, second)

/** Looks at the clock after each pause, as a flow that asks for the status of an order does. */
const Patient = Flow.make({
  name: "Patient",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.Array(Schema.Int),
  error: Schema.Never,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* () {
    const times: Array<number> = [yield* look("start")]
    for (const seconds of [2, 3, 5]) {
      yield* Steps.sleep(`pause ${seconds}`, `${seconds} seconds`)
      times.push(yield* look(`after ${seconds}`))
    }
    yield* Steps.awaitSignal("news", { key: "none", timeout: "2 seconds" })
    times.push(yield* look("after news"))
    return times
  })
})

/** Parts at once: two wait for long, and the others have something to do meanwhile. */
const Parallel = Flow.make({
  name: "Parallel",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.Array(Schema.Int),
  error: Schema.Never,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* () {
    const news = Steps.awaitSignal("news", { key: "none", timeout: "15 seconds" })
    const long = Steps.sleep("long", "20 seconds")
    const busy = Effect.forEach([1, 2, 3], (at) => look(`busy ${at}`))
    const pausing = Effect.forEach([1, 2, 3], (at) =>
      Effect.andThen(Steps.sleep(`pause ${at}`, "2 seconds"), look(`paused ${at}`))
    )
    const [, , one, two] = yield* Effect.all([news, long, busy, pausing], { concurrency: "unbounded" })
    return [...one, ...two, yield* look("end")]
  })
})

const opened = {
  memory: engines.memory,
  file: engines.file,
  /** With the settings that a merchant has who sets none. */
  cluster: (path: string) => Layer.provide(Cluster.layer(), runner(path, {}))
}

/** Returns the seconds from the start of the flow at which it has been at its steps, and at which its caller has the result. */
const timesOf = Effect.fnUntraced(function* (flow: typeof Patient | typeof Parallel) {
  const startS = yield* second
  const times = yield* flow.execute({ id: "1" })
  return [...times, yield* second].map((atS) => atS - startS)
})

describe.each(["memory", "file", "cluster"] as const)("a flow on the engine of %s", (name) => {
  const flows = Layer.merge(Patient.layer, Parallel.layer)
  const inTime = <A, E>(program: Effect.Effect<A, E, FlowEngine>) =>
    Effect.flatMap(temporaryFile, (path) =>
      VirtualTime.make({ patience: 100 }).run(
        Effect.provide(program, Layer.provideMerge(flows, opened[name](path)), { local: true })
      )
    )

  it.live("continues when its pause is over, and its caller when the flow has ended", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* inTime(timesOf(Patient)), [0, 2, 5, 10, 12, 12])
    })
  )

  it.live("goes on in each of its parts while others wait", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* inTime(timesOf(Parallel)), [0, 0, 0, 2, 4, 6, 20, 20])
    })
  )
})
