/** Requests after a restore: none is sent that may have been sent before it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type * as Booking from "../../src/orders/Booking.ts"
import type { Order } from "../../src/orders/Order.ts"
import * as Adoption from "../../src/orders/restored/Adoption.ts"
import { BankBooking } from "../../src/orders/restored/BankBooking.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import * as ScriptedServices from "./ScriptedServices.ts"
import {
  approved,
  creation,
  declined,
  longestProcessingMs,
  order,
  resubmitWithinMs,
  runJob,
  type Setup,
  work
} from "./TestCounterparty.ts"

const { nowMs } = ScriptedServices

describe("a request to bank or rail after a restore", () => {
  const copy = (startedAtMs: number) =>
    Decision.put(Restoration, {
      name: "latest",
      version: 1,
      restoredAtMs: 1,
      startedAtMs,
      lastCommitAtMs: 1,
      enumeratedAtMs: 1
    })
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
    readonly [what: string, setup: Setup, requests: ReadonlyArray<string>, state: Order["state"]]
  > = [
    ["causes an inquiry first if its order is older", { rows: [long], inquired: declined }, ["inquire"], "declined"],
    ["is sent if the bank does not know it", { rows: [long] }, ["inquire", "send"], "settled"],
    [
      "is not sent before the longest processing time is over",
      { rows: [copy(nowMs - longestProcessingMs + 1)] },
      ["inquire"],
      "unknown"
    ],
    [
      "is not sent after the time in which it may be sent",
      { rows: [long], request: late, job: { ...work, tries: 1 } },
      ["inquire"],
      "unknown"
    ],
    [
      "is sent without an inquiry if its order is younger",
      { rows: [long], order: { ...order, createdAtMs: nowMs } },
      ["send"],
      "settled"
    ],
    ["is never sent if the bank has listed it", { rows: [long, listed("bank")] }, ["inquire"], "unknown"],
    [
      "is never sent if the bank has listed it and answers 'not found'",
      {
        rows: [long, listed("bank")],
        request: { ...creation, progress: "unknown" },
        job: { ...work, openAttempts: 2, startedAtMs: nowMs - longestProcessingMs }
      },
      ["inquire"],
      "unknown"
    ],
    [
      "has the outcome that the bank gives if the bank has listed it",
      { rows: [long, listed("bank")], inquired: declined },
      ["inquire"],
      "declined"
    ],
    ["is never sent if the rail has listed it", { ...pay, rows: [long, listed("rail")] }, ["inquire"], "unknown"],
    [
      "is sent to the rail if only the bank has listed it",
      { ...pay, rows: [long, listed("bank")] },
      ["inquire", "send"],
      "paid"
    ],
    [
      "is sent if its order is younger, whatever the bank has listed",
      { rows: [long, listed("bank")], order: { ...order, createdAtMs: nowMs } },
      ["send"],
      "settled"
    ]
  ]
  it.effect.each(cases)("%s", ([, setup, requests, state]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ order: old, sent: approved, ...setup })
      assert.deepStrictEqual([done.requests, done.state], [[...requests], state])
    })
  )

  it.effect("is sent without an inquiry if there was no restore", () =>
    Effect.gen(function* () {
      const { requests } = yield* runJob({ order: old, sent: approved, rows: [listed("bank")] })
      assert.deepStrictEqual(requests, ["send"])
    })
  )
})
