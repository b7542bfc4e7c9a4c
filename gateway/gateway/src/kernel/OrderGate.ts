/**
 * Whether orders may be created, moved and ended now. The gate is closed while the gateway does not know what bank and rail have booked
 * for its orders. Meanwhile orders are only shown, and their callbacks are delivered.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./Store.ts"

export class OrderGate extends Context.Service<
  OrderGate,
  {
    /** Milliseconds after which to try again; `undefined` if the gate is open. */
    readonly closedForMs: Effect.Effect<number | undefined, StoreUnavailable>
  }
>()("@pay/gateway/OrderGate") {}
