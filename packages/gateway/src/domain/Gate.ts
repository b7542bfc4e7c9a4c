/** What a payment goes through before its bank is asked: opened in the commit that creates its order. */
import type { Claim } from "../kernel/Job.ts"
import type * as Decision from "./Decision.ts"
import type { AgendaItem } from "./entities/AgendaItem.ts"
import type { Order } from "./entities/Order.ts"

/** What is written with the order, and the job that goes on instead of the bank's. */
export interface Opened {
  readonly writes: ReadonlyArray<Decision.Write>
  readonly item: AgendaItem
}

export type Gate = (order: Order, at: { readonly nowMs: number; readonly claim: Claim | undefined }) => Opened
