/** Shops with one planted fault each, of kinds that no page of the documentation lists. A crash test finds each of them out. */
import { assert, describe, it } from "@effect/vitest"
import type { Kind } from "@pay/crashtest/Finding"
import { Effect } from "effect"
import * as ExampleRun from "../../tools/crashtest/scripts/ExampleRun.ts"
import * as ExampleShops from "../../tools/crashtest/scripts/ExampleShops.ts"
import type { Fault } from "../../tools/crashtest/src/plan/Faults.ts"
import type { Action } from "../../tools/crashtest/src/plan/Payment.ts"
import { summary } from "./Summary.ts"

/** The shop, the failures that are enough to find it out, all that may be found then, and after how many payments. */
const table: ReadonlyArray<
  readonly [shop: string, faults: ReadonlyArray<Fault>, finds: ReadonlyArray<Kind>, payments: number]
> = [
  ["paidAfterThreePolls", ["declinedLate"], ["shippedUnpaid"], 40],
  // It depends on the moment of the kill whether a payment or a refund is forgotten.
  ["acknowledgesBeforeWriting", ["killedByCallback"], ["stuck", "refundLost"], 40],
  ["believesAnotherOrdersStatus", ["otherAnswer", "declined"], ["shippedUnpaid", "chargedNotTold"], 100],
  ["neverUnlocks", ["lostAnswer"], ["stuck", "refundLost"], 40]
]

/** Faults in what only the shop on `@pay/client` does, the failures that are enough to find it out, what is found, and in which action. */
const ofClient: ReadonlyArray<readonly [shop: string, faults: ReadonlyArray<Fault>, finds: Kind, action: Action]> = [
  ["subscribesUnderNewNames", ["killedWaiting"], "chargedTwice", "subscribe"],
  ["believesEveryPayout", ["declined"], "payoutLost", "payout"]
]

// Most of their time the shops wait.
describe("a shop on @pay/client with a planted fault", { concurrent: true }, () => {
  for (const [name, kinds, finds, action] of ofClient) {
    it.live(`is found out: ${name}`, () =>
      Effect.gen(function* () {
        const { findings } = yield* ExampleRun.run(ExampleShops.plantedClient, {
          payments: 24,
          seed: 7,
          kinds,
          template: { env: { PLANTED_FAULT: name }, patience: "2 seconds" }
        })
        assert.include(
          findings.map(({ case: own, kind }) => `${kind}: ${own.action}`),
          `${finds}: ${action}`
        )
      })
    )
  }
})

// Most of their time the shops wait.
describe("a shop with a planted fault", { concurrent: true }, () => {
  for (const [name, kinds, finds, payments] of table) {
    it.live(`is found out: ${name}`, () =>
      Effect.gen(function* () {
        const { findings } = yield* ExampleRun.run(ExampleShops.withHabit(name), {
          payments,
          seed: 7,
          kinds,
          template: { patience: "2 seconds" }
        })
        assert.isNotEmpty(findings)
        assert.deepStrictEqual(
          findings.filter(({ kind }) => !finds.includes(kind)),
          []
        )
      })
    )
  }

  it.live("is not found out without its fault, with all of these faults of a network", () =>
    Effect.gen(function* () {
      const kinds = table.flatMap(([, own]) => own)
      const result = yield* ExampleRun.run(ExampleShops.withHabit("plain"), { payments: 30, seed: 7, kinds })
      assert.deepStrictEqual(summary(result), [])
    })
  )
})
