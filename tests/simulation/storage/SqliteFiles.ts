/**
 * The SQLite engine on real files as the storage of the simulated gateway. Each process must find everything that the previous one has
 * committed. Missing rows are reported as problems of the run.
 */
import { fdatasyncSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Chance } from "@pay/crashtest/Chance"
import { Store } from "@pay/gateway/Store"
import type { Intercept } from "@pay/sqlite/Database"
import * as Durability from "@pay/sqlite/Durability"
import * as GroupCommit from "@pay/sqlite/GroupCommit"
import * as Backup from "@pay/storage/Backup"
import * as SqliteStore from "@pay/storage/SqliteStore"
import { Clock, Context, Effect, Layer, Scheduler, type Scope } from "effect"
import * as Content from "./Content.ts"
import * as Disk from "./Disk.ts"
import type { Files, Storage, StoreAtEnd } from "./Storage.ts"

/** Defects that a test plants to see that the checks notice them. */
export interface StorageDefects {
  /** Selects files whose syncs do nothing. */
  readonly ignoresSync?: (name: string) => boolean
  /** The witness is never synced while the store is open. */
  readonly isWitnessUnsynced?: boolean
}

type Sync = (file: number, done: (error: Error | null) => void) => void

export const syncAtOnce: Sync = (file, done) => {
  try {
    fdatasyncSync(file)
    done(null)
  } catch (cause) {
    done(cause instanceof Error ? cause : new Error(String(cause)))
  }
}

export const pathsIn = (folder: string) => ({
  path: join(folder, "gateway.db"),
  witness: join(folder, "store.witness")
})

/** What a fault leaves of the store's file is a copy, and stands for the file itself. */
export const fileOf = () => "1:"

/** Opens the store. Batches start, and the witness is synced, as tasks of the process that opens it. */
export const open = Effect.fnUntraced(function* (
  folder: string,
  {
    afterBatch = () => {},
    intercept,
    sync = syncAtOnce
  }: {
    readonly intercept?: Intercept
    readonly afterBatch?: () => void
    readonly sync?: Sync
  } = {}
): Effect.fn.Return<Store["Service"], SqliteStore.OpenError, Scope.Scope> {
  const scheduler = yield* Scheduler.Scheduler
  const dispatcher = scheduler.makeDispatcher()
  const schedule = (begin: () => void) =>
    dispatcher.scheduleTask(() => {
      begin()
      afterBatch()
    }, 0)
  const store = SqliteStore.layer({ ...pathsIn(folder), ...(intercept === undefined ? {} : { intercept }) })
  const context = yield* Layer.build(Layer.fresh(store)).pipe(
    Effect.provideService(GroupCommit.Schedule, schedule),
    Effect.provideService(Durability.Sync, sync),
    Effect.provideService(Durability.FileOf, fileOf)
  )
  return Context.get(context, Store)
})

export const sqlite = (defects: StorageDefects = {}): Effect.Effect<Storage> =>
  Effect.sync(() => {
    const disk = Disk.make({ ignoresSync: defects.ignoresSync })
    const problems: Array<string> = []
    let storeAtEnd: StoreAtEnd | undefined
    let crashChance: Chance | undefined

    const begin = Effect.gen(function* () {
      disk.unfreeze()
      const folder = disk.folder()
      const { path } = pathsIn(folder)
      const { monotonicTimeNanosUnsafe: nanos } = yield* Clock.Clock
      const commits: Array<bigint> = []
      let hasEnded = false
      const intercept: Intercept = (sql, run) => {
        const chance = crashChance
        if (sql === "COMMIT") commits.push(nanos())
        if (sql !== "COMMIT" || chance === undefined) return run()
        crashChance = undefined
        hasEnded = true
        const before = Content.of(path)
        disk.freezeDuring(run, chance)
        storeAtEnd = { contents: [before, Content.of(path)], commits, endNanos: nanos() }
      }
      const store = yield* open(folder, {
        ...{ intercept, afterBatch: disk.follow },
        ...(defects.isWitnessUnsynced === true ? { sync: (_file, done) => done(null) } : {})
      })
      if (storeAtEnd !== undefined) problems.push(...Content.missing(storeAtEnd.contents, Content.of(path)))
      storeAtEnd = undefined
      // Runs before the store closes.
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          crashChance = undefined
          hasEnded = true
          disk.freeze()
          storeAtEnd ??= { contents: [Content.of(path)], commits, endNanos: nanos() }
        })
      )
      return storeUntilEnd(store, () => hasEnded)
    })

    const files: Files = {
      isWatched: disk.isWatched,
      folder: disk.folder,
      storeAtEnd: () => storeAtEnd,
      problems,
      crashDuringCommit: (chance) => {
        crashChance = chance
      },
      setFull: disk.setFull
    }
    return {
      layer: Layer.effect(Store, begin),
      backup: async () => {
        const content = Content.of(pathsIn(disk.folder()).path)
        return async ({ clock }) => {
          const folder = mkdtempSync(join(Disk.fastFolder, "pay-simulation-restore-"))
          const [file, dataDirectory] = [join(folder, "backup.db"), join(folder, "data")]
          writeFileSync(file, content)
          mkdirSync(dataDirectory)
          await Effect.runPromise(
            Backup.restore({ file, dataDirectory, by: "ada" }).pipe(
              Effect.provideService(Clock.Clock, clock),
              Effect.provideService(Durability.FileOf, fileOf)
            )
          )
          disk.replace(dataDirectory)
          rmSync(folder, { recursive: true })
          storeAtEnd = undefined
        }
      },
      afterProcessEnd: (how, chance) => disk.afterProcessEnd(how, chance),
      dispose: disk.dispose,
      files
    }
  })

/** Interrupts every call of a process after its end. */
const storeUntilEnd = (store: Store["Service"], hasEnded: () => boolean): Store["Service"] => {
  const step = Effect.suspend(() => (hasEnded() ? Effect.interrupt : Effect.void))
  const untilEnd = <A, E>(call: Effect.Effect<A, E>) =>
    Effect.andThen(
      step,
      Effect.tap(call, () => step)
    )
  return {
    exclusive: store.exclusive,
    load: (entity, values, unique) => untilEnd(store.load(entity, values, unique)),
    find: (entity, index, range) => untilEnd(store.find(entity, index, range)),
    claimDue: (claim) => untilEnd(store.claimDue(claim)),
    commit: (decision) => untilEnd(store.commit(decision))
  }
}
