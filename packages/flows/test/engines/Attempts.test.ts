/** Each engine begins another attempt after an error that allows it, and no other. */
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { Charge, type End, kinds, Pair, plan, requests } from "./Charge.ts"
import { fork, id, idsOf, onEachEngine, type Program, signal, tagOf, until, waiting } from "./Contract.ts"

/** How the attempts before end, how the last one begins, and what happened in the world. */
const attempts: ReadonlyArray<readonly [ends: ReadonlyArray<End>, requests: string]> = [
  [["unknown"], "send look"],
  [["unreachable"], "send send"],
  [["never happened"], "send send"],
  [["limited"], "send send"],
  [["refused"], "send send"],
  [["unknown", "unreachable"], "send look look"],
  [["unknown", "limited"], "send look look"],
  [["unknown", "never happened"], "send look send"]
]

const rows: Record<string, Program> = {
  "begins one next attempt for ten concurrent calls after an error that is retryable": Effect.gen(function* () {
    yield* plan("unknown")
    yield* signal
    assert.strictEqual(yield* tagOf(Charge.execute(waiting)), "StillUnknown")
    const calls = yield* fork(
      Effect.all(
        Array.from({ length: 10 }, () => Charge.execute(waiting)),
        { concurrency: 10 }
      )
    )
    yield* until("Waiting")
    assert.deepStrictEqual(yield* idsOf("waiting"), [`Charge#2/${id}`])
    yield* signal
    assert.deepStrictEqual([...new Set(yield* Fiber.join(calls))], ["good"])
    const [first = "", second, ...others] = yield* requests
    assert.deepStrictEqual([second, ...others], [first.replace("send", "look")])
  }),

  "keeps a decline for ever, and another payload is refused": Effect.gen(function* () {
    yield* plan("declined")
    for (let call = 0; call < 3; call += 1) assert.strictEqual(yield* tagOf(Charge.execute({ id })), "Declined")
    assert.strictEqual(yield* tagOf(Charge.execute({ id, amount: "2.00" })), "PayloadDiffers")
    assert.strictEqual(yield* kinds, "send")
  }),

  "takes a corrected payload after a refusal, and not after another error": Effect.gen(function* () {
    yield* plan("refused", "unknown")
    assert.strictEqual(yield* tagOf(Charge.execute({ id })), "NotAccepted")
    assert.strictEqual(yield* tagOf(Charge.execute({ id, amount: "2.00" })), "StillUnknown")
    assert.strictEqual(yield* tagOf(Charge.execute({ id, amount: "3.00" })), "PayloadDiffers")
    assert.strictEqual(yield* Charge.execute({ id, amount: "2.00" }), "done")
    assert.strictEqual(yield* kinds, "send send look")
  }),

  "tries the part again that failed, and finds what the other part has done": Effect.gen(function* () {
    yield* plan("done", "unreachable")
    assert.strictEqual(yield* tagOf(Pair.execute({ id })), "Unreachable")
    assert.strictEqual(yield* Pair.execute({ id }), "done, done")
    assert.strictEqual(yield* kinds, "send send look send")
  }),

  "takes no corrected payload after the refusal of a part if another part has done something": Effect.gen(function* () {
    yield* plan("done", "refused")
    assert.strictEqual(yield* tagOf(Pair.execute({ id })), "NotAccepted")
    assert.strictEqual(yield* tagOf(Pair.execute({ id, amount: "2.00" })), "PayloadDiffers")
    assert.strictEqual(yield* kinds, "send send")
  }),

  "gives the next attempt a signal that came after the end of the one that had listened": Effect.gen(function* () {
    yield* Charge.start(waiting)
    yield* until("Waiting")
    yield* Charge.interrupt(id)
    yield* until("Interrupted")
    yield* signal
    assert.strictEqual(yield* Charge.execute(waiting), "good")
  }),

  "begins reopened after an interruption": Effect.gen(function* () {
    yield* Charge.start(waiting)
    yield* until("Waiting")
    yield* Charge.interrupt(id)
    yield* until("Interrupted")
    const next = yield* fork(Charge.execute(waiting))
    yield* until("Waiting")
    assert.deepStrictEqual(yield* idsOf("waiting"), [`Charge#2/${id}`])
    yield* signal
    assert.strictEqual(yield* Fiber.join(next), "good")
    assert.strictEqual(yield* kinds, "look")
  })
}
for (const [ends, expected] of attempts) {
  rows[`after ${ends.join(", ")}: ${expected}`] = Effect.gen(function* () {
    yield* plan(...ends)
    for (const _ of ends) yield* Effect.flip(Charge.execute({ id }))
    assert.strictEqual(yield* Charge.execute({ id }), "done")
    assert.strictEqual(yield* kinds, expected)
    const [first = "", ...others] = yield* requests
    for (const other of others) assert.strictEqual(other.replace(/^\w+/, ""), first.replace(/^\w+/, ""))
  })
}

onEachEngine("attempts", rows)
