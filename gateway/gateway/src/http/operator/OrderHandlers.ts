/**
 * Handles operations that search and show orders. The answers have no card data and no contact data of the customer, but the
 * facts that explain an order.
 */
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import * as SearchOrders from "../../operators/SearchOrders.ts"
import * as ShowOrder from "../../operators/ShowOrder.ts"
import * as BankDetails from "../../orders/record/BankDetails.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import type { Order } from "../../orders/record/Order.ts"
import type { Authentication } from "../../threeds/decide/Authentication.ts"
import * as CallbackHandlers from "./CallbackHandlers.ts"
import { auditRowOf } from "./LogHandlers.ts"
import { type Handlers, missing } from "./OperatorHandler.ts"
import * as ResolveHandlers from "./ResolveHandlers.ts"

const rowOf = (order: Order) => ({
  id: order.orderId,
  merchant: order.merchantId,
  merchantOrder: order.clientOrderId,
  endpoint: order.endpointId,
  kind: order.kind,
  state: order.state,
  status: Lifecycle.states[order.state].wire,
  filteredBy: order.filteredBy,
  amount: Money.fromMinor(order.amountMinor, order.currency),
  currency: order.currency,
  card: order.bin === "" ? null : `${order.bin}…${order.lastFour}`,
  moving: order.inFlightCount,
  created: order.createdAtMs
})

const authenticationOf = ({ deadlineMs, eci, mode, protocol, stage, transStatus }: Authentication) => ({
  mode,
  stage,
  protocol,
  transStatus,
  eci,
  ends: deadlineMs
})

const bankOf = ({ approvalCode, bankDetails, processorTxId }: Order) => {
  const details = {
    ...(approvalCode === null ? {} : { approvalCode }),
    ...(processorTxId === null ? {} : { processorTxId }),
    ...BankDetails.column.read(bankDetails)
  }
  return Object.keys(details).length === 0 ? undefined : details
}

const detailsOf = (display: ShowOrder.OrderDetails) => ({
  ...rowOf(display.order),
  cardHash: display.cardHash,
  destinationKind: display.payout?.destinationKind,
  destination: display.payout?.masked,
  recipient: display.payout?.recipient,
  amountMinor: display.order.amountMinor,
  authorizedMinor: display.order.authorizedMinor,
  capturedMinor: display.order.capturedMinor,
  refundedMinor: display.order.refundedMinor,
  chargedBackMinor: display.order.chargedBackMinor,
  errorCode: display.order.errorCode,
  errorMessage: display.order.errorMessage,
  authentication: display.authentication && authenticationOf(display.authentication),
  bank: bankOf(display.order),
  requests: display.requests.map((request) => ({
    id: request.requestId,
    serialNumber: SerialNumber.first(request.requestId),
    operation: request.operation,
    progress: request.progress,
    amountMinor: request.amountMinor,
    errorCode: request.errorCode,
    errorMessage: request.errorMessage,
    accepted: request.acceptedAtMs,
    finished: request.finishedAtMs
  })),
  due: display.due.map(({ dueAtMs, kind, subject, tries }) => ({ kind, subject, due: dueAtMs, tries })),
  ledger: display.entries.map(({ account, atMs, cause, minor, requestId }) => ({
    at: atMs,
    request: requestId,
    cause,
    account,
    minor
  })),
  callbacks: display.callbacks.map(CallbackHandlers.rowOf),
  evidence: display.evidence.map(({ answer, atMs, reference }) => ({ at: atMs, reference, answer })),
  resolutions: display.resolutions.map((row) => ResolveHandlers.rowOf(row, display.order.currency)),
  audit: display.audit.map(auditRowOf)
})

export const make = Effect.gen(function* () {
  const show = yield* ShowOrder.make
  const search = yield* SearchOrders.make
  const handlers: Pick<Handlers, "searchOrders" | "showOrder"> = {
    searchOrders: ({ after, from, limit, to, ...criteria }) => {
      const range = { ...(from !== undefined && { fromMs: from }), ...(to !== undefined && { toMs: to }) }
      return Effect.map(
        search({ ...criteria, ...range }, { limit, ...(after && { after }) }),
        ({ looked, next, orders }) => ({ orders: orders.map(rowOf), looked, next })
      )
    },
    showOrder: ({ order }) =>
      Effect.flatMap(show(order), (displayed) =>
        displayed === undefined ? missing("there is no such order") : Effect.succeed(detailsOf(displayed))
      )
  }
  return handlers
})
