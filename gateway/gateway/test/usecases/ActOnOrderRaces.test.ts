/** Follow-ups of an order that other processes write at the same time, and of one that a restored copy may have in an old state. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Nonce } from "../../src/merchants/Call.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as Adoption from "../../src/orders/restored/Adoption.ts"
import { BankBooking } from "../../src/orders/restored/BankBooking.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { preauth, request } from "../domain/Sample.ts"
import { guardsOf, rowsOf } from "../domain/Written.ts"
import { act, hold, part, type Setup } from "./Acting.ts"
import * as Calls from "./Calls.ts"

describe("a follow-up while other processes write its order", () => {
  const nonce = Decision.append(Nonce, { consumerKey: "shop", nonce: "n", usedAtMs: 1 })
  const spent = { guards: [Decision.absent(Nonce, "key", ["shop", "n"])], writes: [nonce] }
  const versions = (...all: ReadonlyArray<number>) => all.map((version) => [Decision.put(Order, { ...hold, version })])
  const bound = Decision.append(OrderRequest, request({ requestId: "8", idempotencyKey: "k", fingerprint: "other" }))
  const cases: ReadonlyArray<
    readonly [what: string, changes: Partial<Calls.Sent>, setup: Setup, commits: number, expected: RegExp]
  > = [
    ["is decided again", {}, { meanwhile: versions(4, 4) }, 2, /^accepted /],
    [
      "gives up after fifty attempts",
      {},
      { meanwhile: versions(...Array.from({ length: 51 }, (_, n) => n + 4)) },
      50,
      /^Other requests about the same came first/
    ],
    [
      "is decided again if its idempotency key was used",
      { idempotencyKey: "k" },
      { meanwhile: [[bound], []] },
      1,
      /Idempotency-Key/i
    ],
    ["is refused if its nonce was used", { nonce: spent }, { rows: [nonce] }, 1, /nonce/i]
  ]
  it.effect.each(cases)("%s", ([, changes, setup, commits, expected]) =>
    Effect.gen(function* () {
      const { recording, text } = yield* act("CAPTURE", Calls.call("CAPTURE", part, changes), setup)
      assert.match(text, expected)
      assert.lengthOf(recording.decisions, commits)
    })
  )
})

describe("a follow-up after a restore", () => {
  const copy = Decision.put(Restoration, {
    name: "latest",
    version: 1,
    restoredAtMs: 1,
    startedAtMs: 1_500,
    lastCommitAtMs: 1,
    enumeratedAtMs: 1
  })
  const booked = (reference: string, amountMinor: number) =>
    Decision.put(
      BankBooking,
      Adoption.rowOf(
        "bank",
        {
          reference,
          clientOrderId: undefined,
          merchantId: undefined,
          kind: "capture",
          amountMinor,
          currency: "USD",
          atMs: 1,
          result: "approved"
        },
        "shop",
        1
      )
    )
  const cases: ReadonlyArray<
    readonly [
      what: string,
      order: Order,
      booking: Decision.Write,
      request: number,
      order: number,
      guards: ReadonlyArray<string>
    ]
  > = [
    ["adopts its booking", hold, booked("1-capture-3", 4_000), 3, 3, ["bankBookings bank,1-capture-3 v1"]],
    [
      "adopts a booking with a lower sequence number than the order's",
      preauth({ sequence: 5 }),
      booked("1-capture-3", 4_000),
      3,
      6,
      ["bankBookings bank,1-capture-3 v1"]
    ],
    ["takes a higher sequence number than a booking of another amount", hold, booked("1-capture-3", 1), 4, 4, []]
  ]
  it.effect.each(cases)("%s", ([, order, booking, sequence, count, guards]) =>
    Effect.gen(function* () {
      const { decision } = yield* act("CAPTURE", Calls.call("CAPTURE", part), { order, rows: [copy, booking] })
      assert.strictEqual(rowsOf(decision, "requests")[0]?.sequence, sequence)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.sequence, count)
      assert.deepStrictEqual(guardsOf(decision), ["orders 1 v3", ...guards])
      assert.lengthOf(rowsOf(decision, "bankBookings"), guards.length)
    })
  )
})
