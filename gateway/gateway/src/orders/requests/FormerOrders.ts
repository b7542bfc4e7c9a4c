/**
 * What another gateway may have done for this store's orders: it worked on the same store until a copy of that became this one. `orders`
 * and what creates orders do not know copies; `restore` provides this service.
 */
import { Context, Effect } from "effect"
import { refuse } from "../../kernel/Answer.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import type * as Register from "../decide/Register.ts"
import type * as Actions from "../record/Actions.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"

/** A request that may be for an order that was already made: the action in its reference, and its amounts. */
export interface NewRequest {
  readonly action: Actions.Action
  readonly amountsMinor: ReadonlyArray<number>
  readonly currency: string
}

/** An order that was already made, and that is registered again. */
export interface MadeOrder {
  readonly orderId: string
  readonly createdAtMs: number
  /** The acquirer of its payment, as orders keep it; undefined if it is not known. */
  readonly acquirer?: string | null | undefined
  /** Returns the registration as one of an order that was already made: it is asked about, and nothing is sent. */
  readonly complete: (registered: Register.Registered, nowMs: number) => Register.Registered
}

/** A follow-up that the merchant requests. */
export interface FollowUpRequest {
  readonly operation: string
  /** Undefined for everything that was left. */
  readonly amountMinor: number | undefined
  /** Whether nothing is left now. */
  readonly isWhole: boolean
}

/** A copy that was taken into use. */
export interface Copied {
  readonly atMs: number
  /** The time since the copy's last commit; undefined if it is unknown. */
  readonly afterMs: number | undefined
}

export class FormerOrders extends Context.Service<
  FormerOrders,
  {
    /** Returns the order that was made under the merchant's number. `differs`: it has another amount, currency or operation. */
    readonly find: (
      merchantId: string,
      clientOrderId: string,
      request: NewRequest
    ) => Effect.Effect<MadeOrder | "differs" | undefined, StoreUnavailable>
    /** Returns the registered request that this request of the merchant takes over. */
    readonly unclaimed: (
      order: Order,
      request: FollowUpRequest
    ) => Effect.Effect<OrderRequest | undefined, StoreUnavailable>
    /** When the copy was taken into use; undefined if this store is no copy. */
    readonly copied: Effect.Effect<Copied | undefined, StoreUnavailable>
  }
>()("@pay/gateway/FormerOrders") {}

/** Finds an order that was already made, and refuses when another amount, currency or operation was booked under its number. */
export const orRefuse = Effect.map(FormerOrders, ({ find }) =>
  Effect.fnUntraced(function* (merchantId: string, clientOrderId: string, request: NewRequest) {
    const made = yield* find(merchantId, clientOrderId, request)
    if (made !== "differs") return made
    return yield* refuse("contentDiffers", {
      field: "client_orderid",
      clientOrderId,
      message:
        "client_orderid was already used with another amount, currency or operation, or for a payment whose merchant the bank does not name: ask the gateway's operator"
    })
  })
)
