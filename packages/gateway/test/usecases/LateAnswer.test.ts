/** What bank or rail answers when nobody waits for it any more. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../../src/kernel/Decision.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import type * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as LateAnswer from "../../src/orders/outcomes/LateAnswer.ts"
import { approved, carryOut, creation, declined, order } from "./TestCounterparty.ts"

const limits = { deadlineMs: 1_000, longestProcessingMs: 5_000 }

describe("a question to bank or rail", () => {
  const answeredAfter = (ms: number) =>
    Effect.gen(function* () {
      const late: Array<string> = []
      const listening = yield* LateAnswer.make(limits)
      const asking = yield* Effect.forkChild(
        listening(Effect.as(Effect.sleep(ms), approved), ({ _tag }) => Effect.sync(() => void late.push(_tag)))
      )
      yield* TestClock.adjust(limits.deadlineMs)
      const { _tag } = yield* Fiber.join(asking)
      yield* TestClock.adjust("1 hour")
      return [_tag, ...late]
    })

  it.effect.each([
    ["is answered in time", 999, ["Approved"]],
    ["is answered late", 1_001, ["Lost", "Approved"]],
    ["is answered when the one that was sent again is", 10_999, ["Lost", "Approved"]],
    ["is not listened to for ever", 11_001, ["Lost", "Lost"]]
  ] as const)("%s", ([, ms, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* answeredAfter(ms), [...expected])
    })
  )

  it.effect("is over where its adapter is interrupted", () =>
    Effect.gen(function* () {
      const listening = yield* LateAnswer.make(limits)
      const exit = yield* Effect.exit(listening(Effect.interrupt, () => Effect.void))
      assert.isTrue(Exit.hasInterrupts(exit))
    })
  )
})

describe("an answer that comes late", () => {
  const over = (progress: "approved" | "declined", state: Order["state"]) => [
    Decision.put(Order, { ...order, version: 9, state }),
    Decision.put(OrderRequest, { ...creation, progress, finishedAtMs: 1 })
  ]
  const cases: ReadonlyArray<
    readonly [string, Inquiry.Answer, ReadonlyArray<Decision.Write>, number, ReadonlyArray<string>]
  > = [
    [
      "is a task, where it approves what was declined",
      approved,
      over("declined", "declined"),
      1,
      ["bank approved declined open"]
    ],
    [
      "is a task, where it declines what was approved",
      declined,
      over("approved", "settled"),
      1,
      ["bank declined settled open"]
    ],
    ["is evidence, where it says the same", approved, over("approved", "settled"), 1, []],
    ["is evidence, where its request is still asked for", approved, [], 1, []],
    ["is nothing, where it says nothing", { _tag: "Lost" }, over("declined", "declined"), 0, []]
  ]
  it.effect.each(cases)("%s", ([, answer, rows, evidence, tasks]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ sent: { _tag: "Lost" }, late: { answer, rows } })
      assert.deepStrictEqual([done.evidence.length, done.tasks], [evidence, [...tasks]])
      assert.strictEqual(done.did.wakes, tasks.length)
    })
  )
})
