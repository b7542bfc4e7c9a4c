/** The key vault of the simulated gateway. Its master key changes while the gateway is down, as operators do it. */

import { KeyRing, KeyVault, KeyVaultLocal } from "@pay/gateway/KeyVault"
import { AuthClock } from "@pay/gateway/Store"
import { type Clock, Context, Duration, Effect, Exit, Layer, Scope } from "effect"

export interface Vault {
  readonly layer: Layer.Layer<KeyVault>
  /** Adds a master key, under which new values are encrypted. The keys of security codes are lost, because they are in memory. */
  readonly addMasterKey: Effect.Effect<void>
  /** Removes all master keys but the newest. Values under an older key cannot be decrypted any more. */
  readonly removeOldMasterKeys: Effect.Effect<void>
}

const newest = ({ hashing, master: { current, keys } }: KeyRing.KeyRing): KeyRing.KeyRing => {
  const key = keys[current]
  return { hashing, master: { current, keys: key === undefined ? keys : { [current]: key } } }
}

/** A clock with 15 times longer waits, so that the check of key ages, due each minute, runs each quarter of an hour. */
const slowed = (clock: Clock.Clock): Clock.Clock => ({
  currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
  currentTimeMillis: clock.currentTimeMillis,
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) => clock.sleep(Duration.times(duration, 15))
})

export const make = Effect.fnUntraced(function* (nowMs: () => number, clock: Clock.Clock) {
  const open = Effect.fnUntraced(function* (keyRing: KeyRing.KeyRing) {
    const scope = yield* Scope.make()
    const layer = Layer.provide(
      KeyVaultLocal.layer({ keyRing, clock: slowed(clock) }),
      Layer.succeed(AuthClock, { nowMs })
    )
    const context = yield* Effect.orDie(Layer.buildWithScope(Layer.fresh(layer), scope))
    return { keyRing, scope, vault: Context.get(context, KeyVault) }
  })
  let current = yield* open(yield* KeyRing.generate)
  const change = Effect.fnUntraced(function* (next: Effect.Effect<KeyRing.KeyRing>) {
    yield* Scope.close(current.scope, Exit.void)
    current = yield* open(yield* next)
  })
  return {
    layer: Layer.succeed(KeyVault, {
      encrypt: (...request) => current.vault.encrypt(...request),
      decrypt: (...request) => current.vault.decrypt(...request),
      reencrypt: (...request) => current.vault.reencrypt(...request),
      encryptShortLived: (...request) => current.vault.encryptShortLived(...request),
      decryptShortLived: (...request) => current.vault.decryptShortLived(...request),
      cardHash: (...request) => current.vault.cardHash(...request),
      fingerprint: (...request) => current.vault.fingerprint(...request)
    }),
    addMasterKey: Effect.suspend(() => change(KeyRing.addMaster(current.keyRing))),
    removeOldMasterKeys: Effect.suspend(() => change(Effect.succeed(newest(current.keyRing))))
  } satisfies Vault as Vault
})
