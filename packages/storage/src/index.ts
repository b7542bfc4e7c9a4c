export * as SqliteStore from "./SqliteStore.ts"
