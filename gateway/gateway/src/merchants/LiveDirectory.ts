/**
 * The directory, which can change while the gateway runs: merchants and endpoints from the configuration file, keys from the
 * store. A key in the file is added to the store when it is first read; from then on the store is authoritative for the key.
 * Look-ups read memory only. A change is visible in this process before it is answered, and within a second in every other
 * process on the same store.
 */

import { createHash } from "node:crypto"
import { Clock, Context, Effect, Equal, Layer, Option, type Result, Semaphore } from "effect"
import type { Write } from "../kernel/Decision.ts"
import { Store, type StoreUnavailable } from "../kernel/Store.ts"
import * as StoreLook from "../kernel/StoreLook.ts"
import type * as CheckedMerchants from "./CheckedMerchants.ts"
import { type Config, Directory, type DirectoryError } from "./Directory.ts"
import type * as KeyLifecycle from "./decide/KeyLifecycle.ts"
import type { MerchantKey } from "./decide/MerchantKey.ts"
import * as SharedKeys from "./SharedKeys.ts"
import * as Snapshot from "./Snapshot.ts"
import * as StoredKeys from "./StoredKeys.ts"
import * as TakeMerchants from "./TakeMerchants.ts"
import { committed, logins, logWarnings, mostTries, type State } from "./TakeMerchants.ts"

/** The effect of a new description, as lists of logins. */
export interface Replaced {
  readonly merchants: number
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<string>
  /** Names of keys that were taken over from the file. */
  readonly keys: ReadonlyArray<string>
}

/** Decides on a change of a merchant's keys. */
type KeyDecision = (
  loaded: KeyLifecycle.LoadedKeys,
  nowMs: number
) => Result.Result<KeyLifecycle.Change, KeyLifecycle.KeyRefused>

export class LiveDirectory extends Context.Service<
  LiveDirectory,
  {
    readonly described: () => ReadonlyArray<CheckedMerchants.Described>
    /** Returns a hash of the configuration without its keys. Processes with the same merchants have the same hash. */
    readonly hash: () => string
    /** Returns every key that the merchant has or had. */
    readonly keys: (login: string) => ReadonlyArray<MerchantKey>
    /**
     * Reads the description, checks all of it, then applies it together with the audit row. If it is refused, everything stays
     * unchanged. Calls run one at a time, so that the description that was read last applies.
     */
    readonly replace: (
      source: Effect.Effect<Config, DirectoryError>,
      audit: (replaced: Replaced) => Write
    ) => Effect.Effect<Replaced, DirectoryError | StoreUnavailable>
    /**
     * Changes a merchant's keys. `decide` runs again if another process was faster, on the keys that are then in the store. The
     * change is then visible in this process.
     */
    readonly change: (
      login: string,
      decide: KeyDecision
    ) => Effect.Effect<MerchantKey, KeyLifecycle.KeyRefused | StoreUnavailable>
    /** Returns another described merchant for whom this public key is or may become valid. */
    readonly otherHolder: (
      login: string,
      place: Pick<MerchantKey, "kind" | "fingerprint">,
      nowMs: number
    ) => string | undefined
    /** Returns the columns of a new key's row that follow from the key itself. */
    readonly place: (
      loaded: KeyLifecycle.LoadedKeys,
      fresh: StoredKeys.UnstoredKey
    ) => ReturnType<StoredKeys.StoredKeys["place"]>
  }
>()("@pay/gateway/LiveDirectory") {}

const lookEvery = "1 second"

/** Hashes the configuration without its keys, which JSON shows as redacted. */
const hashOf = (config: Config): string =>
  createHash("sha256").update(JSON.stringify(config)).digest("hex").slice(0, 16)

/** Returns what the new description changes. `keys`: names of the keys that were taken over from it. */
const replacedBy = (current: Config, config: Config, keys: ReadonlyArray<string>): Replaced => {
  const before = new Map(current.map((merchant) => [merchant.login, merchant]))
  const after = new Set(config.map(({ login }) => login))
  return {
    merchants: config.length,
    added: [...after].filter((login) => !before.has(login)),
    removed: [...before.keys()].filter((login) => !after.has(login)),
    changed: config.flatMap((merchant) => {
      const old = before.get(merchant.login)
      return old === undefined || Equal.equals(old, merchant) ? [] : [merchant.login]
    }),
    keys
  }
}

const make = Effect.fnUntraced(function* (initial: Config) {
  const store = yield* Store
  const stored = yield* StoredKeys.make
  const clock = yield* Clock.Clock
  const { start, take } = yield* TakeMerchants.make(stored)
  const one = yield* Semaphore.make(1)
  const nowMs = () => clock.currentTimeMillisUnsafe()

  let state: State = yield* start(initial)
  let snapshot = Snapshot.make(state.described, state.read.loadedKeys, nowMs())
  const setState = (next: State) => {
    state = next
    snapshot = Snapshot.make(next.described, next.read.loadedKeys, nowMs())
  }
  /** The current snapshot. It is made again, without the store, when the clock changes the state of a key. */
  const current = (): Snapshot.Snapshot => {
    const now = nowMs()
    if (now >= snapshot.untilMs || now < snapshot.fromMs)
      snapshot = Snapshot.make(state.described, state.read.loadedKeys, now)
    return snapshot
  }

  const refresh = Effect.gen(function* () {
    const read = yield* stored.read(nowMs())
    if (read.undecryptable.length > 0) yield* Effect.logError("Keys of merchants cannot be opened", read.undecryptable)
    setState({ ...state, read })
  })

  /** Reads the keys again if another process has changed them. */
  const refreshIfChanged = one.withPermit(
    Effect.gen(function* () {
      if ((yield* stored.revisionNow) !== state.read.revision) yield* refresh
    })
  )
  if (!store.exclusive)
    yield* StoreLook.repeated(refreshIfChanged, {
      every: lookEvery,
      unknown: "The store cannot say whether merchants' keys have changed; those known stay"
    })

  const replace = Effect.fn("LiveDirectory.replace")(function* (
    source: Effect.Effect<Config, DirectoryError>,
    audit: (replaced: Replaced) => Write
  ) {
    const config = yield* source
    let replaced = replacedBy(state.config, config, [])
    const next = yield* take(config, (keys) => {
      replaced = replacedBy(state.config, config, keys)
      return [audit(replaced)]
    })
    setState(next)
    yield* logWarnings(next.described)
    return replaced
  })

  const loadedKeysOf = (merchantId: string): KeyLifecycle.LoadedKeys => ({
    revision: state.read.revision,
    merchantId,
    keys: state.read.rows.filter((row) => row.merchantId === merchantId)
  })

  const change = Effect.fn("LiveDirectory.change")(function* (login: string, decide: KeyDecision) {
    for (let tries = 1; tries <= mostTries; tries += 1) {
      yield* refresh
      const { decision, key } = yield* Effect.fromResult(decide(loadedKeysOf(login), nowMs()))
      if (decision.writes.length === 0) return key
      if (yield* committed(store, decision)) {
        yield* refresh
        return key
      }
    }
    return yield* Effect.die(new Error("keys change faster than they can be read"))
  })

  return Context.make(LiveDirectory, {
    described: () => state.described,
    hash: () => hashOf(state.config),
    keys: (login) => loadedKeysOf(login).keys,
    replace: (source, audit) => one.withPermit(replace(source, audit)),
    otherHolder: (login, { fingerprint, kind }, atMs) => {
      const described = new Set(logins(state.described))
      const others = state.read.rows.filter(({ merchantId }) => described.has(merchantId))
      return SharedKeys.otherHolder({ merchantId: login, fingerprint, kind }, others, atMs)
    },
    change: (login, decide) => one.withPermit(change(login, decide)),
    place: stored.place
  }).pipe(
    Context.add(Directory, {
      route: (pathId) => current().routes.get(pathId),
      merchant: (login) => current().merchants.get(login),
      endpoint: (id) => current().endpoints.get(id),
      merchants: () => [...current().merchants.values()]
    })
  )
})

export const layer = (config: Config) => Layer.effectContext(make(config))

/** Returns the hash of the {@link LiveDirectory}, or "" if the directory cannot change while the gateway runs. */
export const hash = Effect.map(
  Effect.serviceOption(LiveDirectory),
  (live) => () => Option.match(live, { onNone: () => "", onSome: ({ hash }) => hash() })
)
