/**
 * A durable flow with one step that has an effect outside: it writes a line into a file. Arguments: database, file of lines, identity of
 * the flow, origin of the file (or `-`), and what the process does at the end: `end`, `kill` by itself, `exit` without closing the file, or `stay` until it is
 * killed.
 * Prints the outcome, or why the file is not opened.
 */
import { appendFileSync } from "node:fs"
import { Console, Effect, Layer, Logger, Schema } from "effect"
import * as Durable from "../../../src/durable/Durable.ts"
import * as Flow from "../../../src/engine/Flow.ts"
import * as Steps from "../../../src/engine/Steps.ts"

const [, , path = "", book = "", id = "", origin = "-", end = "end"] = process.argv

/** Writes the line, and whether an earlier run may have done it already. */
const Pay = Flow.make({
  name: "Pay",
  summary: "For this test.",
  payload: Schema.Struct({ id: Schema.String }),
  success: Schema.String,
  error: Schema.Never,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ id }) {
    const isResumed = yield* Flow.IsResumed
    const line = `${id} ${isResumed ? "status first" : "sent"}`
    const write = Effect.sync(() => appendFileSync(book, `${line}\n`))
    return yield* Steps.step("pay", { success: Schema.String, error: Schema.Never }, Effect.as(write, line))
  })
})

const main = Effect.gen(function* () {
  yield* Console.log(yield* Pay.execute({ id }))
  if (end === "kill") process.kill(process.pid, "SIGKILL")
  if (end === "stay") yield* Effect.sleep("1 day")
  if (end === "exit") process.exit(0)
})

const options = origin === "moved" || origin === "restored" ? ({ path, origin } as const) : { path }

main.pipe(
  Effect.provide(Layer.merge(Pay.layer.pipe(Layer.provideMerge(Durable.layer({ ...options }))), Logger.layer([]))),
  Effect.catch((error) => Console.log(`${error._tag}: ${error.message}`)),
  Effect.runFork
)
