/**
 * A durable flow of a few steps, each of which writes a line into a file, in a process that kills itself at a given line.
 * Arguments: database, file of lines, the line at which it ends, and when: `before` the line is written or `after` it.
 * Prints `started` once the flow is started, and its outcome at its end.
 */
import { appendFileSync } from "node:fs"
import { Console, Effect, Layer, Logger, Schema } from "effect"
import * as Durable from "../../../src/durable/Durable.ts"
import * as Flow from "../../../src/engine/Flow.ts"
import * as Steps from "../../../src/engine/Steps.ts"

const [, , path = "", book = "", killAt = "0", when = ""] = process.argv
let written = 0

const die = Effect.sync(() => process.kill(process.pid, "SIGKILL"))

const walk = (name: string) =>
  Steps.step(
    name,
    { success: Schema.String, error: Schema.Never },
    Effect.gen(function* () {
      written += 1
      if (written === Number(killAt) && when === "before") yield* die
      yield* Effect.sync(() => appendFileSync(book, `${name}\n`))
      if (written === Number(killAt) && when === "after") yield* die
      return name
    })
  )

export const Walk = Flow.make({
  name: "Walk",
  summary: "For this test.",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.Array(Schema.String),
  error: Schema.Never,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* () {
    const first = yield* walk("first")
    yield* Steps.sleep("a moment", "5 millis")
    const second = yield* walk("second")
    yield* Steps.awaitSignal("a word", { key: "nobody says it", timeout: "5 millis" })
    return [first, second, yield* walk("third")]
  })
})

const main = Effect.gen(function* () {
  yield* Walk.start({ id: "1" })
  yield* Console.log("started")
  const flowStatus = yield* Walk.ended("1")
  yield* Console.log(flowStatus._tag === "Succeeded" ? flowStatus.value.join(" ") : flowStatus._tag)
})

if (import.meta.main) {
  main.pipe(
    Effect.provide(Layer.merge(Walk.layer.pipe(Layer.provideMerge(Durable.layer({ path }))), Logger.layer([]))),
    Effect.runFork
  )
}
