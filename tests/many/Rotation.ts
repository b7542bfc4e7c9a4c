/** A process whose key ring lacks what others encrypt or hash with does no work beside them. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import { KeyRing, KeyVault, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { AuthClock, type Store } from "@pay/gateway/Store"
import { Context, Effect, Layer, type Scope } from "effect"
import * as KeyRotation from "../../gateway/gateway/src/retention/KeyRotation.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Gate from "../harness/Gate.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

/** After this a process that was stopped is not counted among those that live. */
const leaseMs = 60_000

/** What a process with this ring is started with. Security codes are those of the world, in whatever process. */
const withRing = Effect.fnUntraced(function* (keyRing: KeyRing.KeyRing) {
  const built = yield* Layer.build(Layer.fresh(KeyVaultLocal.layer({ keyRing })).pipe(Layer.provide(AuthClock.layer)))
  const own = Context.get(built, KeyVault)
  return {
    spoilVault: ({ decryptShortLived, encryptShortLived }: KeyVault["Service"]): KeyVault["Service"] => ({
      ...own,
      decryptShortLived,
      encryptShortLived
    })
  } satisfies Gateways.Options
})

const rings = Effect.gen(function* () {
  const before = yield* KeyRing.generate
  const after = yield* KeyRing.addMaster(before)
  const { 2: newest } = after.master.keys
  assert.isDefined(newest)
  return {
    before,
    /** Has the new key and does not use it yet. */
    ready: { ...after, master: { ...after.master, current: 1 } },
    after,
    /** The old key is gone. */
    later: { ...after, master: { current: 2, keys: { 2: newest } } },
    otherHashing: { ...before, hashing: (yield* KeyRing.generate).hashing }
  }
})
type Rings = Effect.Success<typeof rings>

/** A process that takes no requests and no jobs. */
const isBarred = Effect.fnUntraced(function* ({ front, lease, on }: Gateways.Gateway) {
  assert.strictEqual((yield* front.closed)?.reason, "number")
  assert.isUndefined(lease.span())
  const refused = yield* Effect.flip(on(ClientMerchant.create("SALE")))
  assert.include(String(JSON.stringify(refused)), "503")
})

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`key rings of several processes (${name})`, () => {
    const live = <A, E>(title: string, program: (all: Rings) => Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () =>
        Effect.flatMap(rings, (all) =>
          program(all).pipe(
            Effect.scoped,
            Effect.provide(World.outside({ store, keyRing: all.before }), { local: true })
          )
        )
      )

    for (const [what, ring] of [
      ["would encrypt with a master key that another lacks", "after"],
      ["has another hashing key", "otherHashing"]
    ] as const)
      live(`a process that ${what} does nothing until that one has stopped`, (all) =>
        Effect.gen(function* () {
          const wall = Gateways.wallNow()
          const one = yield* Gateways.start(wall, yield* withRing(all.before))
          const other = yield* Gateways.start(wall, yield* withRing(all[ring]))
          yield* isBarred(other)
          yield* one.lease.renew
          assert.isUndefined(yield* one.front.closed)
          const order = yield* one.on(ClientMerchant.create("SALE"))
          yield* Gateways.settled([one, other])
          assert.strictEqual((yield* one.on(ClientMerchant.status(order))).status, "approved")
          yield* one.stop
          yield* other.lease.renew
          assert.isUndefined(yield* other.front.closed)
        })
      )

    live("a process that was stopped meanwhile does not touch what the others have encrypted", (all) =>
      Effect.gen(function* () {
        const wall = Gateways.wallNow()
        const one = yield* Gateways.start(wall, yield* withRing(all.before))
        yield* one.pause
        wall.nowMs += leaseMs
        const gate = Gate.make()
        const other = yield* Gateways.start(wall, {
          ...(yield* withRing(all.after)),
          spoilBank: (bank) => ({
            ...bank,
            authorize: (request) => gate.after(bank.authorize(request))
          })
        })
        yield* gate.shut
        const order = yield* other.on(ClientMerchant.create("SALE"))
        yield* gate.reached
        yield* one.resume
        yield* one.lease.renew
        yield* isBarred(one)
        yield* gate.open
        yield* Gateways.pass([one, other], "10 minutes")
        yield* Gateways.ended(other, order, "approved", ["authorize 1042 Approved"])
      })
    )

    live("a master key that every process has is made the current one in one after the other", (all) =>
      Effect.gen(function* () {
        const wall = Gateways.wallNow()
        const one = yield* Gateways.start(wall, yield* withRing(all.ready))
        const other = yield* Gateways.start(wall, yield* withRing(all.after))
        const both = [one, other]
        yield* Effect.forEach(both, ({ lease }) => lease.renew)
        for (const { front } of both) assert.isUndefined(yield* front.closed)
        const orders = yield* Effect.forEach(both, ({ on }) => on(ClientMerchant.create("PREAUTH")))
        yield* Gateways.settled(both)
        const { begin, look } = yield* other.on(KeyRotation.makeJob)
        assert.isTrue(yield* begin("operator:ann"))
        const done = yield* Effect.repeat(look, { until: ({ state }) => state !== "running" })
        assert.deepInclude(done, { state: "done", failed: 0 })
        assert.isAbove(done.reencrypted, 0)
        // The old key is taken away while a process still encrypts with it.
        const last = yield* Gateways.start(wall, yield* withRing(all.later))
        yield* isBarred(last)
        yield* one.stop
        yield* other.lease.renew
        yield* last.lease.renew
        assert.isUndefined(yield* last.front.closed)
        yield* other.stop
        yield* Effect.forEach(orders, (order) => last.on(ClientMerchant.act("CAPTURE", order)))
        yield* Gateways.settled([last])
        for (const order of orders)
          assert.strictEqual((yield* last.on(ClientMerchant.status(order))).status, "approved")
        yield* ClientMerchant.allIsWell
      })
    )
  })
