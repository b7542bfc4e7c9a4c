/** Answers of bank or rail after the deadline of their request. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as Decision from "../../src/kernel/Decision.ts"
import type * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import * as LateAnswer from "../../src/orders/outcomes/LateAnswer.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { approved, creation, declined, order, runJob } from "./TestCounterparty.ts"

const limits = { deadlineMs: 1_000, longestProcessingMs: 5_000 }

describe("the answer to a request to bank or rail", () => {
  const answeredAfter = (ms: number) =>
    Effect.gen(function* () {
      const late: Array<string> = []
      const callWithDeadline = yield* LateAnswer.make
      const call = yield* Effect.forkChild(
        callWithDeadline(Effect.as(Effect.sleep(ms), approved), limits, ({ _tag }) =>
          Effect.sync(() => void late.push(_tag))
        )
      )
      yield* TestClock.adjust(limits.deadlineMs)
      const { _tag } = yield* Fiber.join(call)
      yield* TestClock.adjust("1 hour")
      return [_tag, ...late]
    })

  it.effect.each([
    ["counts before the deadline", 999, ["Approved"]],
    ["is passed on as a late answer after the deadline", 1_001, ["Lost", "Approved"]],
    ["is passed on as late until a second sending may be answered", 10_999, ["Lost", "Approved"]],
    ["is given up after that", 11_001, ["Lost", "Lost"]]
  ] as const)("%s", ([, ms, expected]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* answeredAfter(ms), [...expected])
    })
  )

  it.effect("is not awaited if its adapter is interrupted", () =>
    Effect.gen(function* () {
      const callWithDeadline = yield* LateAnswer.make
      const exit = yield* Effect.exit(callWithDeadline(Effect.interrupt, limits, () => Effect.void))
      assert.isTrue(Exit.hasInterrupts(exit))
    })
  )
})

describe("a late answer", () => {
  const over = (progress: "approved" | "declined", state: Order["state"]) => [
    Decision.put(Order, { ...order, version: 9, state }),
    Decision.put(OrderRequest, { ...creation, progress, finishedAtMs: 1 })
  ]
  const cases: ReadonlyArray<
    readonly [string, Inquiry.Answer, ReadonlyArray<Decision.Write>, number, ReadonlyArray<string>]
  > = [
    [
      "opens a task if it approves a declined request",
      approved,
      over("declined", "declined"),
      1,
      ["bank approved declined open"]
    ],
    [
      "opens a task if it declines an approved request",
      declined,
      over("approved", "settled"),
      1,
      ["bank declined settled open"]
    ],
    ["is stored if it confirms the outcome", approved, over("approved", "settled"), 1, []],
    ["is stored if its request is still open", approved, [], 1, []],
    [
      "is stored if it cannot be read",
      { _tag: "Lost", reason: "code: Expected a whole number", answer: '{"code":0}' },
      over("declined", "declined"),
      1,
      []
    ],
    ["is not stored if it is lost", { _tag: "Lost" }, over("declined", "declined"), 0, []]
  ]
  it.effect.each(cases)("%s", ([, answer, rows, evidence, tasks]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ sent: { _tag: "Lost" }, late: { answer, rows } })
      assert.deepStrictEqual([done.evidence.length, done.tasks], [evidence, [...tasks]])
      assert.strictEqual(done.recording.wakes, tasks.length)
    })
  )
})
