/** Finds what an order belongs to: each origin is read by the capability that it names. */
import { Context, Effect } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import type { Order } from "./Order.ts"
import type { OrderRequest } from "./OrderRequest.ts"
import * as Origin from "./Origin.ts"
import type { Continuation } from "./outcomes/OutcomeContext.ts"

export type Load = (order: Order, request: OrderRequest) => Effect.Effect<Continuation | undefined, StoreUnavailable>

/** What each origin loads when a request of its order is judged. */
export class Continuations extends Context.Service<Continuations, Readonly<Record<Origin.Origin, Load>>>()(
  "@pay/gateway/Continuations"
) {}

/** An order that stands alone. */
export const none: Load = () => Effect.undefined

/** Undefined: the request's outcome is the order's alone. */
export const load = (continuations: Continuations["Service"], order: Order, request: OrderRequest) =>
  continuations[Origin.of(order, request)](order, request)
