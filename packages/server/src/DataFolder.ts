/** The folder in which a gateway keeps everything, for its owner only; and whether a store may begin in it. */
import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Backup from "@pay/storage/Backup"
import { Context, Effect, Layer, Schema } from "effect"
import type { Start } from "./Start.ts"

/** The message says what to do. */
export class DataFolderError extends Schema.TaggedError<DataFolderError>()("DataFolderError", {
  message: Schema.String
}) {}

export interface Options extends Start {
  readonly production: boolean
  /** The store is in a database elsewhere: the folder keeps nothing that cannot be made again. */
  readonly elsewhere?: boolean
}

export class DataFolder extends Context.Service<
  DataFolder,
  {
    /** What is done where there is no store. */
    readonly absent: "make" | "refuse" | "insist"
  }
>()("@pay/server/DataFolder") {}

/** What may lie in a folder in which nobody has kept anything yet: keys are put there by hand. */
const beforehand: ReadonlySet<string> = new Set([
  "keys.json",
  "lost+found",
  `${Backup.fileName}.lock`,
  `${Backup.fileName}.pid`
])

const isFresh = (path: string): boolean => !existsSync(path) || readdirSync(path).every((name) => beforehand.has(name))

const isOpen = (path: string): boolean => (statSync(path).mode & 0o077) !== 0

/** What others may read: the folder, or a file in it. Locks are tightened by whoever takes them. */
const openToOthers = (path: string): ReadonlyArray<string> => {
  const files = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
  return [path, ...files.map(({ name }) => join(path, name))].filter(
    (file) => !/\.(lock|pid)$/.test(file) && isOpen(file)
  )
}

const chmodOf = (path: string): string => `chmod -R go= '${path.replaceAll("'", "'\\''")}'`

/** Made if it is not there; one that others may read is refused in production, and warned of elsewhere. */
export const layer = (path: string, { acceptLoss, elsewhere = false, isNew = false, production }: Options) =>
  Layer.effect(
    DataFolder,
    Effect.gen(function* () {
      const absent = isNew ? "insist" : !production && isFresh(path) ? "make" : "refuse"
      if (absent === "refuse" && !elsewhere && acceptLoss === undefined && !existsSync(path))
        return yield* new DataFolderError({
          message: `There is no data folder ${path}: is its volume mounted, and the path right? Give --new to begin with an empty store.`
        })
      yield* Effect.try({
        try: () => mkdirSync(path, { recursive: true, mode: 0o700 }),
        catch: (cause) => new DataFolderError({ message: `The data folder ${path} cannot be made: ${String(cause)}` })
      })
      // A folder that others cannot enter protects its files. Production requires files that only their owner can read all the
      // same.
      const wide = production ? openToOthers(path) : [path].filter(isOpen)
      if (wide.length === 0) return { absent }
      const message = `Others on this machine may read ${wide.join(", ")}: run ${chmodOf(path)}`
      if (production) return yield* new DataFolderError({ message })
      yield* Effect.logWarning(message)
      return { absent }
    })
  )
