/** Answers that the order does not follow and that a person gets as a task: no way is left to learn one, or it approves a part. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ScriptedServices from "./ScriptedServices.ts"
import { approved, creation, declined, order, resumed, runJob } from "./TestCounterparty.ts"

const unanswered = {
  order: { ...order, state: "unknown" },
  request: { ...creation, progress: "unknown" },
  job: resumed
} as const

describe("a request of which only a person can learn the outcome", () => {
  const noWayLeft = { _tag: "NoWayLeft" } as const
  const [open, closed] = ["open", "closed"].map((state) => [`bank unknown unknown ${state}`])
  it.effect.each([
    ["opens a task", [noWayLeft], open, 1, 1],
    ["opens one task, however often its job looks again", [noWayLeft, noWayLeft, noWayLeft], open, 1, 1],
    ["closes its task when it is approved after all", [noWayLeft, approved], closed, 1, 1],
    ["closes its task when it is declined after all", [noWayLeft, declined], closed, 1, 1],
    ["has no task while its bank can still say it", [{ _tag: "CannotSay" }], [], 0, 0]
  ] as const)("%s", ([, [inquired, ...further], tasks, evidence, wakes]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ ...unanswered, inquired, further })
      assert.deepStrictEqual(done.tasks, tasks)
      assert.lengthOf(done.evidence, evidence)
      assert.strictEqual(done.recording.wakes, wakes)
    })
  )
})

describe("an approval of a part of the amount", () => {
  const part = { ...approved, amountMinor: 6_000 }
  const reverse = ScriptedServices.endpoint({ unexpectedApproval: "reverse" })
  it.effect.each([
    ["declines the payment, and is a task", { sent: part }, ["bank approved authorizing open"]],
    [
      "is returned on an endpoint that is set so",
      { sent: part, endpoint: reverse },
      ["bank approved authorizing reversing"]
    ],
    [
      "ends the task about an unknown outcome",
      { ...unanswered, inquired: { _tag: "NoWayLeft" }, further: [part] },
      ["bank approved unknown open", "bank unknown unknown closed"]
    ]
  ] as const)("%s", ([, setup, tasks]) =>
    Effect.gen(function* () {
      const done = yield* runJob(setup)
      assert.deepStrictEqual([done.state, done.progress], ["declined", "declined"])
      assert.deepStrictEqual(done.tasks, [...tasks])
    })
  )
})
