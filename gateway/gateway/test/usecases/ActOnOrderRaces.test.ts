/** Follow-ups of an order that other processes write at the same time, and of one that a restored copy may have in an old state. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { Nonce } from "../../src/merchants/Call.ts"
import { Order } from "../../src/orders/record/Order.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { request } from "../domain/Sample.ts"
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
