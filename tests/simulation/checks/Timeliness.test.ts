/** The check of what has its time sees what it must. */
import * as Settings from "@pay/gateway/Settings"
import { assert, describe, it } from "vitest"
import * as Timeliness from "./Timeliness.ts"

const { resubmitWithinMs } = Settings.defaults
const minuteMs = 60_000
const dayMs = 86_400_000

describe("a request that reaches the bank", () => {
  it.each([
    ["at once", false, 0, 0],
    ["in its last minute", false, resubmitWithinMs + 2 * minuteMs, 0],
    ["when nobody expects it any more", false, resubmitWithinMs + 3 * minuteMs, 1],
    ["after its customer was authenticated", true, 2 * resubmitWithinMs + 2 * minuteMs, 0],
    ["when its security code should be forgotten", true, 2 * resubmitWithinMs + 3 * minuteMs, 1]
  ])("%s", (_, isAuthenticated, bookedAtMs, count) => {
    const requests = [{ orderId: "1", sequence: 2, acceptedAtMs: 0, isAuthenticated }]
    assert.lengthOf(Timeliness.late([{ reference: "1-sale-2", bookedAtMs }], requests), count)
  })
})

const hold = {
  orderId: "1",
  kind: "preauth",
  state: "authorized",
  released: 0,
  authorizedMinor: 10,
  capturedMinor: 0,
  holdUntilMs: 0
} as const

describe("a hold", () => {
  it.each([
    ["whose time is not over", hold, dayMs, false, 0],
    ["whose time is over", hold, 2 * dayMs, false, 1],
    ["whose release the bank has refused", hold, 2 * dayMs, true, 0],
    ["that was captured", { ...hold, capturedMinor: 10 }, 2 * dayMs, false, 0],
    ["that was released", { ...hold, released: 1 }, 2 * dayMs, false, 0]
  ] as const)("%s", (_, order, nowMs, isTried, result) => {
    assert.lengthOf(
      Timeliness.forgotten([order], nowMs, () => isTried),
      result
    )
  })
})
