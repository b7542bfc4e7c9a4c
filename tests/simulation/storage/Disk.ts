/**
 * The disk of a process of the gateway or a merchant. It makes the files that remain after `kill -9` and, if the library of
 * `tests/disk` records the writes and syncs of this process, after a power cut.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { Chance } from "@pay/crashtest/Chance"
import * as WatchedDisk from "../../disk/WatchedDisk.ts"
import type { ProcessEnd } from "./Storage.ts"

/** A folder in memory, if the machine has one. */
export const fastFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

export interface Disk {
  /** Returns the folder of the running process, or of the next one. */
  readonly folder: () => string
  /** Whether writes and syncs are recorded, and the disk can be full. */
  readonly isWatched: boolean
  /** Applies recorded writes, so that the journal stays short. */
  readonly follow: () => void
  /** Ignores everything that is written from now on. */
  readonly freeze: () => void
  /** Runs `write` and freezes the disk during it: only the beginning of what it writes remains. */
  readonly freezeDuring: (write: () => void, chance: Chance) => void
  /** Keeps everything that was written: the process ended cleanly, or was not killed after all. */
  readonly unfreeze: () => void
  /** Makes the folder of the next process from what this end of a process leaves. */
  readonly afterProcessEnd: (how: ProcessEnd, chance: Chance) => void
  /** Replaces the files that the next process finds by those of a folder. */
  readonly replace: (from: string) => void
  readonly setFull: (isFull: boolean) => void
  /** Removes everything. */
  readonly dispose: () => void
}

/** What a power cut does to writes that were not synced. Each power cut draws one of these lists. */
const lossPatterns: readonly [
  ReadonlyArray<WatchedDisk.WriteOutcome>,
  ...ReadonlyArray<ReadonlyArray<WatchedDisk.WriteOutcome>>
] = [["dropped"], ["kept"], ["torn"], ["kept", "dropped", "torn"]]

/** Whether the file belongs to the store. Each process makes all other files again. */
const isOfStore = (name: string): boolean => /^(gateway\.db(-wal)?|store\.witness(\.new)?)$/.test(name)

export interface Options {
  /** Selects files whose syncs do nothing, so that a test can see that the checks notice it. */
  readonly ignoresSync?: ((name: string) => boolean) | undefined
  /** Selects the files that the next process finds. Default: those of the gateway's store. */
  readonly isKept?: (name: string) => boolean
}

export const make = ({ isKept = isOfStore, ignoresSync = () => false }: Options = {}): Disk => {
  const watched = WatchedDisk.watchedFolder()
  const root = mkdtempSync(join(watched ?? fastFolder, "pay-simulation-"))
  const watch = watched === undefined ? undefined : WatchedDisk.watching(root)
  let turn = 0
  const folder = () => join(root, `${turn}`)
  mkdirSync(folder())
  const follower = watch === undefined ? copying(folder, isKept) : following(watch, folder, ignoresSync, isKept)
  const setFull = (isFull: boolean) => {
    if (watch === undefined) return
    if (isFull) writeFileSync(`${watch.fault}.full`, "")
    else rmSync(`${watch.fault}.full`, { force: true })
  }
  return {
    folder,
    isWatched: watch !== undefined,
    follow: follower.follow,
    freeze: follower.freeze,
    freezeDuring: follower.freezeDuring,
    unfreeze: follower.unfreeze,
    afterProcessEnd: (how, chance) => {
      if (how === "stop") return follower.unfreeze()
      const next = join(root, `${turn + 1}`)
      mkdirSync(next)
      follower.leave(how, chance, next)
      rmSync(folder(), { recursive: true })
      turn += 1
      follower.begin()
    },
    replace: (from) => {
      rmSync(folder(), { recursive: true })
      mkdirSync(folder())
      for (const name of readdirSync(from).filter(isKept)) cpSync(join(from, name), join(folder(), name))
      follower.begin()
    },
    setFull,
    dispose: () => {
      setFull(false)
      follower.unfreeze()
      rmSync(root, { recursive: true })
      rmSync(`${root}.journal`, { force: true })
    }
  }
}

interface Follower {
  readonly follow: () => void
  readonly freeze: () => void
  readonly freezeDuring: (write: () => void, chance: Chance) => void
  readonly unfreeze: () => void
  readonly leave: (how: ProcessEnd, chance: Chance, next: string) => void
  /** Called when the next process has its folder. */
  readonly begin: () => void
}

type IsKept = (name: string) => boolean

const copying = (folder: () => string, isKept: IsKept): Follower => {
  const filesOf = (of: string) => readdirSync(of).filter(isKept)
  const frozen = () => `${folder()}.frozen`
  const freeze = () => {
    if (existsSync(frozen())) return
    mkdirSync(frozen())
    for (const name of filesOf(folder())) cpSync(join(folder(), name), join(frozen(), name))
  }
  return {
    follow: () => {},
    freeze,
    freezeDuring: (write, chance) => {
      if (chance.percent(50)) freeze()
      write()
      freeze()
    },
    unfreeze: () => rmSync(frozen(), { recursive: true, force: true }),
    leave: (_how, _chance, next) => {
      for (const name of filesOf(frozen())) renameSync(join(frozen(), name), join(next, name))
      rmSync(frozen(), { recursive: true })
    },
    begin: () => {}
  }
}

/** The size of a journal at which its writes are applied and removed. */
const longJournalBytes = 4 << 20

const following = (
  watch: WatchedDisk.Watching,
  folder: () => string,
  ignoresSync: (name: string) => boolean,
  isKept: IsKept
): Follower => {
  let disk = new WatchedDisk.Disk()
  let isFrozen = false
  writeFileSync(watch.journal, "", { flag: "a" })

  /** Returns the recorded steps on the store's files since the last call. */
  const steps = (): ReadonlyArray<WatchedDisk.Step> => {
    const prefix = `${basename(watch.data)}/${basename(folder())}/`
    const read = WatchedDisk.steps(watch)
    truncateSync(watch.journal)
    return read
      .filter(({ name }) => name.startsWith(prefix) && isKept(name.slice(prefix.length)))
      .map((step) => ({
        ...step,
        name: step.name.slice(prefix.length),
        data: step.op === "R" ? step.data.subarray(prefix.length) : step.data
      }))
      .filter(({ name, op }) => op !== "S" || !ignoresSync(name))
  }
  const applySteps = () => {
    for (const step of steps()) disk.follow(step)
  }
  return {
    follow: () => {
      if (!isFrozen && statSync(watch.journal).size > longJournalBytes) applySteps()
    },
    freeze: () => {
      if (!isFrozen) applySteps()
      isFrozen = true
    },
    freezeDuring: (write, chance) => {
      applySteps()
      write()
      const written = steps()
      for (const step of written.slice(0, chance.below(written.length + 1))) disk.follow(step)
      isFrozen = true
    },
    unfreeze: () => {
      isFrozen = false
      applySteps()
    },
    leave: (how, chance, next) => {
      const among = chance.oneOf(lossPatterns)
      const outcome = (): WatchedDisk.WriteOutcome =>
        how === "kill" ? "kept" : (among[chance.below(among.length)] ?? "kept")
      disk.leave(next, outcome, () => chance.percent(50))
      truncateSync(watch.journal)
    },
    begin: () => {
      truncateSync(watch.journal)
      isFrozen = false
      disk = new WatchedDisk.Disk()
      for (const name of readdirSync(folder()).filter(isKept)) {
        const data = readFileSync(join(folder(), name))
        for (const op of ["C", "W", "S"] as const) disk.follow({ op, name, offset: 0, data })
      }
    }
  }
}
