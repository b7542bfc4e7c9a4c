/** Where an order comes from: it decides what an outcome of the order moves besides. */
import * as CardKinds from "./CardKinds.ts"
import type { Order } from "./Order.ts"
import type { OrderRequest } from "./OrderRequest.ts"

/** `api`: a request of the merchant, which stands alone. */
export type Origin = "api" | "hosted" | "recurring"

/** Operations whose customer comes to a hosted page. */
const hostedOperations: ReadonlySet<string> = new Set([
  "SALEFORM",
  "PREAUTHFORM",
  "PAYMENTFORM",
  "ACCOUNT_VERIFICATION_FORM",
  "PAYOUTFORM"
])

export const isHosted = ({ operation }: Pick<OrderRequest, "operation">): boolean => hostedOperations.has(operation)

/** Returns the origin that an outcome of the request concerns; a follow-up concerns its order alone. */
export const of = ({ subscriptionId }: Order, request: OrderRequest): Origin => {
  if (isHosted(request)) return "hosted"
  return subscriptionId !== null && CardKinds.isCreation(request.action) ? "recurring" : "api"
}
