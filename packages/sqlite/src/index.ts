export * as Database from "./Database.ts"
export * as GroupCommit from "./GroupCommit.ts"
export * as Migration from "./Migration.ts"
export * as SqliteError from "./SqliteError.ts"
