/** The vault of the world's gateway. Its master key is changed between two processes of the gateway, as operators do it. */
import { AuthClock } from "@pay/gateway/AuthClock"
import * as KeyRing from "@pay/gateway/KeyRing"
import { KeyVault } from "@pay/gateway/KeyVault"
import * as KeyVaultLocal from "@pay/gateway/KeyVaultLocal"
import { type Clock, Context, Effect, Exit, Layer, Scope } from "effect"

export interface Vault {
  readonly layer: Layer.Layer<KeyVault>
  /** One more master key, under which everything new is sealed. Keys of security codes are gone, which live in memory here. */
  readonly addMaster: Effect.Effect<void>
  /** Only the newest master key stays: what is still under an older one can never be opened again. */
  readonly forgetMasters: Effect.Effect<void>
}

const newest = ({ hashing, master: { current, keys } }: KeyRing.KeyRing): KeyRing.KeyRing => {
  const key = keys[current]
  return { hashing, master: { current, keys: key === undefined ? keys : { [current]: key } } }
}

export const make = Effect.fnUntraced(function* (nowMs: () => number, clock: Clock.Clock) {
  const open = Effect.fnUntraced(function* (keyRing: KeyRing.KeyRing) {
    const scope = yield* Scope.make()
    const layer = Layer.provide(KeyVaultLocal.layer({ keyRing, clock }), Layer.succeed(AuthClock, { nowMs }))
    const context = yield* Effect.orDie(Layer.buildWithScope(Layer.fresh(layer), scope))
    return { keyRing, scope, vault: Context.get(context, KeyVault) }
  })
  let now = yield* open(yield* KeyRing.generate)
  const change = Effect.fnUntraced(function* (next: Effect.Effect<KeyRing.KeyRing>) {
    yield* Scope.close(now.scope, Exit.void)
    now = yield* open(yield* next)
  })
  return {
    layer: Layer.succeed(KeyVault, {
      encrypt: (...request) => now.vault.encrypt(...request),
      decrypt: (...request) => now.vault.decrypt(...request),
      rewrap: (...request) => now.vault.rewrap(...request),
      encryptShortLived: (...request) => now.vault.encryptShortLived(...request),
      decryptShortLived: (...request) => now.vault.decryptShortLived(...request),
      cardHash: (...request) => now.vault.cardHash(...request),
      fingerprint: (...request) => now.vault.fingerprint(...request)
    }),
    addMaster: Effect.suspend(() => change(KeyRing.addMaster(now.keyRing))),
    forgetMasters: Effect.suspend(() => change(Effect.succeed(newest(now.keyRing))))
  } satisfies Vault as Vault
})
