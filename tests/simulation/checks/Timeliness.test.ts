/** The check of deadlines reports late requests, holds that were not released, and what was done days before its time. */
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

describe("the check of what a date alone causes", () => {
  const holds = [{ orderId: "1", holdUntilMs: 40 * dayMs }]
  const lapses = [{ orderId: "1", operation: "LAPSE", sequence: 2 }]
  const occurrences = [{ orderId: "3", day: "1970-02-10" }]
  it.each([
    ["accepts the release of a hold at its end", "1-void-2", 40 * dayMs, 0],
    ["reports the release of a hold days before its end", "1-void-2", 37 * dayMs, 1],
    ["accepts a release that the merchant requested", "1-void-3", 5 * dayMs, 0],
    ["accepts a charge on its day", "3-sale-1", 40 * dayMs, 0],
    ["reports a charge days before its day", "3-sale-1", 10 * dayMs, 1],
    ["accepts a sale", "4-sale-1", 0, 0]
  ])("%s", (_, reference, bookedAtMs, count) =>
    assert.lengthOf(Timeliness.early([{ reference, bookedAtMs }], holds, lapses, occurrences), count)
  )
})
