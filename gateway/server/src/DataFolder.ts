/** The data folder of a gateway, which only its owner may read. It also decides whether a new store may be created in it. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Backup from "@pay/storage/Backup"
import { Context, Effect, Layer, Schema } from "effect"
import type { Start } from "./Start.ts"

/** The data folder cannot be used. The message contains the remedy. */
export class DataFolderError extends Schema.TaggedError<DataFolderError>()("DataFolderError", {
  message: Schema.String
}) {}

export interface Options extends Start {
  readonly production: boolean
  /** Whether the store is in a database outside of the folder. The folder then contains only what can be created again. */
  readonly elsewhere?: boolean
}

/** The data folder of the running gateway. */
export class DataFolder extends Context.Service<
  DataFolder,
  {
    /**
     * The rule for a missing store. `make`: it is created. `refuse`: the start fails. `insist`: it is created, and an existing
     * store is refused.
     */
    readonly absent: "make" | "refuse" | "insist"
  }
>()("@pay/server/DataFolder") {}

/** The files that a fresh data folder may already contain. A key file, for example, is put there by hand. */
const beforehand: ReadonlySet<string> = new Set([
  "keys.json",
  "lost+found",
  `${Backup.fileName}.lock`,
  `${Backup.fileName}.pid`
])

const isFresh = (path: string): boolean => !existsSync(path) || readdirSync(path).every((name) => beforehand.has(name))

const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0

/**
 * Returns the paths that other users may access: the folder and its files. Lock files are left out: the process that takes a lock
 * restricts them.
 */
const openToOthers = (path: string): ReadonlyArray<string> => {
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
  return [path, ...files.map(({ name }) => join(path, name))].filter(
    (file) => !/\.(lock|pid)$/.test(file) && isOpen(file)
  )
}

const chmodOf = (path: string): string => `chmod -R go= '${path.replaceAll("'", "'\\''")}'`

/** Whether a store that is missing is created: what the start and the content of the folder say. */
const absentOf = (path: string, { isNew = false, production }: Options) =>
  isNew ? "insist" : !production && isFresh(path) ? "make" : "refuse"

/** Returns the reason for which the folder cannot be used, without changing anything. */
export const problem = (path: string, options: Options): string | undefined => {
  const { acceptLoss, elsewhere = false, production } = options
  const isThere = existsSync(path)
  if (absentOf(path, options) === "refuse" && !elsewhere && acceptLoss === undefined && !isThere)
    return `There is no data folder ${path}: is its volume mounted, and the path right? Give --new to begin with an empty store.`
  if (!isThere || !production) return undefined
  if (!statSync(path).isDirectory()) return `The data folder ${path} is a file`
  // A folder that others cannot enter protects its files. Production nevertheless requires that only the owner can read the
  // files, too.
  const wide = openToOthers(path)
  return wide.length === 0 ? undefined : wideOpen(path, wide)
}

const wideOpen = (path: string, wide: ReadonlyArray<string>): string =>
  `Others on this machine may read ${wide.join(", ")}: run ${chmodOf(path)}`

/** Creates the folder if it is missing. If other users may read it, production refuses it, and a sandbox logs a warning. */
export const layer = (path: string, options: Options) =>
  Layer.effect(
    DataFolder,
    Effect.gen(function* () {
      const absent = absentOf(path, options)
      const message = problem(path, options)
      if (message !== undefined) return yield* new DataFolderError({ message })
      yield* Effect.try({
        try: () => mkdirSync(path, { recursive: true, mode: 0o700 }),
        catch: (cause) => new DataFolderError({ message: `The data folder ${path} cannot be made: ${String(cause)}` })
      })
      if (isOpen(path)) yield* Effect.logWarning(wideOpen(path, [path]))
      return { absent }
    })
  )
