/** Opens a store on a changed copy of its files. */
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Store } from "@pay/gateway/Store"
import type * as SqliteStore from "@pay/storage/SqliteStore"
import { Effect, type Layer } from "effect"
import * as Content from "./Content.ts"
import * as SqliteFiles from "./SqliteFiles.ts"

export type Outcome =
  | { readonly _tag: "Refused"; readonly why: string; readonly message: string }
  | { readonly _tag: "Opened"; readonly content: Content.Content }

export interface StoreCopy {
  /** The copy. */
  readonly folder: string
  /** Opens the store, reads it and closes it. */
  readonly open: Effect.Effect<Outcome>
  /** Restores these files. */
  readonly restore: (names: ReadonlyArray<string>) => void
}

const whyOf = (error: Layer.Error<ReturnType<typeof SqliteStore.layer>>): string => {
  switch (error._tag) {
    case "StoreRefused":
      return error.why
    case "MigrationError":
    case "SqliteError":
      return error.reason._tag
    default:
      return error._tag
  }
}

/** Runs an effect with a copy of the folder, which is removed afterwards. */
export const on = <A>(folder: string, use: (copy: StoreCopy) => Effect.Effect<A>): Effect.Effect<A> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const copy = mkdtempSync(`${folder}.trial-`)
      cpSync(folder, copy, { recursive: true })
      return copy
    }),
    (copy) =>
      use({
        folder: copy,
        open: opened(copy),
        restore: (names) => {
          for (const name of names) {
            rmSync(join(copy, name), { force: true })
            copyFileSync(join(folder, name), join(copy, name))
          }
        }
      }),
    (copy) => Effect.sync(() => rmSync(copy, { recursive: true }))
  )

const opened = (folder: string): Effect.Effect<Outcome> =>
  Effect.scoped(
    Effect.map(
      SqliteFiles.open(folder),
      (_store: Store["Service"]): Outcome => ({
        _tag: "Opened",
        content: Content.of(SqliteFiles.pathsIn(folder).path)
      })
    )
  ).pipe(
    Effect.catch((error) => Effect.succeed<Outcome>({ _tag: "Refused", why: whyOf(error), message: error.message }))
  )
