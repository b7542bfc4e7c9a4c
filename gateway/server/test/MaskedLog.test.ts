import { assert, it } from "@effect/vitest"
import { Cause, Data, Effect, Logger } from "effect"
import * as MaskedLog from "../src/MaskedLog.ts"

class Unavailable extends Data.TaggedError("Unavailable")<{ readonly message: string; readonly cause: unknown }> {}

const number = "4444555566661111"
const error = new Error(`card ${number} 12/35 refused`)

const logs: ReadonlyArray<readonly [what: string, log: Effect.Effect<void>]> = [
  ["a message", Effect.logInfo(`paid by ${number}`)],
  ["an error beside a message", Effect.logWarning("The store cannot be read", error)],
  ["a tagged error with a cause", Effect.logError("It failed", new Unavailable({ message: number, cause: error }))],
  ["a cause", Effect.logError("A defect", Cause.die(error))],
  ["a value with members", Effect.logInfo({ list: [{ text: `4444 5555 6666 1111` }] })],
  ["an annotation", Effect.annotateLogs(Effect.logInfo("x"), { reason: `no ${number}` })]
]

const linesOf = Effect.fnUntraced(function* (log: Effect.Effect<void>) {
  const lines: Array<string> = []
  const logger = Logger.map(MaskedLog.json(), (line) => void lines.push(line))
  yield* Effect.provide(log, Logger.layer([logger]))
  return lines.join("")
})

it.effect.each(logs)("a log line has no card number in %s", ([, log]) =>
  Effect.map(linesOf(log), (line) => {
    assert.include(line, "[number]")
    assert.notMatch(line, /4444.?5555/)
  })
)

it.effect("a log line has its identifiers, numbers and times as they are", () =>
  Effect.map(
    linesOf(Effect.annotateLogs(Effect.logInfo("accepted"), { orderId: "4539982641703575009", amountMinor: 4444 })),
    (line) => {
      assert.include(line, '"order_id":"4539982641703575009"')
      assert.include(line, '"amount_minor":4444')
    }
  )
)
