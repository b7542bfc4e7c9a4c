/** The port of the store, and what an implementation is made of besides `Entity` and `Decision`: rows, claims, audit, time. */
export * as Audit from "../kernel/Audit.ts"
export { AuthClock, WallTime } from "../kernel/AuthClock.ts"
export * as FairQueue from "../kernel/FairQueue.ts"
export { Ids } from "../kernel/Ids.ts"
export * as Spans from "../kernel/Spans.ts"
export * from "../kernel/Store.ts"
export * as StoreRow from "../kernel/StoreRow.ts"
export * as Transact from "../kernel/Transact.ts"
