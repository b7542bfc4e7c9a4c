/** CVVs whose keys stand in a table that several processes share, and that a failover empties. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import { Cvv } from "@pay/gateway/Entities"
import { KeyRing, KeyVault, KeyVaultLocal, ShortLivedKeyTable } from "@pay/gateway/KeyVault"
import { AuthClock, Store } from "@pay/gateway/Store"
import { Effect, Layer, type Scope } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Gate from "../harness/Gate.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const noCvvIsLeft = Effect.gen(function* () {
  const store = yield* Store
  assert.lengthOf(yield* store.find(Cvv, "created", { limit: 10 }), 0)
})

/** One process after another: what each has in memory ends with it. */
const vaults = Effect.map(KeyRing.generate, (keyRing) =>
  Effect.provide(KeyVault, Layer.fresh(KeyVaultLocal.layerShared({ keyRing })).pipe(Layer.provide(AuthClock.layer)), {
    local: true
  })
)

type Vault = KeyVault["Service"]
const withShortLivedKeys =
  ({ decryptShortLived, encryptShortLived }: Vault) =>
  (vault: Vault): Vault => ({ ...vault, decryptShortLived, encryptShortLived })

/** Empties the table, as a failover does. */
const lost = Effect.gen(function* () {
  const table = yield* ShortLivedKeyTable
  yield* table.destroy((yield* table.list).map(({ id }) => id))
})

/** A gateway that accepts a payment and is killed, before or after the bank gets the request. */
const killed = Effect.fnUntraced(function* (moment: "before" | "after") {
  const wall = Gateways.wallNow()
  const vault = yield* vaults
  const own = yield* vault
  const gate = Gate.make()
  const one = yield* Gateways.start(wall, {
    spoilVault: withShortLivedKeys(own),
    spoilBank: (bank) => ({
      ...bank,
      authorize: (request) =>
        moment === "after" ? gate.before(bank.authorize(request)) : gate.after(bank.authorize(request))
    })
  })
  yield* gate.shut
  const order = yield* one.on(ClientMerchant.create("SALE"))
  yield* gate.reached
  yield* one.kill
  const start = Effect.flatMap(vault, (other) => Gateways.start(wall, { spoilVault: withShortLivedKeys(other) }))
  return { order, start }
})

export const suite = (name: string, store: Layer.Layer<Store>, table: Layer.Layer<ShortLivedKeyTable>) =>
  describe(`CVVs of several processes (${name})`, () => {
    const live = <A, E>(
      title: string,
      program: Effect.Effect<A, E, Gateways.Outside | ShortLivedKeyTable | Scope.Scope>
    ) =>
      it.live(title, () =>
        program.pipe(
          Effect.scoped,
          Effect.provide(Layer.merge(World.outside({ store }), Layer.fresh(table)), { local: true })
        )
      )

    live(
      "are decrypted by the process that takes over a payment",
      Effect.gen(function* () {
        const { order, start } = yield* killed("before")
        const other = yield* start
        yield* Gateways.pass([other], "5 minutes")
        yield* Gateways.ended(other, order, "approved", ["authorize 1042 Approved"])
        yield* noCvvIsLeft
      })
    )

    live(
      "are lost with their table: a sent request is inquired about and ends with the bank's outcome",
      Effect.gen(function* () {
        const { order, start } = yield* killed("after")
        yield* lost
        const other = yield* start
        yield* Gateways.pass([other], "5 minutes")
        yield* Gateways.ended(other, order, "approved", ["authorize 1042 Approved"])
        yield* noCvvIsLeft
      })
    )

    live(
      "are lost with their table: a request that was never sent ends in error when that is certain",
      Effect.gen(function* () {
        const { order, start } = yield* killed("before")
        yield* lost
        const other = yield* start
        yield* Gateways.pass([other], "121 seconds")
        assert.notStrictEqual((yield* other.on(ClientMerchant.status(order))).status, "error")
        yield* Gateways.pass([other], "10 minutes")
        yield* Gateways.ended(other, order, "error", [])
        yield* noCvvIsLeft
      })
    )
  })
