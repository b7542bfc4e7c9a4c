/** Follow-ups of an order that others write too, and of one that a restored copy may not know to its end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Call } from "../../src/merchants/Call.ts"
import { Nonce } from "../../src/merchants/Call.ts"
import { Order } from "../../src/orders/Order.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import * as Adoption from "../../src/orders/restored/Adoption.ts"
import { BankBooking } from "../../src/orders/restored/BankBooking.ts"
import { Restoration } from "../../src/orders/restored/Restoration.ts"
import { preauth, request } from "../domain/Sample.ts"
import { guardsOf, rowsOf } from "../domain/Written.ts"
import { act, type Given, hold, part } from "./Acting.ts"
import * as Calls from "./Calls.ts"

describe("a follow-up while others write", () => {
  const nonce = Decision.append(Nonce, { consumerKey: "shop", nonce: "n", seenAtMs: 1 })
  const spent = { guards: [Decision.absent(Nonce, "key", ["shop", "n"])], writes: [nonce] }
  const versions = (...all: ReadonlyArray<number>) => all.map((version) => [Decision.put(Order, { ...hold, version })])
  const bound = Decision.append(OrderRequest, request({ requestId: "8", idempotencyKey: "k", fingerprint: "other" }))
  const cases: ReadonlyArray<
    readonly [what: string, changes: Partial<Call>, given: Given, commits: number, expected: RegExp]
  > = [
    ["is judged anew", {}, { meanwhile: versions(4, 4) }, 2, /^accepted /],
    [
      "gives up after fifty times",
      {},
      { meanwhile: versions(...Array.from({ length: 51 }, (_, n) => n + 4)) },
      50,
      /^Other requests about the same came first/
    ],
    [
      "is judged anew where its key was bound",
      { idempotencyKey: "k" },
      { meanwhile: [[bound], []] },
      1,
      /Idempotency-Key/i
    ],
    ["is refused where its nonce was used", { nonce: spent }, { rows: [nonce] }, 1, /nonce/i]
  ]
  it.effect.each(cases)("%s", ([, changes, given, commits, expected]) =>
    Effect.gen(function* () {
      const { did, text } = yield* act("CAPTURE", Calls.call("CAPTURE", part, changes), given)
      assert.match(text, expected)
      assert.lengthOf(did.decisions, commits)
    })
  )
})

describe("on a restored copy, a follow-up", () => {
  const copy = Decision.put(Restoration, {
    name: "latest",
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
    ["takes over its booking", hold, booked("1-capture-3", 4_000), 3, 3, ["bankbookings bank,1-capture-3 v1"]],
    [
      "takes over a lower one, and the order's count stays",
      preauth({ sequence: 5 }),
      booked("1-capture-3", 4_000),
      3,
      6,
      ["bankbookings bank,1-capture-3 v1"]
    ],
    ["goes past another one", hold, booked("1-capture-3", 1), 4, 4, []]
  ]
  it.effect.each(cases)("%s", ([, order, booking, sequence, count, guards]) =>
    Effect.gen(function* () {
      const { decision } = yield* act("CAPTURE", Calls.call("CAPTURE", part), { order, rows: [copy, booking] })
      assert.strictEqual(rowsOf(decision, "requests")[0]?.sequence, sequence)
      assert.strictEqual(rowsOf(decision, "orders")[0]?.sequence, count)
      assert.deepStrictEqual(guardsOf(decision), ["orders 1 v3", ...guards])
      assert.lengthOf(rowsOf(decision, "bankbookings"), guards.length)
    })
  )
})
