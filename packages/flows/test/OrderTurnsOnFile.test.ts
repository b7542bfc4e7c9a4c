/** Turns of actions on one order that survive their process, at a gateway without `Idempotency-Key`. */
import { copyFileSync, existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import * as Flow from "../src/engine/Flow.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import { Refund } from "../src/payments/OrderAction.ts"
import * as KeylessGateway from "./KeylessGateway.ts"
import { alone, atOnce, onFile, order, refund, slowGateway, two } from "./TurnEngines.ts"

describe("an action on an order, on a file", () => {
  const keyOf = (name: string) => Flow.identityOf("o-1", name)

  it.effect("is listed with what it waits for while the one before it is stuck, and continues after that one", () =>
    Effect.gen(function* () {
      let isBroken = true
      const gateway = KeylessGateway.make({
        order: "sale",
        onAction: () => (isBroken ? Effect.die(new Error("a defect")) : Effect.void)
      })
      const program = Effect.gen(function* () {
        const { list, settled } = yield* FlowEngine
        yield* Refund.start(Refund.of(order, { name: "a", amount: "5.00" }))
        assert.deepStrictEqual(yield* Refund.ended(keyOf("a")), { _tag: "Stuck", on: "a defect" })
        isBroken = false
        yield* Refund.start(Refund.of(order, { name: "b", amount: "5.00" }))
        yield* settled
        const [waiting] = yield* list({ state: "waiting", limit: 1 })
        assert.strictEqual(waiting?.waits[0]?.name, "return turn 1, after Refund@shop@localhost/o-1/a")
        assert.strictEqual((yield* Refund.poll(keyOf("b")))._tag, "Waiting")
        assert.deepInclude(yield* Effect.flip(refund("b", "5.00")), { _tag: "Unreachable", code: "ORDER_BUSY" })
        assert.deepStrictEqual(gateway.books, ["return 5.00"])
        const next = yield* Effect.forkChild(refund("b", "5.00"))
        yield* Refund.resume(keyOf("a"))
        yield* Refund.ended(keyOf("a"))
        yield* Fiber.join(next)
        return [(yield* Refund.poll(keyOf("a")))._tag]
      })
      const path = yield* temporaryFile
      assert.deepStrictEqual(yield* onFile(path)(Effect.orDie(program), { client: gateway.client, settings: alone }), [
        "Succeeded"
      ])
      assert.deepStrictEqual(gateway.books, ["return 5.00", "return 5.00"])
    })
  )

  it.effect("leaves nothing open if it is interrupted while it waits", () =>
    Effect.gen(function* () {
      const { answer, gateway, isActing } = slowGateway({ order: "sale", profile: {} })
      const program = Effect.gen(function* () {
        const first = yield* Effect.forkChild(atOnce(refund("a", "5.00")))
        yield* isActing
        yield* Refund.start(Refund.of(order, { name: "b", amount: "1.00" }))
        yield* Effect.sleep("1 second")
        const third = yield* Effect.forkChild(atOnce(refund("c", "3.00")), { startImmediately: true })
        yield* Refund.interrupt(keyOf("b"))
        yield* Refund.ended(keyOf("b"))
        yield* answer
        return [...(yield* Fiber.join(first)), ...(yield* Fiber.join(third))]
      })
      const path = yield* temporaryFile
      const ends = yield* onFile(path)(Effect.orDie(program), { client: gateway.client })
      assert.deepStrictEqual(
        [ends, gateway.books],
        [
          ["approved", "approved"],
          ["return 5.00", "return 3.00"]
        ]
      )
    })
  )

  it.effect("continues after one that was stuck and is interrupted", () =>
    Effect.gen(function* () {
      let isBroken = true
      const gateway = KeylessGateway.make({
        order: "sale",
        onAction: () => (isBroken ? Effect.die(new Error("a defect")) : Effect.void)
      })
      const program = Effect.gen(function* () {
        yield* Refund.start(Refund.of(order, { name: "a", amount: "5.00" }))
        yield* Refund.ended(keyOf("a"))
        isBroken = false
        const next = yield* Effect.forkChild(atOnce(refund("b", "3.00")), { startImmediately: true })
        yield* Effect.sleep("1 second")
        yield* Refund.interrupt(keyOf("a"))
        return [...(yield* Fiber.join(next)), ...(yield* atOnce(refund("a", "5.00")))]
      })
      const path = yield* temporaryFile
      const ends = yield* onFile(path)(Effect.orDie(program), { client: gateway.client })
      assert.deepStrictEqual(
        [ends, gateway.books],
        [
          ["approved", "NeedsAPerson"],
          ["return 5.00", "return 3.00"]
        ]
      )
    })
  )

  /** The process ends while the first refund has no answer and the second one waits. The next process continues both. */
  const restarted = (how: "closed" | "killed", settings: object) =>
    Effect.gen(function* () {
      const [path, copy] = [yield* temporaryFile, yield* temporaryFile]
      const { gateway, isActing } = slowGateway({ order: "sale" })
      const first = Effect.gen(function* () {
        yield* Effect.forkChild(atOnce(...two))
        yield* isActing
        yield* Effect.sleep("1 second")
        for (const part of ["", "-wal", ".witness"]) if (existsSync(path + part)) copyFileSync(path + part, copy + part)
      })
      yield* onFile(path)(first, { client: gateway.client, settings })
      const second = Effect.map(Effect.all([Refund.ended(keyOf("a")), Refund.ended(keyOf("b"))]), (ends) =>
        ends.map((end) => (end._tag === "Failed" ? end.error._tag : end._tag))
      )
      const next = how === "closed" ? onFile(path) : onFile(copy, { origin: "moved" })
      const ends = yield* next(Effect.orDie(second), { client: gateway.client, settings })
      return { ends, books: gateway.books }
    })
  const books = ["return 5.00", "return 5.00"]
  for (const how of ["closed", "killed"] as const) {
    it.effect(`keeps its turn while its process is ${how} and started again`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* restarted(how, alone), { ends: ["Succeeded", "Succeeded"], books })
        assert.deepStrictEqual(yield* restarted(how, {}), { ends: ["NeedsAPerson", "Succeeded"], books })
      })
    )
  }
})
