/** Decides whether a store that is about to be opened is complete, from its files, before SQLite opens them. */
import type { Mark, StoreMark } from "./Mark.ts"
import * as Opening from "./Opening.ts"
import type { Why } from "./StoreRefused.ts"
import type { Testimony } from "./Witness.ts"
import type { Log } from "./WriteAheadLog.ts"

export interface Evidence {
  readonly path: string
  /** Path of the witness; undefined if the store has none. */
  readonly witnessPath: string | undefined
  /** Whether there is a database file that is not empty. */
  readonly isThere: boolean
  /** The store's own row in the database file without its log; undefined if there is none, or if it cannot be read. */
  readonly main: StoreMark | undefined
  readonly log: Log
  /** Whether the program may end without closing the file. Node then closes it, writes the log into it and removes the log. */
  readonly mayLackLog: boolean
  readonly testimony: Testimony
  /**
   * The digest of the database file now, and the one from its last closing; undefined if the store was not closed properly or
   * no digest was stored.
   */
  readonly digests: { readonly is: string; readonly was: string } | undefined
  /** The identity of the database file, as the module `Opening` makes it; undefined if there is no file. */
  readonly file: string | undefined
}

/** Something is missing, or it is unknown whether something is. The store may be opened as restored. */
export interface Loss {
  readonly _tag: "Loss"
  readonly why: Why
  readonly what: string
  readonly missing: number | undefined
  /** Business time of the last commit in the store; undefined if unknown. */
  readonly sinceMs: number | undefined
}

export type Judgement =
  | { readonly _tag: "Absent" }
  /** No process has taken the store over yet: the process that created the file ended before that. */
  | { readonly _tag: "Unmarked" }
  | { readonly _tag: "Sound"; readonly storeMark: StoreMark }
  | Loss
  /** The files do not belong together. */
  | { readonly _tag: "Mixed"; readonly what: string }

const at = (ms: number): string => new Date(ms).toISOString()

/** Returns the store's own row after SQLite has applied the log. */
export const storeMarkOf = ({ log, main }: Evidence): StoreMark | undefined => log.last ?? main

export const judge = (evidence: Evidence): Judgement => {
  const storeMark = storeMarkOf(evidence)
  if (!evidence.isThere) return missingFile(evidence)
  if (isMixed(evidence)) {
    const what = `${evidence.path} is older than the log beside it, ${evidence.path}-wal: one of them was replaced`
    return { _tag: "Mixed", what }
  }
  const logLoss = lossOfLog(evidence, storeMark)
  if (storeMark === undefined) return logLoss ?? lossOfUnmarked(evidence) ?? { _tag: "Unmarked" }
  const copied = elsewhere(evidence, storeMark)
  const sound = copied ?? { _tag: "Sound", storeMark }
  if (storeMark.state === "unwitnessed") return sound
  const loss = lossByWitness(evidence, storeMark, logLoss) ?? logLoss ?? changed(evidence, storeMark)
  if (loss === undefined) return sound
  return copied === undefined ? loss : { ...loss, what: `${copied.what}; and ${loss.what}` }
}

const missingFile = ({ log, path, testimony, witnessPath }: Evidence): Judgement => {
  const gone = (why: string, mark?: Mark): Loss => ({
    _tag: "Loss",
    why: "gone",
    what: `${path} is not there, but ${why}`,
    missing: mark?.sequence,
    sinceMs: mark?.createdAtMs
  })
  if (testimony._tag === "Read" && testimony.mark.sequence > 0)
    return gone(`its witness ${witnessPath} has seen a store: ${count(testimony.mark.sequence)}`, testimony.mark)
  if (testimony._tag === "Damaged") return gone(`its witness ${witnessPath} is; that is damaged, too`)
  if (log.state === "read" || log.state === "damaged") return gone(`its log ${path}-wal is`)
  return { _tag: "Absent" }
}

/**
 * Whether the log does not belong to the database file. A log starts with the commit that follows the one in the file at that
 * time. Taking a store over changes its identifier in the log.
 */
const isMixed = ({ log: { first }, main }: Evidence): boolean =>
  main !== undefined &&
  first !== undefined &&
  (first.sequence > main.sequence + 1 ||
    (first.storeId !== main.storeId && main.state !== "unwitnessed" && first.state !== "unwitnessed"))

const lossOfLog = ({ log, main, mayLackLog, path }: Evidence, storeMark: StoreMark | undefined): Loss | undefined => {
  const loss = (what: string, missing?: number): Loss => ({
    _tag: "Loss",
    why: "log",
    what,
    missing,
    sinceMs: storeMark?.committedAtMs
  })
  if (log.state === "damaged") return loss(`the log ${path}-wal is damaged from its start`)
  if (log.state === "absent" && main?.state === "open" && !mayLackLog)
    return loss(`${path} was not closed cleanly, and its log ${path}-wal is missing`)
  // The last transaction may be incomplete after a power cut; it was never acknowledged.
  const furthest = log.beyond?.sequence ?? 0
  const reached = storeMark?.sequence ?? 0
  if (furthest > reached + 1)
    return loss(
      `the log ${path}-wal is damaged before its last commit: ${count(furthest - reached)} after it`,
      furthest - reached
    )
  return log.commitsBeyond > 1 ? loss(`the log ${path}-wal is damaged before its last commit`) : undefined
}

const lossOfUnmarked = ({ path, testimony, witnessPath }: Evidence): Loss | undefined =>
  testimony._tag === "Read" && testimony.mark.sequence > 0
    ? {
        _tag: "Loss",
        why: "behind",
        what: `${path} is no store, but its witness ${witnessPath} has seen one: ${count(testimony.mark.sequence)}`,
        missing: testimony.mark.sequence,
        sinceMs: undefined
      }
    : undefined

const lossByWitness = (
  { log, path, testimony, witnessPath }: Evidence,
  storeMark: StoreMark,
  logLoss: Loss | undefined
): Loss | undefined => {
  if (witnessPath === undefined) return undefined
  const { committedAtMs: sinceMs, sequence, state, storeId } = storeMark
  const loss = (why: Why, what: string, missing?: number): Loss => ({ _tag: "Loss", why, what, missing, sinceMs })
  if (testimony._tag !== "Read") {
    // Without its log, an open store may have had commits even if the database file has none.
    if (sequence === 0 && !(state === "open" && log.state === "absent")) return undefined
    const how =
      testimony._tag === "Missing"
        ? "is not there: mount its disk, or, if the setting witness changed, move the file to its new place. Without the witness,"
        : "is damaged:"
    return loss(
      "unwitnessed",
      `the witness ${witnessPath} of ${path} ${how} it is unknown whether the store is complete`
    )
  }
  const { mark } = testimony
  if (mark.storeId !== storeId)
    return loss(
      "unwitnessed",
      `the witness ${witnessPath} is another store's: ${path} was replaced, or its own witness was lost`
    )
  if (mark.sequence <= sequence) return undefined
  const missing = Math.max(mark.sequence - sequence, logLoss?.missing ?? 0)
  const because = logLoss === undefined ? "" : `; ${logLoss.what}`
  return loss(
    logLoss === undefined ? "behind" : "log",
    `${path} is behind its witness ${witnessPath}: ${count(missing)}, the last at ${at(mark.committedAtMs)}${because}`,
    missing
  )
}

/** The file is a copy: whether the original was used since, and what it sent to the bank, is unknown. */
const elsewhere = ({ file, path }: Evidence, { committedAtMs: sinceMs, owner }: StoreMark): Loss | undefined =>
  file === undefined || Opening.isOf(owner, file)
    ? undefined
    : {
        _tag: "Loss",
        why: "elsewhere",
        what: `${path} is not the file in which this store was written last: it was copied, or moved to another disk`,
        missing: undefined,
        sinceMs
      }

const changed = ({ digests, path }: Evidence, { committedAtMs: sinceMs }: StoreMark): Loss | undefined =>
  digests === undefined || digests.is === digests.was
    ? undefined
    : {
        _tag: "Loss",
        why: "changed",
        what: `${path} is not as it was left when it was closed: another program changed it, or its disk is damaged`,
        missing: undefined,
        sinceMs
      }

const count = (commits: number): string => (commits === 1 ? "1 commit is missing" : `${commits} commits are missing`)
