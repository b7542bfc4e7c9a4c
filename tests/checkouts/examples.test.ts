/**
 * The shops of `examples/crashtest`: a crash test finds nothing against the careful ones, and something against the careless one.
 * A shop whose language this machine does not have is not in the table.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ExampleRun from "../../tools/crashtest/scripts/ExampleRun.ts"
import * as ExampleShops from "../../tools/crashtest/scripts/ExampleShops.ts"
import { summary } from "./Summary.ts"

/** Most of their time the shops wait. */
const beside = { concurrent: true } as const

const careful = ExampleShops.careful.filter(ExampleShops.isHere)
const careless = [ExampleShops.careless].filter(ExampleShops.isHere)

/** Shops that sign requests by hand. `npm test` runs only these. */
const byHand = new Set(["fastify", "php"])
const groups = {
  "the crash test of a careful example": careful.filter(({ name }) => byHand.has(name)),
  "the crash test of a further careful example": careful.filter(({ name }) => !byHand.has(name))
}

describe.each(Object.entries(groups))("%s", beside, (_, shops) => {
  for (const shop of shops) {
    it.live(`has no finding: ${shop.name}`, () =>
      Effect.gen(function* () {
        const result = yield* ExampleRun.run(shop, { payments: 20, seed: 7 })
        assert.deepStrictEqual(summary(result), [])
        assert.isAtLeast(result.payments, 20)
      })
    )
  }
})

/** The shop whose customers fill in its form and pass 3-D Secure, and whose clerks refund in its back office. */
const sample = ExampleShops.careful.filter(({ name }) => name === "shop")

describe("the crash test of the sample shop", beside, () => {
  for (const shop of sample) {
    it.live("has no finding: a lost answer, a decline, a customer who never returns, kill -9", () =>
      Effect.gen(function* () {
        const result = yield* ExampleRun.run(shop, {
          payments: 12,
          seed: 7,
          kinds: ["lostAnswer", "declined", "neverReturns", "killedWaiting"]
        })
        assert.deepStrictEqual(summary(result), [])
        assert.deepStrictEqual([result.payments, result.met.lostAnswer !== undefined], [12, true])
      })
    )
  }
})

describe("the crash test of the careless example", beside, () => {
  for (const shop of careless) {
    it.live("finds customers charged twice, goods shipped after a forged callback, and cards in its log", () =>
      Effect.gen(function* () {
        const { findings } = yield* ExampleRun.run(shop, {
          payments: 20,
          seed: 7,
          kinds: ["lostAnswer", "errorAfter", "forgedCallback", "lostCallback"],
          template: { patience: "2 seconds" }
        })
        const kinds = new Set(findings.map(({ kind }) => kind))
        for (const kind of ["chargedTwice", "shippedUnpaid", "cardInLog"] as const) assert.isTrue(kinds.has(kind), kind)
      })
    )
  }
})
