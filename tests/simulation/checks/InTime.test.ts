/** The check of what has its time sees what it must. */
import * as Settings from "@pay/gateway/Settings"
import { assert, describe, it } from "vitest"
import * as InTime from "./InTime.ts"

const { resubmitWithinMs } = Settings.defaults
const minuteMs = 60_000
const dayMs = 86_400_000

describe("a request that reaches the bank", () => {
  it.each([
    ["at once", 0, false, 0],
    ["in its last minute", resubmitWithinMs + 2 * minuteMs, false, 0],
    ["when nobody expects it any more", resubmitWithinMs + 3 * minuteMs, false, 1],
    ["when its customer was at the issuer", resubmitWithinMs + 3 * minuteMs, true, 0]
  ])("%s", (_, bookedAtMs, isAuthenticated, found) => {
    const requests = [{ orderId: "1", sequence: 2, acceptedAtMs: 0 }]
    assert.lengthOf(
      InTime.late([{ reference: "1-sale-2", bookedAtMs }], requests, () => isAuthenticated),
      found
    )
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
  ] as const)("%s", (_, order, nowMs, isTried, found) => {
    assert.lengthOf(
      InTime.forgotten([order], nowMs, () => isTried),
      found
    )
  })
})
