/**
 * Whether orders may be created, moved and ended now. The gate is closed while the gateway does not know what bank and rail have booked
 * for its orders, and closed for one order as long as they cannot say it. Meanwhile orders are only shown, and their callbacks are delivered.
 */
import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./Store.ts"

export class OrderGate extends Context.Service<
  OrderGate,
  {
    /**
     * Milliseconds after which to try again; `undefined` if the gate is open. `subject`: the number of an order or of a recurring payment,
     * which may be closed alone.
     */
    readonly closedForMs: (subject?: string) => Effect.Effect<number | undefined, StoreUnavailable>
    /** Whether another gateway may have acted for an order of this age, so that nothing about it is reversed without a person. */
    readonly mayBeOfAnother: (createdAtMs: number) => boolean
  }
>()("@pay/gateway/OrderGate") {}
