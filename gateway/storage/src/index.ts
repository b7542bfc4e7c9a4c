export * as Restoring from "./Restoring.ts"
export * as SqliteStore from "./SqliteStore.ts"
