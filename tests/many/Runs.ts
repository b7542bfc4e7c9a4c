/** What an operator begins runs once over all processes, and every process shows it. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import { AuditEntry } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, type Layer } from "effect"
import * as KeyRotation from "../../gateway/gateway/src/retention/KeyRotation.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

type Job = Effect.Success<typeof KeyRotation.makeJob>

/** Longer than a run counts as running without a sign of its process. */
const leaseMs = 60_000

/** The status once no run is under way. */
const ended = ({ look }: Job) => Effect.repeat(look, { until: ({ state }) => state !== "running" })

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`an operator's run (${name})`, () => {
    it.live("runs once, is visible in all processes, and starts again after its process has ended", () =>
      Effect.gen(function* () {
        const shared = yield* Store
        const wall = Gateways.wallNow()
        const one = yield* Gateways.start(wall)
        const other = yield* Gateways.start(wall)
        yield* one.on(ClientMerchant.create("SALE"))
        yield* Gateways.settled([one, other])
        const here = yield* one.on(KeyRotation.makeJob)
        const there = yield* other.on(KeyRotation.makeJob)
        assert.strictEqual((yield* there.look).state, "never")

        const begun = yield* Effect.all([here.begin("operator:ann"), there.begin("operator:bob")], {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          begun.filter((isBegun) => isBegun),
          1
        )
        const done = yield* ended(here)
        assert.strictEqual(done.state, "done")
        assert.isAbove(done.rows, 0)
        assert.deepStrictEqual(yield* there.look, done)

        assert.isTrue(yield* here.begin("operator:ann"))
        yield* one.pause
        assert.strictEqual((yield* there.look).state, "running")
        assert.isFalse(yield* there.begin("operator:bob"))
        wall.nowMs += leaseMs - 1
        assert.strictEqual((yield* there.look).state, "running")
        wall.nowMs += 1
        assert.strictEqual((yield* there.look).state, "broken")
        yield* other.lease.renew
        assert.isTrue(yield* there.begin("operator:bob"))
        const again = yield* ended(there)
        assert.strictEqual(again.state, "done")
        // The one that was paused finds that its run is another's, and leaves it as it is.
        yield* one.resume
        yield* Effect.repeat(Effect.yieldNow, { times: 500 })
        assert.deepStrictEqual(yield* here.look, again)

        const audit = yield* shared.find(AuditEntry, "at", { limit: 100 })
        assert.lengthOf(
          audit.filter(({ action }) => action === "master-key.rotate"),
          3
        )
      }).pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true }))
    )

    it.live("of a killed process is shown as interrupted when its lease has ended", () =>
      Effect.gen(function* () {
        const wall = Gateways.wallNow()
        const one = yield* Gateways.start(wall)
        const here = yield* one.on(KeyRotation.makeJob)
        assert.isTrue(yield* here.begin("operator:ann"))
        yield* one.pause
        yield* one.kill
        const other = yield* Gateways.start(wall)
        const there = yield* other.on(KeyRotation.makeJob)
        assert.strictEqual((yield* there.look).state, "running")
        wall.nowMs += leaseMs
        assert.strictEqual((yield* there.look).state, "broken")
        yield* other.lease.renew
        assert.isTrue(yield* there.begin("operator:bob"))
        assert.strictEqual((yield* ended(there)).state, "done")
      }).pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true }))
    )
  })
