/** What the gateway logs and keeps of what went wrong: by our own numbers, at a level that can be set. */
import { assert, describe, it } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Layer, Logger } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

/** A gateway whose lines are kept: `LEVEL message {annotations}`. */
const overheard = Effect.fnUntraced(function* (
  logLevel: "debug" | "info" | "warning",
  play: Effect.Effect<unknown, unknown, Layer.Success<ReturnType<typeof TestGateway.layer>>>
) {
  const lines: Array<string> = []
  const logger = Logger.make((options) => {
    lines.push(Logger.formatJson.log(options))
  })
  yield* Effect.provide(play, TestGateway.layer({ logLevel }).pipe(Layer.provide(Logger.layer([logger]))), {
    local: true
  })
  return lines
})

const lost = Effect.gen(function* () {
  const { next } = yield* SandboxControl
  yield* next("authorize", { delivery: { _tag: "AnswerLost" } })
  return yield* TestMerchant.order("SALE")
})

describe("the log", () => {
  const cases: ReadonlyArray<
    readonly [what: string, play: Parameters<typeof overheard>[1], level: string, words: ReadonlyArray<string>]
  > = [
    ["a lost answer, with the bank's error", lost, "WARN", ["gave no answer", "-sale-0", "answer was lost"]],
    ["a decline", TestMerchant.order("SALE", { cvv2: "116" }), "INFO", ["declined", "orderId", '"code":116']],
    [
      "a refused request",
      TestMerchant.create("SALE", { client_orderid: "refused-1", currency: "XYZ" }),
      "INFO",
      ["was refused", '"operation":"SALE"', "refused-1"]
    ],
    [
      "a callback that was not accepted",
      TestMerchant.order("SALE", { server_callback_url: "http://127.0.0.1:1/nobody" }),
      "INFO",
      ["was not accepted", "eventId", "orderId"]
    ],
    ["the stop of the gateway", Effect.void, "INFO", ["has stopped"]]
  ]
  it.live.each(cases)("contains %s", ([, play, level, words]) =>
    Effect.gen(function* () {
      const lines = yield* overheard("info", play)
      const matches = lines.filter((line) => words.every((word) => line.includes(word)))
      assert.lengthOf(matches, 1, lines.join("\n"))
      assert.include(matches[0], `"level":"${level}"`)
      const quiet = yield* overheard("warning", play)
      const still = quiet.filter((line) => words.every((word) => line.includes(word)))
      assert.lengthOf(still, level === "INFO" ? 0 : 1)
    })
  )

  it.live("contains unauthenticated requests only at debug level", () =>
    Effect.gen(function* () {
      const forged = TestMerchant.create("SALE", {}, { change: (fields) => ({ ...fields, control: "0".repeat(40) }) })
      const refused = (lines: ReadonlyArray<string>) => lines.filter((line) => line.includes("was refused")).length
      assert.strictEqual(refused(yield* overheard("info", forged)), 0)
      assert.strictEqual(refused(yield* overheard("debug", forged)), 1)
    })
  )
})

describe("an operator's view of an order", () => {
  it.live("shows as evidence why the bank gave no answer", () =>
    Effect.gen(function* () {
      const { orderid } = yield* lost
      const { body } = yield* ask("GET", `/operator/orders/${orderid}`)
      assert(Array.isArray(body.evidence))
      assert.strictEqual(body.evidence.length, 1)
      assert.deepInclude(body.evidence[0], {
        reference: `${orderid}-sale-0`,
        answer: JSON.stringify({ _tag: "Lost", reason: "The simulated bank's answer was lost" })
      })
      yield* TestMerchant.pass("1 minute")
      yield* TestMerchant.assertClean
    }).pipe(Effect.provide(TestGateway.layer()))
  )
})
