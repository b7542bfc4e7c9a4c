/**
 * The disk beneath a process, the gateway's or a merchant's: what its files are after `kill -9` and, where the library of `tests/disk` notes down
 * every write and sync of this process, what a power cut would leave of them.
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
import * as WatchedDisk from "../../disk/WatchedDisk.ts"
import type { Chance } from "../Chance.ts"

/** In memory, where the machine has that. */
export const fastFolder = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

export type ProcessEnd = "stop" | "kill" | "powerCut"

export interface Disk {
  /** The folder of the process that runs, or that is started next. */
  readonly folder: () => string
  /** Whether it knows what was synced, and can be full. */
  readonly isWatched: boolean
  /** Keeps up with what was written, so that the journal stays short. */
  readonly follow: () => void
  /** Whatever is written from now on does not count. */
  readonly freeze: () => void
  /** Runs `write` and freezes the disk amid it: only the beginning of what it writes counts. */
  readonly freezeDuring: (write: () => void, chance: Chance) => void
  /** It all counts after all: the process ended in good order, or did not get as far as to be killed. */
  readonly unfreeze: () => void
  /** What the end of the process leaves is the folder of the next one. */
  readonly leave: (how: ProcessEnd, chance: Chance) => void
  /** Somebody else has changed the files meanwhile, and synced them. */
  readonly changed: () => void
  readonly setFull: (isFull: boolean) => void
  /** Removes everything. */
  readonly dispose: () => void
}

/** The results of a power cut for writes that were not synced. Each power cut draws one of these lists. */
const lossPatterns: readonly [
  ReadonlyArray<WatchedDisk.WriteOutcome>,
  ...ReadonlyArray<ReadonlyArray<WatchedDisk.WriteOutcome>>
] = [["dropped"], ["kept"], ["torn"], ["kept", "dropped", "torn"]]

/** The files of a store; what lies beside them is made anew by each process. */
export const isOfStore = (name: string): boolean => /^(gateway\.db(-wal)?|store\.witness(\.new)?)$/.test(name)

export interface Options {
  /** Names of files whose syncs do nothing, to see that it is noticed. */
  readonly ignoresSync?: ((name: string) => boolean) | undefined
  /** Names of files that the next process finds. Default: those of the gateway's store. */
  readonly isKept?: (name: string) => boolean
}

export const make = ({ isKept = isOfStore, ignoresSync = () => false }: Options = {}): Disk => {
  const watched = WatchedDisk.watchedFolder()
  const root = mkdtempSync(join(watched ?? fastFolder, "pay-world-"))
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
    leave: (how, chance) => {
      if (how === "stop") return follower.unfreeze()
      const next = join(root, `${turn + 1}`)
      mkdirSync(next)
      follower.leave(how, chance, next)
      rmSync(folder(), { recursive: true })
      turn += 1
      follower.begin()
    },
    changed: follower.begin,
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
  /** The next process has its folder. */
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

/** The size of a journal from which its beginning is followed and forgotten. */
const longBytes = 4 << 20

const following = (
  watch: WatchedDisk.Watching,
  folder: () => string,
  ignoresSync: (name: string) => boolean,
  isKept: IsKept
): Follower => {
  let disk = new WatchedDisk.Disk()
  let isFrozen = false
  writeFileSync(watch.journal, "", { flag: "a" })

  /** What was done to the store's files since the last look. */
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
  const takeUp = () => {
    for (const step of steps()) disk.follow(step)
  }
  return {
    follow: () => {
      if (!isFrozen && statSync(watch.journal).size > longBytes) takeUp()
    },
    freeze: () => {
      if (!isFrozen) takeUp()
      isFrozen = true
    },
    freezeDuring: (write, chance) => {
      takeUp()
      write()
      const written = steps()
      for (const step of written.slice(0, chance.below(written.length + 1))) disk.follow(step)
      isFrozen = true
    },
    unfreeze: () => {
      isFrozen = false
      takeUp()
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
