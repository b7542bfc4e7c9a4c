/** The check of liveness reports requests that are open for no reason. */
import { assert, describe, it } from "vitest"
import * as Liveness from "./Liveness.ts"

const request = { requestId: "2", orderId: "1", operation: "SALE", action: "sale", acceptedAtMs: 0 } as const

describe("the check of liveness", () => {
  it.each([
    ["accepts a final request", { ...request, progress: "approved" }, [], false, ""],
    ["accepts a moving request that waits for an approver", { ...request, progress: "processing" }, [], true, ""],
    [
      "reports a moving request that waits for no one",
      { ...request, progress: "processing" },
      ["1"],
      false,
      "still moves, and waits for no one"
    ],
    ["accepts an unknown request that operators see", { ...request, progress: "unknown" }, ["1"], false, ""],
    [
      "reports an unknown request that operators do not see",
      { ...request, progress: "unknown" },
      [],
      false,
      "is unknown, and no operator sees it"
    ],
    [
      "accepts an attempt of an order that operators see",
      { ...request, operation: "HOSTED_ATTEMPT", progress: "processing" },
      ["1"],
      false,
      ""
    ],
    [
      "reports an attempt of an order that operators do not see",
      { ...request, operation: "HOSTED_ATTEMPT", progress: "processing" },
      [],
      false,
      "still moves, and waits for no one"
    ]
  ] as const)("%s", (_, row, displayed, isWaiting, problem) => {
    const problems = Liveness.unattended([row], new Set(displayed), () => isWaiting)
    assert.strictEqual(problems.length, problem === "" ? 0 : 1)
    assert.include(problems.join(), problem)
  })
})
