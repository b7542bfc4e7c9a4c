/** Handles the operation that lists unknown outcomes. */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import { askedMinor } from "../../orders/decide/Resolve.ts"
import * as ListUnknown from "../../reconciliation/ListUnknown.ts"
import type { Handlers } from "./OperatorHandler.ts"
import * as ResolveHandlers from "./ResolveHandlers.ts"

const rowOf = ({ evidence, order, proposal, request }: ListUnknown.UnknownOutcome) => ({
  order: order.orderId,
  merchant: order.merchantId,
  merchantOrder: order.clientOrderId,
  request: request.requestId,
  operation: request.operation,
  amount: Money.fromMinor(askedMinor(order, request), order.currency),
  currency: order.currency,
  accepted: request.acceptedAtMs,
  state: order.state,
  answer: evidence?.answer ?? null,
  answered: evidence?.atMs ?? null,
  proposal: proposal === undefined ? null : ResolveHandlers.rowOf(proposal, order.currency)
})

export const make = Effect.map(
  ListUnknown.make,
  (list): Pick<Handlers, "listUnknown"> => ({
    listUnknown: ({ after, limit }) =>
      Effect.map(list(limit, after), ({ next, outcomes }) => ({ outcomes: outcomes.map(rowOf), next }))
  })
)
