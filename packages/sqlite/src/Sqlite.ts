/**
 * SQLite as Node has it. It is taken by name when the module runs: an `import` of a module that an older Node lacks would fail before any
 * module could say why.
 */
import "./OldNode.ts"
import type * as Sqlite from "node:sqlite"

export const { backup, DatabaseSync } = process.getBuiltinModule("node:sqlite")
export type DatabaseSync = Sqlite.DatabaseSync
export type StatementSync = Sqlite.StatementSync
