/** The check of deadlines reports late requests and holds that were not released. */
import * as Settings from "@pay/gateway/Settings"
import { assert, describe, it } from "vitest"
import * as Timeliness from "./Timeliness.ts"

const { resubmitWithinMs } = Settings.defaults
const minuteMs = 60_000
const dayMs = 86_400_000

describe("the check of the time at which a request reaches the bank", () => {
  it.each([
    ["accepts one that arrives at once", false, 0, 0],
    ["accepts one that arrives in its last minute", false, resubmitWithinMs + 2 * minuteMs, 0],
    ["reports one that arrives after its deadline", false, resubmitWithinMs + 3 * minuteMs, 1],
    ["accepts one that arrives late after an authentication", true, 2 * resubmitWithinMs + 2 * minuteMs, 0],
    ["reports one that arrives after its security code should be erased", true, 2 * resubmitWithinMs + 3 * minuteMs, 1]
  ])("%s", (_, isAuthenticated, bookedAtMs, count) => {
    const requests = [{ orderId: "1", sequence: 2, acceptedAtMs: 0, isAuthenticated }]
    assert.lengthOf(Timeliness.late([{ reference: "1-sale-2", bookedAtMs }], requests), count)
  })
})

const hold = {
  orderId: "1",
  kind: "preauth",
  state: "authorized",
  authorizedMinor: 10,
  capturedMinor: 0,
  holdUntilMs: 0
} as const

describe("the check of holds", () => {
  it.each([
    ["accepts a hold that has not expired", hold, dayMs, false, 0],
    ["reports an expired hold", hold, 2 * dayMs, false, 1],
    ["accepts an expired hold whose release the bank refused", hold, 2 * dayMs, true, 0],
    ["accepts an expired hold that was captured", { ...hold, capturedMinor: 10 }, 2 * dayMs, false, 0],
    ["accepts an expired hold that was voided", { ...hold, state: "voided" }, 2 * dayMs, false, 0]
  ] as const)("%s", (_, order, nowMs, isReported, result) => {
    assert.lengthOf(
      Timeliness.unreleased([order], nowMs, () => isReported),
      result
    )
  })
})
