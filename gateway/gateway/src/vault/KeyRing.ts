/**
 * The keys that the database must never contain, by version. Master keys wrap the data keys of stored cards and can be replaced
 * while the gateway runs. Hashing keys identify equal cards and repeated requests, and therefore stay for ever.
 */
import { randomBytes } from "node:crypto"
import { Config, Effect, Exit, Redacted, Result, Schema } from "effect"
import * as SecretFile from "./SecretFile.ts"

/** Keys of one kind by version, 32 bytes each. */
export interface Keys {
  /** The version that encrypts or hashes new values. */
  readonly current: number
  readonly keys: Readonly<Record<number, Redacted.Redacted<Uint8Array>>>
}

export interface KeyRing {
  readonly master: Keys
  /**
   * The hashing keys. Older versions stay, because earlier requests are compared under the key with which they were hashed. Equal
   * cards are recognized only under one version.
   */
  readonly hashing: Keys
}

/** The keys cannot be read. `message` contains the place and the reason, never the content. */
export class KeyRingError extends Schema.TaggedError<KeyRingError>()("KeyRingError", { message: Schema.String }) {}

const keyBytes = 32

const newKey = Effect.sync(() => Redacted.make<Uint8Array>(randomBytes(keyBytes), { label: "key" }))

const newKeys = Effect.map(newKey, (key): Keys => ({ current: 1, keys: { 1: key } }))

/** Generates a ring with one key of each kind. */
export const generate: Effect.Effect<KeyRing> = Effect.all({ master: newKeys, hashing: newKeys })

/** The kinds of keys in a ring. */
export const kinds = ["master", "hashing"] as const
export type Kind = (typeof kinds)[number]

const newest = ({ keys }: Keys): number => Math.max(...Object.keys(keys).map(Number))

/** Returns the ring with one more key of a kind, which is not used yet. */
export const add = (ring: KeyRing, kind: Kind): Effect.Effect<KeyRing> =>
  Effect.map(newKey, (key) => {
    const { current, keys } = ring[kind]
    return { ...ring, [kind]: { current, keys: { ...keys, [newest(ring[kind]) + 1]: key } } }
  })

/** Returns the ring with the newest key of a kind as the current one. */
export const useNewest = (ring: KeyRing, kind: Kind): KeyRing => ({
  ...ring,
  [kind]: { ...ring[kind], current: newest(ring[kind]) }
})

/** Returns the ring with one more master key, which wraps new values. The older keys stay until every value is wrapped again. */
export const addMaster = (ring: KeyRing): Effect.Effect<KeyRing> =>
  Effect.map(add(ring, "master"), (added) => useNewest(added, "master"))

const Stored = Schema.Struct({
  current: Schema.Int,
  keys: Schema.Record(Schema.String, Schema.Uint8ArrayFromBase64)
})
const File = Schema.fromJsonString(Schema.Struct({ master: Stored, hashing: Stored }))
const decodeFile = Schema.decodeUnknownResult(File)
const encodeFile = Schema.encodeSync(File)

/**
 * Reads a ring from a JSON file that only its owner may read. With `create`, first writes a new ring durably if there is no file.
 * If two processes do so at once, one creates the file and the other reads it.
 */
export const fromFile = (path: string, options: { readonly create: boolean }): Effect.Effect<KeyRing, KeyRingError> =>
  Effect.gen(function* () {
    if (options.create) yield* createFile(path, yield* generate)
    return yield* read(path)
  })

/** Writes a new ring to a file that does not exist yet. */
export const toNewFile = (path: string): Effect.Effect<KeyRing, KeyRingError> =>
  Effect.tap(generate, (ring) => attempt(() => SecretFile.create(path, toBytes(ring))))

/** Changes the ring in a file in one step. Two changes at once are refused, because one of them would be lost. */
export const changeFile = (
  path: string,
  change: (ring: KeyRing) => Effect.Effect<KeyRing>
): Effect.Effect<KeyRing, KeyRingError> =>
  Effect.acquireUseRelease(
    attempt(() => SecretFile.beginChange(path)),
    ({ commit }) => Effect.tap(Effect.flatMap(read(path), change), (ring) => attempt(() => commit(toBytes(ring)))),
    ({ abandon }, exit) => (Exit.isFailure(exit) ? attempt(abandon) : Effect.void)
  )

const read = (path: string): Effect.Effect<KeyRing, KeyRingError> =>
  Effect.gen(function* () {
    const text = yield* attempt(() => SecretFile.read(path).toString("utf8"))
    const stored = Result.flatMap(
      Result.mapError(decodeFile(text), () => "is no key ring (JSON with `master` and `hashing` keys)"),
      ({ hashing, master }) => Result.all({ master: toKeys(master), hashing: toKeys(hashing) })
    )
    if (Result.isFailure(stored)) return yield* new KeyRingError({ message: `${path} ${stored.failure}` })
    return stored.success
  })

const createFile = (path: string, ring: KeyRing): Effect.Effect<void, KeyRingError> =>
  attempt(() => {
    try {
      SecretFile.create(path, toBytes(ring))
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    }
  })

const attempt = <A>(work: () => A): Effect.Effect<A, KeyRingError> =>
  Effect.try({
    try: work,
    catch: (error) => new KeyRingError({ message: error instanceof Error ? error.message : "unknown" })
  })

const toBytes = ({ hashing, master }: KeyRing): Buffer =>
  Buffer.from(encodeFile({ master: toStored(master), hashing: toStored(hashing) }))

const toStored = ({ current, keys }: Keys): typeof Stored.Type => ({
  current,
  keys: Object.fromEntries(Object.entries(keys).map(([version, key]) => [version, Redacted.value(key)]))
})

const toKeys = ({ current, keys }: typeof Stored.Type): Result.Result<Keys, string> => {
  const versions = Object.entries(keys)
  if (!versions.every(([version]) => /^[1-9][0-9]{0,8}$/.test(version)))
    return Result.fail("has a version that is no number")
  if (!versions.every(([, key]) => key.length === keyBytes)) return Result.fail("has a key that is not 32 bytes long")
  if (!Object.hasOwn(keys, current)) return Result.fail("lacks its current version")
  const redacted = versions.map(([version, key]) => [version, Redacted.make(key, { label: "key" })])
  return Result.succeed({ current, keys: Object.fromEntries(redacted) })
}

/**
 * Reads `PAY_MASTER_KEY` and `PAY_HASHING_KEY`: 32 bytes in Base64, or several with their versions, the highest being
 * the current one: `1:BASE64,2:BASE64`.
 */
export const fromConfig: Effect.Effect<KeyRing, KeyRingError> = Effect.suspend(() =>
  Effect.all({ master: fromVariable("PAY_MASTER_KEY"), hashing: fromVariable("PAY_HASHING_KEY") })
)

const fromVariable = (name: string): Effect.Effect<Keys, KeyRingError> =>
  Effect.gen(function* () {
    const text = yield* Effect.mapError(
      Config.Redacted(name),
      () => new KeyRingError({ message: `${name} is not set` })
    )
    const entries = Redacted.value(text)
      .split(",")
      .map((entry) => /^(?:([^:]*):)?([A-Za-z0-9+/]{43}=)$/.exec(entry.trim()))
    const keys = Object.fromEntries(
      entries.map((match) => [match?.[1] ?? "1", Buffer.from(match?.[2] ?? "", "base64")])
    )
    const checked = toKeys({ current: Math.max(...Object.keys(keys).map(Number)), keys })
    if (Result.isFailure(checked)) return yield* new KeyRingError({ message: `${name} ${checked.failure}` })
    return checked.success
  })
