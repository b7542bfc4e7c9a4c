/** Errors of SQLite, as one tagged error with a reason. Callers decide by the reason, never by the message. */
import { Schema } from "effect"

/** The kind of constraint that a write violated. */
const ConstraintKind = Schema.Literals([
  "unique",
  "primaryKey",
  "notNull",
  "check",
  "foreignKey",
  "datatype",
  "trigger",
  "other"
])
export type ConstraintKind = typeof ConstraintKind.Type

/** Another connection has the lock, and did not release it in time. */
export const Busy = Schema.TaggedStruct("Busy", {})
/** The disk, or the page limit of the database, is used up. */
export const Full = Schema.TaggedStruct("Full", {})
/** The file is damaged, or is not a database. */
const Corrupt = Schema.TaggedStruct("Corrupt", {})
/** The database was opened read-only, or the file may not be written. */
export const ReadOnly = Schema.TaggedStruct("ReadOnly", {})
/** The scope that opened the database has ended. */
export const Closed = Schema.TaggedStruct("Closed", {})
/**
 * A write violated a constraint. `columns`: the columns as `table.column`; `name`: the expression index or check, if it
 * is one.
 */
export const Constraint = Schema.TaggedStruct("Constraint", {
  kind: ConstraintKind,
  columns: Schema.Array(Schema.String),
  name: Schema.optionalKey(Schema.String)
})
/** Another process, or another part of this one, has the file open for writing. `pid`: the id in its pid file. */
export const InUse = Schema.TaggedStruct("InUse", { path: Schema.String, pid: Schema.optionalKey(Schema.Int) })
/** The file has several names (hard links). Each name has a log of its own, so two processes would not see each other's commits. */
export const Linked = Schema.TaggedStruct("Linked", { path: Schema.String })
/** The file that was opened is not under its name any more: it was removed, renamed or replaced. */
export const Gone = Schema.TaggedStruct("Gone", { path: Schema.String })
/** Anything else, with SQLite's extended result code (https://sqlite.org/rescode.html), 0 if it was not SQLite. */
export const Other = Schema.TaggedStruct("Other", { code: Schema.Int })

const Reason = Schema.Union([Busy, Full, Corrupt, ReadOnly, Closed, Constraint, InUse, Linked, Gone, Other])
export type Reason = typeof Reason.Type

/** A statement, or the opening of a database, failed; nothing of it was written. */
export class SqliteError extends Schema.TaggedError<SqliteError>()("SqliteError", {
  reason: Reason,
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {
  /** Whether the same call may succeed soon without any change. */
  get retryable(): boolean {
    return this.reason._tag === "Busy"
  }
}

/**
 * Converts an exception of `node:sqlite`. An exception that is not from SQLite becomes `Other` with code 0. The message names the
 * `path` and what to do.
 */
export const fromUnknown = (cause: unknown, path?: string): SqliteError => {
  if (cause instanceof SqliteError) return cause
  const message = cause instanceof Error && cause.message !== "" ? cause.message : String(cause)
  const extended = codeOf(cause)
  const reason = reasonOf(extended, message)
  if (path === undefined) return new SqliteError({ reason, message, cause })
  const remedy = remedies.get(extended & 0xff)
  return new SqliteError({
    reason,
    message: `${path}: ${message}${remedy === undefined ? "" : `. ${remedy}`}`,
    cause
  })
}

/** Whether SQLite raised the error, and not the code that called it. */
export const isFromSqlite = (cause: unknown): boolean => cause instanceof SqliteError || codeOf(cause) !== 0

/** Whether the environment failed (disk, file, locks), so that every other statement would fail too. */
export const isEnvironmental = (cause: unknown): boolean =>
  cause instanceof SqliteError ? cause.reason._tag !== "Constraint" : environmental.has(codeOf(cause) & 0xff)

const failedWrite = 778

/**
 * Whether a write was impossible, so that nothing after it was written: no room on the disk, the limit of a quota or of a file's
 * size, or a failure of the disk. SQLite reports all but the first as a failed write.
 */
export const isWithoutRoom = (failure: unknown): boolean =>
  failure instanceof SqliteError &&
  (failure.reason._tag === "Full" || (failure.reason._tag === "Other" && failure.reason.code === failedWrite))

const codeOf = (cause: unknown): number =>
  cause instanceof Error && "errcode" in cause && typeof cause.errcode === "number" ? cause.errcode : 0

const code = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  interrupt: 9,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  constraint: 19,
  notADatabase: 26
}

/** What to do after a failure of the environment, by the code. */
const remedies = new Map([
  [code.busy, "Another connection has locked it: stop that program, or wait for it"],
  [code.readOnly, "Mount its file system for writing, and let this account write to the file and its folder"],
  [code.io, "Check the disk, its quota and its file system"],
  [code.corrupt, "Restore a copy"],
  [code.full, "Make room on its disk"],
  [code.cannotOpen, "Its folder must exist, and this account must be allowed to write to both"],
  [code.protocol, "Its file system cannot lock files: use a local disk"],
  [code.notADatabase, "Name another file, or restore a copy"]
])

const environmental = new Set(Object.values(code).filter((value) => value !== code.constraint))

const constraintKinds = new Map<number, ConstraintKind>([
  [275, "check"],
  [787, "foreignKey"],
  [1299, "notNull"],
  [1555, "primaryKey"],
  [1811, "trigger"],
  [2067, "unique"],
  [2579, "primaryKey"],
  [3091, "datatype"]
])

const reasonOf = (extended: number, message: string): Reason => {
  switch (extended & 0xff) {
    case code.busy:
    case code.locked:
      return Busy.make({})
    case code.full:
      return Full.make({})
    case code.corrupt:
    case code.notADatabase:
      return Corrupt.make({})
    case code.readOnly:
      return ReadOnly.make({})
    case code.constraint:
      return constraintOf(constraintKinds.get(extended) ?? "other", message)
    default:
      return Other.make({ code: extended })
  }
}

/**
 * Reads the violated constraint from the message, which alone contains it: `UNIQUE constraint failed: t.a, t.b`, or
 * `index 'name'`.
 */
const constraintOf = (kind: ConstraintKind, message: string): Reason => {
  const broken = /constraint failed: (?:index '(?<index>.+)'|(?<rest>.+))$/s.exec(message)?.groups
  if (broken?.index !== undefined) return Constraint.make({ kind, columns: [], name: broken.index })
  if (broken?.rest === undefined) return Constraint.make({ kind, columns: [] })
  return kind === "check"
    ? Constraint.make({ kind, columns: [], name: broken.rest })
    : Constraint.make({ kind, columns: broken.rest.split(", ") })
}
