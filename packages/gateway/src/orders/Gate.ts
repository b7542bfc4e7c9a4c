/** What a payment goes through before its bank is asked: opened in the commit that creates its order. */

import type { AgendaItem } from "../kernel/AgendaItem.ts"
import type * as Decision from "../kernel/Decision.ts"
import type { Claim } from "../kernel/Job.ts"
import type { Order } from "./Order.ts"

/** What is written with the order, and the job that goes on instead of the bank's. */
export interface Opened {
  readonly writes: ReadonlyArray<Decision.Write>
  readonly item: AgendaItem
}

export type Gate = (order: Order, at: { readonly nowMs: number; readonly claim: Claim | undefined }) => Opened
