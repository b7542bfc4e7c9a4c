/** What a restored copy sends: nothing that the former life may have sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type * as Booking from "../../src/orders/Booking.ts"
import type { Order } from "../../src/orders/Order.ts"
import * as Adoption from "../../src/orders/restored/Adoption.ts"
import { BankBooking } from "../../src/orders/restored/BankBooking.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import {
  approved,
  carryOut,
  creation,
  declined,
  type Given,
  longestProcessingMs,
  order,
  resubmitWithinMs,
  work
} from "./TestCounterparty.ts"
import * as World from "./World.ts"

const { nowMs } = World

describe("on a restored copy", () => {
  const copy = (startedAtMs: number) =>
    Decision.put(Restoration, { name: "latest", restoredAtMs: 1, startedAtMs, lastCommitAtMs: 1, enumeratedAtMs: 1 })
  const long = copy(nowMs - longestProcessingMs)
  const listed = (source: "bank" | "rail") => {
    const booking: Booking.Booking = {
      reference: source === "bank" ? "1-sale-0" : "1-pay-0",
      clientOrderId: undefined,
      merchantId: undefined,
      kind: source === "bank" ? "sale" : "pay",
      amountMinor: 10_000,
      currency: "USD",
      atMs: 1,
      result: "approved"
    }
    return Decision.put(BankBooking, Adoption.rowOf(source, booking, "shop", 1))
  }
  const old = { ...order, createdAtMs: 1 }
  const pay = { order: { ...old, kind: "payout", state: "paying" }, request: { ...creation, action: "pay" } } as const
  const late = { ...creation, acceptedAtMs: nowMs - resubmitWithinMs - 1 }
  const cases: ReadonlyArray<
    readonly [what: string, given: Given, requests: ReadonlyArray<string>, state: Order["state"]]
  > = [
    ["an older order is asked about first", { rows: [long], inquired: declined }, ["inquire"], "declined"],
    ["and sent where the bank does not know it", { rows: [long] }, ["inquire", "send"], "settled"],
    [
      "not before whatever was sent was heard of",
      { rows: [copy(nowMs - longestProcessingMs + 1)] },
      ["inquire"],
      "unknown"
    ],
    [
      "nor where it is too late for that",
      { rows: [long], request: late, item: { ...work, tries: 1 } },
      ["inquire"],
      "unknown"
    ],
    ["a younger order is sent", { rows: [long], order: { ...order, createdAtMs: nowMs } }, ["send"], "settled"],
    ["what the bank has listed is never sent", { rows: [long, listed("bank")] }, ["inquire"], "unknown"],
    [
      "what the bank has listed is never sent, as long as it has not said what it is",
      {
        rows: [long, listed("bank")],
        request: { ...creation, progress: "unknown" },
        item: { ...work, openAttempts: 2, startedAtMs: nowMs - longestProcessingMs }
      },
      ["inquire"],
      "unknown"
    ],
    [
      "what the bank has listed is what it says",
      { rows: [long, listed("bank")], inquired: declined },
      ["inquire"],
      "declined"
    ],
    ["what the rail has listed is never sent", { ...pay, rows: [long, listed("rail")] }, ["inquire"], "uncertain"],
    [
      "what only the bank has listed is no payment of the rail",
      { ...pay, rows: [long, listed("bank")] },
      ["inquire", "send"],
      "paid"
    ],
    [
      "a younger order is sent, whatever is listed",
      { rows: [long, listed("bank")], order: { ...order, createdAtMs: nowMs } },
      ["send"],
      "settled"
    ]
  ]
  it.effect.each(cases)("%s", ([, given, requests, state]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ order: old, sent: approved, ...given })
      assert.deepStrictEqual([done.requests, done.state], [[...requests], state])
    })
  )

  it.effect("that is none, nothing is asked about first", () =>
    Effect.gen(function* () {
      const { requests } = yield* carryOut({ order: old, sent: approved, rows: [listed("bank")] })
      assert.deepStrictEqual(requests, ["send"])
    })
  )
})
