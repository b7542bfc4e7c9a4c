/** What capabilities add to the answer to `status`. */
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Context, Effect } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type { Order } from "./Order.ts"

export interface Section {
  readonly fields: Partial<StatusResponse>
  /** Whether a request of this number is one of the capability's own, of which no row is kept beside it. */
  readonly owns?: (requestId: string) => boolean
}

/** Undefined: the capability has no part in the order. */
export type Load = (order: Order) => Effect.Effect<Section | undefined, StoreUnavailable>

/** Later ones win where two say the same field. */
export class StatusSections extends Context.Service<StatusSections, ReadonlyArray<Load>>()(
  "@pay/gateway/StatusSections"
) {}

export const load = Effect.fnUntraced(function* (loads: StatusSections["Service"], order: Order) {
  const sections = yield* Effect.forEach(loads, (each) => each(order))
  return sections.filter((section) => section !== undefined)
})
