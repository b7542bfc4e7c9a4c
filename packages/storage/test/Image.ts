/** What is on the disk when a store's process is gone: its files, copied while it is open, to be spoiled and opened again. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Restoration } from "@pay/gateway/entities/Restoration"
import { Store } from "@pay/gateway/Store"
import * as Database from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import { Effect } from "effect"
import * as SqliteStore from "../src/SqliteStore.ts"
import * as Sale from "./Sale.ts"

/** A data folder. */
export interface Image {
  readonly folder: string
  readonly path: string
  readonly log: string
  readonly witness: string
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pay image "))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const of = (folder: string): Image => {
  const path = join(folder, "gateway.db")
  return { folder, path, log: `${path}-wal`, witness: join(folder, "store.witness") }
}

export const empty = Effect.map(folder, of)

/** The folder as `kill -9` would leave it now. */
export const taken = ({ folder: from }: Image) =>
  Effect.map(folder, (to) => {
    cpSync(from, to, { recursive: true })
    return of(to)
  })

/** Its loss was accepted by a process that got no further than the first commit. */
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

/** A store of its own, for as long as the program runs. */
export const on = <A, E, R>(
  { path, witness }: Image,
  program: Effect.Effect<A, E, R>,
  options: Partial<SqliteStore.Options> = {}
) => Effect.provide(program, SqliteStore.layer({ path, witness, ...options }), { local: true })

/** One COMMIT each. */
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

/** Whether it opens with all of these; otherwise why not. */
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

/** The mark that the gateway goes by; undefined: it is no restored store. */
export const mark = Effect.flatMap(Store, (store) => store.load(Restoration, ["latest"]))
