/** The files of a store as a killed process leaves them: copied while the store is open, then damaged and opened again. */
import { cpSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import { Effect } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as SqliteStore from "../src/SqliteStore.ts"
import * as Sale from "./Sale.ts"

/** A data folder. */
export interface Image {
  readonly folder: string
  readonly path: string
  readonly log: string
  readonly witness: string
}

const of = (folder: string): Image => {
  const path = join(folder, "gateway.db")
  return { folder, path, log: `${path}-wal`, witness: join(folder, "store.witness") }
}

export const empty = Effect.map(temporaryFolder, of)

/** Copies the folder as `kill -9` would leave it now. */
export const taken = ({ folder: from }: Image) =>
  Effect.map(temporaryFolder, (to) => {
    cpSync(from, to, { recursive: true })
    return of(to)
  })

/** Returns the folder after a process that accepted the loss was killed before its first commit. */
export const diedTakingOver = (image: Image) =>
  Effect.gen(function* () {
    const options = { witness: image.witness, acceptLoss: true }
    const draft = `${image.witness}.new`
    const path = yield* Database.claim(image)
    const examined = yield* Durability.examine(path, options)
    const database = yield* Database.connect(path, image)
    const blocked = Durability.begin(database, examined, options, () => mkdirSync(draft))
    yield* Effect.flip(blocked)
    rmSync(draft, { recursive: true })
    return yield* taken(image)
  })

/** An image is a copy. The tests of damage continue it as if it were the original. */
const moved = { by: "tester", isRequired: false }

/** Opens the store for the time of the program. */
export const on = <A, E, R>(
  { path, witness }: Image,
  program: Effect.Effect<A, E, R>,
  options: Partial<SqliteStore.Options> = {}
) => Effect.provide(program, SqliteStore.layer({ path, witness, moved, ...options }), { local: true })

/** Commits a sale for each name, one COMMIT each. */
export const sell = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(Store, (store) => Effect.forEach(names, (name) => store.commit(Sale.make(name)), { discard: true }))

export const names = (from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from }, (_, n) => `${from + n}`)

export const flip = (file: string, at: number): void => {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0x10
  writeFileSync(file, bytes)
}

export const cut = (file: string, share: number): void =>
  truncateSync(file, Math.floor(readFileSync(file).length * share))

/** Returns with how many of the given sales the store opens, or why it does not open. */
export const opening = (image: Image, expected: ReadonlyArray<string>, options: Partial<SqliteStore.Options> = {}) =>
  on(
    image,
    Effect.map(Sale.present(expected), (matches) => `opens with ${matches.length} of ${expected.length}`),
    options
  ).pipe(
    Effect.catchTags({
      StoreRefused: ({ message, why }) => Effect.succeed(`${why}: ${message}`),
      SqliteError: ({ message, reason }) => Effect.succeed(`${reason._tag}: ${message}`)
    })
  )

/** Returns the restore mark; undefined if the store is not a restored one. */
export const mark = Effect.flatMap(Store, (store) => store.load(Restoration, ["latest"]))
