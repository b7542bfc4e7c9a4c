/**
 * Takes a description of merchants into use: checks all of it, and adds the keys that the store does not contain. At the start the
 * keys in the store are checked, too.
 */

import { Clock, Effect, Result } from "effect"
import type { Decision, Write } from "../kernel/Decision.ts"
import * as Decisions from "../kernel/Decision.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import * as AcquirerNames from "./AcquirerNames.ts"
import * as CheckedMerchants from "./CheckedMerchants.ts"
import { type Config, DirectoryError } from "./Directory.ts"
import * as KeyLifecycle from "./decide/KeyLifecycle.ts"
import { MerchantKey } from "./decide/MerchantKey.ts"
import * as PublicSecrets from "./PublicSecrets.ts"
import * as SharedKeys from "./SharedKeys.ts"
import type * as StoredKeys from "./StoredKeys.ts"

/** The merchants of a configuration, and the keys in the store. */
export interface State {
  readonly config: Config
  readonly described: ReadonlyArray<CheckedMerchants.Described>
  readonly read: StoredKeys.StoredKeyRows
}

/** Number of attempts, each with the keys that are then in the store. */
export const mostTries = 20

export const logins = (described: ReadonlyArray<CheckedMerchants.Described>): ReadonlyArray<string> =>
  described.map(({ login }) => login)

/** Logs what is allowed but probably a mistake. */
export const logWarnings = (described: ReadonlyArray<CheckedMerchants.Described>) =>
  Effect.forEach(CheckedMerchants.warnings(described), (warning) => Effect.logWarning(warning), { discard: true })

/** Commits the decision; false if another process was faster. */
export const committed = (store: Store["Service"], decision: Decision) =>
  Effect.map(Transact.lostGuardOf(store, decision), (lost) => lost === undefined)

const requireDecryptable = ({ undecryptable }: StoredKeys.StoredKeyRows) =>
  undecryptable.length === 0
    ? Effect.void
    : Effect.fail(
        new DirectoryError({
          problems: [
            `these keys cannot be opened: ${undecryptable.join(", ")}. The key ring lacks the master key that encrypted them: start with the key ring with which this store was made (keyRing, PAY_KEY_RING)`
          ]
        })
      )

export const make = Effect.fnUntraced(function* (stored: StoredKeys.StoredKeys) {
  const store = yield* Store
  const clock = yield* Clock.Clock
  const secrets = yield* PublicSecrets.PublicSecrets
  const acquirers = yield* AcquirerNames.AcquirerNames
  const nowMs = () => clock.currentTimeMillisUnsafe()

  /** Checks the description, and adds the keys that the store does not contain. `also` returns writes for the same commit. */
  const take = Effect.fn("LiveDirectory.take")(function* (
    config: Config,
    also: (keys: ReadonlyArray<string>) => ReadonlyArray<Write> = () => []
  ) {
    const checked = CheckedMerchants.check(config)
    if (Result.isFailure(checked)) return yield* new DirectoryError({ problems: checked.failure })
    const described = checked.success
    const problems = described.flatMap((merchant) => [
      ...PublicSecrets.problems(merchant, secrets),
      ...AcquirerNames.problems(merchant, acquirers)
    ])
    if (problems.length > 0) return yield* new DirectoryError({ problems })
    for (let tries = 1; tries <= mostTries; tries += 1) {
      const read = yield* stored.read(nowMs())
      const newRows = stored.unregistered(described, read.rows, nowMs())
      const shared = SharedKeys.problems(newRows, [...read.rows, ...newRows], new Set(logins(described)), nowMs())
      if (shared.length > 0) return yield* new DirectoryError({ problems: shared })
      const revision = newRows.length === 0 ? { guards: [], writes: [] } : KeyLifecycle.changing(read, [])
      const writes = [
        ...revision.writes,
        ...newRows.map((row) => Decisions.append(MerchantKey, row)),
        ...also(newRows.map(({ keyId }) => keyId))
      ]
      if (writes.length === 0) return { config, described, read } satisfies State
      if (yield* committed(store, { guards: revision.guards, writes }))
        return { config, described, read: yield* stored.read(nowMs()) } satisfies State
    }
    return yield* Effect.die(new Error("keys change faster than they can be read"))
  })

  /** Takes the first description. */
  const start = Effect.fnUntraced(function* (initial: Config) {
    // Under another key ring every key of the file looks new. Taken over, it could not be opened under the right ring.
    yield* requireDecryptable(yield* stored.read(nowMs()))
    const first = yield* take(initial)
    yield* requireDecryptable(first.read)
    const published = first.read.loadedKeys.filter((key) => secrets.has(PublicSecrets.ofKey(key)))
    if (published.length > 0)
      return yield* new DirectoryError({
        problems: published.map(({ row }) => `the key ${row.keyId} in the store is published, so everybody has it`)
      })
    const shared = SharedKeys.problems(first.read.rows, first.read.rows, new Set(logins(first.described)), nowMs())
    yield* Effect.forEach(shared, (problem) => Effect.logWarning(problem), { discard: true })
    yield* logWarnings(first.described)
    return first
  })

  return { take, start }
})
