/**
 * Detects that a store lost commits before it is opened. Each COMMIT increases a number in the database, and the number is
 * written to a witness file outside of the database before a caller gets its answer. When a store is opened, it must have at
 * least the number of its witness, and its log must be complete if the store was not closed properly. Otherwise it is
 * refused, or opened as restored if the operator accepts the loss.
 */
import { randomUUID } from "node:crypto"
import { closeSync, existsSync, statSync } from "node:fs"
import { Clock, Effect, type Scope } from "effect"
import { type Connection, lockAlone, type Statements, share } from "../Connection.ts"
import * as Database from "../Database.ts"
import * as Owner from "../Owner.ts"
import { Closed, InUse, SqliteError } from "../SqliteError.ts"
import * as FileDigest from "./FileDigest.ts"
import * as Judgement from "./Judgement.ts"
import * as KeptLog from "./KeptLog.ts"
import type { Mark, StoreMark } from "./Mark.ts"
import * as Opening from "./Opening.ts"
import { namesFile, type Options, onlyWayOn, refusalOf, simply } from "./Refusal.ts"
import * as StoreMarkTable from "./StoreMarkTable.ts"
import { StoreRefused } from "./StoreRefused.ts"
import * as Witness from "./Witness.ts"
import * as WriteAheadLog from "./WriteAheadLog.ts"

export { FileOf } from "./Opening.ts"
export type { Options } from "./Refusal.ts"
export { waysOfCopy } from "./Refusal.ts"
export { StoreRefused } from "./StoreRefused.ts"
export { read as witness, Sync } from "./Witness.ts"

/** The result of the check of a store before it is opened. */
export interface Examined {
  readonly evidence: Judgement.Evidence
  readonly judgement: Judgement.Judgement
}

/** Checks the files of a store that this process has reserved. Changes nothing. */
export const examine = (path: string, options: Options): Effect.Effect<Examined, StoreRefused | SqliteError> =>
  Effect.gen(function* () {
    const evidence = yield* gathered(path, options, yield* Opening.FileOf)
    const existing = evidence.isThere ? Judgement.storeMarkOf(evidence) : undefined
    const pid = existing?.state === "open" ? Opening.runningElsewhere(existing.owner, evidence.file ?? "") : undefined
    if (pid !== undefined) return yield* Owner.inUse(path, pid)
    yield* attempt(() => Owner.refuseLinked(path), path)
    const judgement = Judgement.judge(evidence)
    const refusal = refusalOf(path, judgement, options)
    return refusal === undefined ? { evidence, judgement } : yield* refusal
  })

/** Returns the business time of the last commit of a copy that no process has open; undefined if it is unknown. */
export const lastCommitAtMs = (path: string): Effect.Effect<number | undefined, SqliteError> =>
  attempt(() => StoreMarkTable.inFile(path).storeMark?.committedAtMs)

const gathered = (
  path: string,
  { mayLackLog = false, witness: witnessPath }: Options,
  fileOf: (path: string) => string
) =>
  Effect.try({
    try: (): Judgement.Evidence => {
      const isThere = existsSync(path) && statSync(path).size > 0
      const { page, storeMark } = isThere ? lookedAt(path) : { storeMark: undefined, page: undefined }
      const testimony: Witness.Testimony = witnessPath === undefined ? { _tag: "Missing" } : witnessed(witnessPath)
      return {
        path,
        witnessPath,
        isThere,
        main: storeMark,
        log: WriteAheadLog.read(`${path}-wal`, page),
        mayLackLog,
        testimony,
        digests: storeMark?.state === "closed" ? compared(path, storeMark.owner, testimony) : undefined,
        file: isThere ? fileOf(path) : undefined
      }
    },
    catch: (cause) =>
      cause instanceof StoreRefused
        ? cause
        : simply("damaged", `${path} cannot be read: ${reason(cause)}. ${onlyWayOn}`)
  })

/** Compares the database file with its digest from its last closing; undefined if there is no digest of it. */
const compared = (path: string, owner: string, testimony: Witness.Testimony): Judgement.Evidence["digests"] => {
  const files = testimony._tag === "Read" ? testimony.files : []
  const was = files.find((file) => FileDigest.isOf(file, owner))
  return was === undefined ? undefined : { is: FileDigest.of(path, owner), was }
}

const witnessed = (path: string): Witness.Testimony => {
  try {
    return Witness.read(path)
  } catch (cause) {
    throw simply("unwitnessed", `The witness ${path} cannot be read: ${reason(cause)}. ${namesFile}`)
  }
}

/**
 * Reads the store's own row. If a crash interrupted the checkpoint of the log, the file can be read only together with its
 * log.
 */
const lookedAt = (path: string): StoreMarkTable.Main => {
  try {
    return StoreMarkTable.inFile(path)
  } catch (cause) {
    if (WriteAheadLog.read(`${path}-wal`, undefined).state !== "read") throw cause
    return StoreMarkTable.withLog(path)
  }
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Keeps the log file, even an empty one, until the scope ends. The returned effect ends this before. */
const keepLog = ({ evidence }: Examined) =>
  evidence.isThere && evidence.log.state !== "absent" ? KeptLog.keep(evidence.path) : Effect.succeed(Effect.void)

/**
 * Opens an examined store that this process has reserved, and takes it over. No other process can read or write the file until
 * `takeOver` has ended, so that the mark of this opening is in the file before another process looks for it. After a failure the
 * files are left as they were found.
 */
export const open = Effect.fnUntraced(function* <A, E, R>(
  examined: Examined,
  path: string,
  options: Database.Options,
  takeOver: (database: Database.Database) => Effect.Effect<A, E, R>
): Effect.fn.Return<{ readonly database: Database.Database; readonly taken: A }, E | SqliteError, R | Scope.Scope> {
  const letGo = yield* keepLog(examined)
  const database = yield* Database.connect(path, options)
  // While this process has another connection, it cannot lock the file.
  yield* letGo
  // Closing the last connection writes the log into the database, which must not happen to a damaged one.
  const leave = Effect.suspend(() => attempt(() => share(database.connection), path)).pipe(
    Effect.andThen(keepLog(examined)),
    Effect.ignore,
    Effect.andThen(Effect.sync(() => database.connection.abandon()))
  )
  const taken = yield* Effect.onError(
    lockFile(database, examined).pipe(Effect.flatMap((letGo) => Effect.tap(takeOver(database), letGo))),
    () => leave
  )
  yield* attempt(() => share(database.connection), path)
  return { database, taken }
})

/**
 * Locks the file itself. If others have it open, they only read, provided that the last opening for writing had the lock that this
 * process has now: its process has ended.
 */
const lockFile = Effect.fnUntraced(function* ({ connection, path }: Database.Database, examined: Examined) {
  if (yield* attempt(() => lockAlone(connection), path)) return Effect.void
  const last = yield* attempt(() => StoreMarkTable.find(connection), path)
  if (last === undefined || !Opening.isUnder(last.owner, Owner.lockOf(path))) return yield* Owner.inUse(path)
  const letGo = yield* keepLog(examined)
  // An attempt to lock the file keeps further readers out until its connection is closed.
  connection.abandon()
  return letGo
})

const { attempt } = Database

/** Checks every page of a store that was not closed properly, or that was restored. SQLite itself checks none. */
export const check = ({ evidence, judgement }: Examined, { connection, path }: Database.Database) =>
  Effect.suspend(() => {
    if (judgement._tag === "Absent" || (judgement._tag === "Sound" && judgement.storeMark.state === "closed"))
      return Effect.void
    if (!evidence.isThere) return Effect.void
    return attempt(() => connection.prepare("PRAGMA integrity_check(3)").all()).pipe(
      Effect.mapError(({ message }) => [message]),
      Effect.flatMap((rows) => {
        const wrong = rows.map((row) => String(row.integrity_check)).filter((text) => text !== "ok")
        return wrong.length === 0 ? Effect.void : Effect.fail(wrong)
      }),
      Effect.mapError((wrong) => simply("damaged", `${path} is damaged: ${wrong.join("; ")}. ${onlyWayOn}`))
    )
  })

/** The part of the group commit that counts commits. */
export interface Sequence {
  /** Runs in each transaction that changed rows. Throws if another process has taken the store over. */
  readonly advance: (statements: Statements, nowMs: number) => void
  /** Runs after the COMMIT, before a caller gets its answer. */
  readonly acknowledge: () => void
}

/**
 * Takes the store over until the scope ends, so that only this opening may write. `onOther` runs in the commit that takes over a
 * copy, or a store in which something is missing. Such a store gets another identifier, so that its former witness does not apply.
 */
export const begin = Effect.fnUntraced(function* (
  { connection, path }: Database.Database,
  { evidence, judgement }: Examined,
  options: Options,
  onOther: (statements: Statements) => void = () => {}
): Effect.fn.Return<Sequence, SqliteError | StoreRefused, Scope.Scope> {
  const { isCopy = false, isRestored = false, witness: witnessPath } = options
  const owner = Opening.make((yield* Opening.FileOf)(path), Owner.lockOf(path))
  const nowMs = yield* Clock.currentTimeMillis
  const recorded = yield* attempt(() => StoreMarkTable.find(connection))
  const isOther = isCopy || isRestored || judgement._tag === "Loss"
  const beginsAnew = isOther || recorded === undefined || recorded.state === "unwitnessed"
  const storeMark: StoreMark = {
    sequence: recorded?.sequence ?? 0,
    committedAtMs: recorded?.committedAtMs ?? nowMs,
    createdAtMs: recorded?.createdAtMs ?? nowMs,
    storeId: beginsAnew ? randomUUID() : recorded.storeId,
    state: beginsAnew ? "unwitnessed" : "open",
    owner
  }
  const makesWitness = !isCopy && (beginsAnew || evidence.testimony._tag !== "Read")
  if (witnessPath !== undefined && makesWitness) yield* written(witnessPath, () => Witness.probe(witnessPath))
  yield* attempt(() =>
    committed(connection, () => {
      StoreMarkTable.set(connection, storeMark)
      if (isOther) onOther(connection)
    })
  )
  if (witnessPath !== undefined && makesWitness)
    yield* written(witnessPath, () => Witness.create(witnessPath, storeMark))
  if (beginsAnew && !isCopy)
    yield* attempt(() => committed(connection, () => StoreMarkTable.set(connection, { ...storeMark, state: "open" })))
  // The mark of this opening must be in the database file: in the log alone it could be lost together with the log.
  yield* attempt(() => connection.exec("PRAGMA wal_checkpoint(TRUNCATE)"))
  const context = yield* Effect.context<never>()
  const witness =
    witnessPath === undefined || isCopy
      ? undefined
      : yield* Effect.acquireRelease(
          written(witnessPath, () => new Witness.Witness(witnessPath, context)),
          ({ close }) => close
        )
  let reached: Mark = storeMark
  /** The mark of the last commit that was acknowledged to a caller. If a COMMIT failed, it is behind `reached`. */
  let acknowledged: Mark = storeMark
  let hasEnded = false
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      hasEnded = true
      // If this fails, the store has not ended in good order. Its next opening detects that.
      return Effect.ignore(attempt(() => closed(connection, path, owner, acknowledged, witness)))
    })
  )
  return {
    advance: (statements, nowMs) => {
      if (hasEnded) throw new SqliteError({ reason: Closed.make({}), message: `${path} was closed` })
      const mark = StoreMarkTable.advance(statements, owner, nowMs)
      if (mark === undefined)
        throw new SqliteError({
          reason: InUse.make({ path }),
          message: `${path} was taken over by another process; this one writes nothing more`
        })
      reached = mark
    },
    acknowledge: () => {
      witness?.write(reached)
      acknowledged = reached
    }
  }
})

const closed = (
  connection: Connection,
  path: string,
  owner: string,
  acknowledged: Mark,
  witness?: Witness.Witness
): void => {
  const mark = committed(connection, () => StoreMarkTable.close(connection, owner))
  if (witness === undefined || mark === undefined || mark.sequence < acknowledged.sequence) return
  const checkpoint = connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()
  // A reader can prevent the checkpoint. Then the database file alone is not complete, and its digest is not stored.
  if (checkpoint?.busy === 0)
    witness.write(
      mark,
      FileDigest.of(path, owner, (file) => connection.afterClose(() => closeSync(file)))
    )
}

const written = <A>(path: string, write: () => A): Effect.Effect<A, StoreRefused> =>
  Effect.try({
    try: write,
    catch: (cause) => simply("unwitnessed", `The witness ${path} cannot be written: ${reason(cause)}. ${namesFile}`)
  })

const committed = <A>(connection: Connection, write: () => A): A => {
  connection.begin()
  try {
    const written = write()
    connection.commit()
    return written
  } finally {
    connection.rollback()
  }
}
