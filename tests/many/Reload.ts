/** A reload of the merchants through one process reaches every process. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import { Directory } from "@pay/gateway/Directory"
import { AuditEntry, Process } from "@pay/gateway/Entities"
import { ReloadMerchants } from "@pay/gateway/Gateway"
import { Store } from "@pay/gateway/Store"
import { Effect, type Layer } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const isEnabled = ({ on }: Gateways.Gateway) =>
  on(Effect.map(Directory, (directory) => directory.endpoint("1001")?.enabled))

/** More seconds than a process needs to read a row and a file. */
const most = 200

/** The descriptions with which the processes say that they work. */
const descriptions = Effect.gen(function* () {
  const store = yield* Store
  const rows = yield* store.find(Process, "key", { limit: 10 })
  return new Set(rows.map(({ merchants }) => merchants)).size
})

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`the merchant configuration of several processes (${name})`, () => {
    it.live("is reloaded in each within a second of a reload in one, and a difference is reported", () =>
      Effect.gen(function* () {
        const shared = yield* Store
        const wall = Gateways.wallNow()
        const before = Merchants.both()
        const after = Merchants.both({ "1001": { enabled: false } })
        const files = { one: before, other: before }
        let reads = 0
        const otherSource = Effect.sync(() => {
          reads += 1
          return files.other
        })
        const one = yield* Gateways.start(wall, { merchants: before, source: Effect.sync(() => files.one) })
        const other = yield* Gateways.start(wall, { merchants: before, source: otherSource })
        const both = [one, other]
        const renewed = Effect.forEach(both, ({ lease }) => lease.renew)
        const reload = one.on(Effect.flatMap(ReloadMerchants.make, (reload) => reload("operator:ann")))

        /** Lets seconds pass until this is so: one of them, where the store answers at once. */
        const until = (isSo: Effect.Effect<boolean>) =>
          Effect.repeat(
            Gateways.pass(both, "1 second").pipe(
              Effect.andThen(Effect.repeat(Effect.yieldNow, { times: 200 })),
              Effect.andThen(isSo)
            ),
            { until: (now) => now, times: most }
          )
        const areEnabled = Effect.forEach(both, isEnabled)

        // The file has reached one machine only.
        files.one = after
        yield* reload
        yield* until(Effect.sync(() => reads > 0))
        assert.deepStrictEqual(yield* areEnabled, [false, true])
        yield* renewed
        assert.strictEqual(yield* descriptions, 2)

        files.other = after
        yield* reload
        yield* until(Effect.map(areEnabled, (enabled) => !enabled.includes(true)))
        assert.deepStrictEqual(yield* areEnabled, [false, false])
        yield* renewed
        assert.strictEqual(yield* descriptions, 1)
        const audit = yield* shared.find(AuditEntry, "at", { limit: 100 })
        const actors = audit.filter(({ action }) => action === "merchants.reload").map(({ actor }) => actor)
        assert.lengthOf(
          actors.filter((actor) => actor === "operator:ann"),
          2
        )
        assert.include(actors, "gateway")
      }).pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true }))
    )
  })
