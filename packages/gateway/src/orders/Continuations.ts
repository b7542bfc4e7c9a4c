/** Finds what an order belongs to: each origin is read by the capability that it names. */
import { Context, Effect } from "effect"
import type { StoreUnavailable } from "../kernel/Store.ts"
import * as CardKinds from "./CardKinds.ts"
import type { Order } from "./Order.ts"
import type { OrderRequest } from "./OrderRequest.ts"
import type { Continuation } from "./outcomes/OutcomeContext.ts"

export type Load = (order: Order, request: OrderRequest) => Effect.Effect<Continuation | undefined, StoreUnavailable>

/** What each origin loads when a request of its order is judged. */
export class Continuations extends Context.Service<Continuations, Readonly<Record<Origin, Load>>>()(
  "@pay/gateway/Continuations"
) {}

/** An order that stands alone. */
export const none: Load = () => Effect.undefined

/** Undefined: the request's outcome is the order's alone. */
export const load = (continuations: Continuations["Service"], order: Order, request: OrderRequest) =>
  continuations[originOf(order, request)](order, request)

/**
 * The origin of an order. It decides what else an outcome of the order changes. `api` means a request of the merchant: its
 * outcome changes the order alone.
 */
export type Origin = "api" | "hosted" | "recurring"

/** Operations whose customer comes to a hosted page. */
const hostedOperations: ReadonlySet<string> = new Set([
  "SALEFORM",
  "PREAUTHFORM",
  "PAYMENTFORM",
  "ACCOUNT_VERIFICATION_FORM",
  "TRANSFERFORM",
  "PAYOUTFORM"
])

export const isHosted = ({ operation }: Pick<OrderRequest, "operation">): boolean => hostedOperations.has(operation)

/** Returns the origin that an outcome originOf the request concerns; a follow-up concerns its order alone. */
export const originOf = ({ subscriptionId }: Order, request: OrderRequest): Origin => {
  if (isHosted(request)) return "hosted"
  return subscriptionId !== null && CardKinds.isCreation(request.action) ? "recurring" : "api"
}
