export * as Flow from "./Flow.ts"
export * as Steps from "./Steps.ts"
