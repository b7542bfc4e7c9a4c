/**
 * Loads the hosted session or recurring payment that an order belongs to. Each origin has a loader of the capability that
 * owns it.
 */
import { Context, Effect } from "effect"
import type { Rows } from "../../kernel/Rows.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"
import type { Continuation } from "../decide/OutcomeContext.ts"
import * as Actions from "../record/Actions.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"

export type Load = (
  rows: Rows,
  order: Order,
  request: OrderRequest
) => Effect.Effect<Continuation | undefined, StoreUnavailable>

/** The loader for each origin. It is called when the outcome of a request is decided. */
export class Continuations extends Context.Service<Continuations, Readonly<Record<Origin, Load>>>()(
  "@pay/gateway/Continuations"
) {}

/** The loader for an order that belongs to nothing else. */
export const none: Load = () => Effect.undefined

/** Loads the continuation of a request's order. Undefined: the request's outcome changes the order alone. */
export const load = (continuations: Continuations["Service"], rows: Rows, order: Order, request: OrderRequest) =>
  continuations[originOf(order, request)](rows, order, request)

/**
 * The origin of an order. It decides what else an outcome of the order changes. `api` means a request of the merchant: its
 * outcome changes the order alone.
 */
export type Origin = "api" | "hosted" | "recurring"

/** Operations whose customer enters the card or the recipient on a hosted page. */
const hostedOperations: ReadonlySet<string> = new Set([
  "SALEFORM",
  "PREAUTHFORM",
  "PAYMENTFORM",
  "ACCOUNT_VERIFICATION_FORM",
  "TRANSFERFORM",
  "PAYOUTFORM"
])

export const isHosted = ({ operation }: Pick<OrderRequest, "operation">): boolean => hostedOperations.has(operation)

/** Returns the origin that an outcome of the request concerns. A follow-up concerns its order alone. */
const originOf = ({ subscriptionId }: Order, request: OrderRequest): Origin => {
  if (isHosted(request)) return "hosted"
  return subscriptionId !== null && Actions.isCreation(request.action) ? "recurring" : "api"
}
