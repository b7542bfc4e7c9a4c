/** The check of what still moves without a reason reports what it must. */
import { assert, it } from "vitest"
import * as Liveness from "./Liveness.ts"

const request = { requestId: "2", orderId: "1", operation: "SALE", action: "sale", acceptedAtMs: 0 } as const

it.each([
  ["is final", { ...request, progress: "approved" }, [], false, ""],
  ["moves and waits for an approver", { ...request, progress: "moving" }, [], true, ""],
  ["moves and waits for nobody", { ...request, progress: "moving" }, ["1"], false, "still moves, and waits for nobody"],
  ["is unknown and shown", { ...request, progress: "unknown" }, ["1"], false, ""],
  ["is unknown and not shown", { ...request, progress: "unknown" }, [], false, "is unknown, and no operator sees it"],
  ["is an attempt of a shown order", { ...request, operation: "FORM_ATTEMPT", progress: "moving" }, ["1"], false, ""],
  [
    "is an attempt of an order that is not shown",
    { ...request, operation: "FORM_ATTEMPT", progress: "moving" },
    [],
    false,
    "still moves, and waits for nobody"
  ]
] as const)("what %s", (_, row, displayed, isWaiting, problem) => {
  const problems = Liveness.unattended([row], new Set(displayed), () => isWaiting)
  assert.strictEqual(problems.length, problem === "" ? 0 : 1)
  assert.include(problems.join(), problem)
})
