/** The operation `status`: returns the state of an order, or of one request about it (docs/specification.md#version-2). */
import { declines } from "@pay/schema/Decline"
import * as Money from "@pay/schema/Money"
import * as OrderStage from "@pay/schema/OrderStage"
import * as PayApi from "@pay/schema/PayApi"
import type { StatusResponse } from "@pay/schema/StatusResponse"
import { Clock, Context, Effect, Result } from "effect"
import { ok, refuse, refuseFields } from "../../kernel/Answer.ts"
import { Ids } from "../../kernel/Ids.ts"
import * as SerialNumber from "../../kernel/SerialNumber.ts"
import { Store, type StoreUnavailable } from "../../kernel/Store.ts"
import type { Call, Handler } from "../../merchants/Call.ts"
import * as Recipient from "../../recipients/Recipient.ts"
import { Payout } from "../../recipients/Recipient.ts"
import * as FollowUp from "../decide/FollowUp.ts"
import * as TransactionType from "../decide/TransactionType.ts"
import * as BankDetails from "../record/BankDetails.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { isCardKind, type Order } from "../record/Order.ts"
import { OrderRequest } from "../record/OrderRequest.ts"
import * as Payment from "../record/Payment.ts"
import { furtherId, hasFurtherId } from "./Acknowledge.ts"
import * as AwaitAnswer from "./AwaitAnswer.ts"
import { namedOrder } from "./NamedOrder.ts"

interface StatusContext {
  readonly status: string
  readonly type: string
  readonly amountMinor: number
  readonly errorCode: number | null
  readonly errorMessage: string | null
}

const ofOrder = (order: Order): StatusContext => ({
  status: Lifecycle.states[order.state].wire,
  type: TransactionType.ofOrder(order),
  amountMinor: order.amountMinor,
  errorCode: order.errorCode,
  errorMessage: order.errorMessage
})

const ofRequest = (order: Order, request: OrderRequest): StatusContext => ({
  status: request.progress,
  type: TransactionType.ofRequest(request, order),
  amountMinor: request.amountMinor,
  errorCode: request.errorCode,
  errorMessage: request.errorMessage
})

const answer = (order: Order, context: StatusContext, serialNumber: string): StatusResponse => {
  return {
    type: "status-response",
    "serial-number": serialNumber,
    "merchant-order-id": order.clientOrderId,
    "paynet-order-id": order.orderId,
    "end-point-id": order.endpointId,
    status: context.status,
    "transaction-type": context.type,
    "order-stage": stageOf(order, context),
    amount: Money.fromMinor(context.amountMinor, order.currency),
    currency: order.currency,
    ...(isCardKind(order.kind) ? amountsOf(order) : {}),
    ...Payment.statusFields(order),
    ...(order.descriptor === null ? {} : { descriptor: order.descriptor }),
    ...(order.processorTxId === null ? {} : { "processor-tx-id": order.processorTxId }),
    ...(order.approvalCode === null ? {} : { "approval-code": order.approvalCode }),
    ...networkFields(order),
    ...(order.processedAtMs === null ? {} : { "paynet-processing-date": Payment.processingDate(order.processedAtMs) }),
    ...(context.errorCode === null ? {} : { "error-code": String(context.errorCode) }),
    ...(context.errorMessage === null ? {} : { "error-message": context.errorMessage })
  }
}

/** Returns what the network reported. A detail that the bank did not report is absent. */
const networkFields = ({ bankDetails }: Order) => {
  const { networkCode, retrievalReference } = BankDetails.column.read(bankDetails) ?? {}
  return {
    ...(retrievalReference === undefined ? {} : { "processor-rrn": retrievalReference }),
    ...(networkCode === undefined ? {} : { "auth-response-code": networkCode })
  }
}

/** Returns the amounts of a card payment, and whether parts of it may still be captured or returned. */
const amountsOf = (order: Order) => {
  const text = (minor: number): string => Money.fromMinor(minor, order.currency)
  const preauth = order.kind === "preauth"
  return {
    "authorized-amount": text(order.authorizedMinor),
    "captured-amount": text(order.capturedMinor),
    "returned-amount": text(order.refundedMinor),
    "remaining-amount": text(FollowUp.capturableMinor(order)),
    ...(order.refundedMinor > 0 ? { "total-reversal-amount": text(order.refundedMinor) } : {}),
    "gate-partial-capture": preauth ? "enabled" : "disabled",
    "gate-partial-reversal": FollowUp.nothingFollows(order) === undefined ? "enabled" : "disabled"
  }
}

/** Values of `order-stage` for payouts that wait for the merchant or for a second approver. */
const waitingStages: { readonly [S in Order["state"]]?: string } = {
  checked: OrderStage.payoutChecked,
  waiting: OrderStage.payoutWaitingApproval
}

const stageOf = (order: Order, { errorCode, status, type }: StatusContext): string =>
  (status === "processing" ? waitingStages[order.state] : undefined) ?? `${type}_${stages.get(errorCode) ?? status}`

/** Values of `order-stage` for hosted pages that ended without a payment, by the error code of the decline. */
const stages: ReadonlyMap<number | null, "expired" | "cancelled"> = new Map<number | null, "expired" | "cancelled">([
  [declines.sessionExpired.code, "expired"],
  [declines.cancelledByCustomer.code, "cancelled"]
])

/** Builds the answer to `status`: for an order in its current state, or for one of its requests. */
export const reader = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const capabilities = yield* StatusSections

  const read = Effect.fnUntraced(function* (order: Order, question: string | undefined) {
    const serialNumber = SerialNumber.first(ids.next())
    const sections = yield* loadSections(capabilities, order)
    if (question !== undefined) {
      const requestId = SerialNumber.requestId(question)
      const owner = requestId === undefined ? undefined : sections.find(({ owns }) => owns?.(requestId) === true)
      if (owner !== undefined)
        return ok({ ...answer(order, ofOrder(order), serialNumber), ...owner.fields, "by-request-sn": question })
      const request = requestId === undefined ? undefined : yield* store.load(OrderRequest, [requestId])
      if (request?.orderId !== order.orderId) {
        return yield* refuse("orderNotFound", {
          message: "No request of this order has this serial-number",
          field: "by-request-sn"
        })
      }
      const statusAnswer = answer(order, ofRequest(order, request), serialNumber)
      return ok({ ...statusAnswer, ...(yield* recipientOf(order)), "by-request-sn": question })
    }
    const statusAnswer = answer(order, order.inFlightCount === 0 ? ofOrder(order) : yield* current(order), serialNumber)
    if (sections.length === 0 && !hasFurtherId(order)) return ok(statusAnswer)
    const parts = [statusAnswer, ...sections.map(({ fields }) => fields), yield* recipientOf(order)]
    return ok(Object.assign({}, ...parts))
  })

  /**
   * Returns the fields of a payout's or transfer's recipient that may be disclosed, and the order's identifier under
   * its second name.
   */
  const recipientOf = Effect.fnUntraced(function* (order: Order) {
    if (isCardKind(order.kind) && order.kind !== "transfer") return furtherId(order)
    const payout = yield* store.load(Payout, [order.orderId])
    return { ...furtherId(order), ...(payout === undefined ? {} : Recipient.statusFields(payout)) }
  })

  /** Returns the newest follow-up in flight, or the order's own outcome if no follow-up is in flight. */
  const current = Effect.fnUntraced(function* (order: Order) {
    const newest = yield* store.find(OrderRequest, "order", {
      equals: [order.orderId],
      limit: order.sequence + 1,
      descending: true
    })
    const openRequest = newest.find(({ progress }) => progress === "processing" || progress === "unknown")
    return openRequest === undefined
      ? ofOrder(order)
      : { ...ofRequest(order, openRequest), amountMinor: order.amountMinor }
  })

  return read
})

/**
 * Milliseconds from the creation of an order within which `status` of the older dialect waits for its outcome. Some of its modules
 * request the status once, directly after the sale, and take what they get for the outcome.
 */
const outcomeMs = 1000

export const make = Effect.fnUntraced(function* (name: "STATUS" | "STATUS_V4") {
  const store = yield* Store
  const read = yield* reader
  const awaitAnswer = yield* AwaitAnswer.make
  const operation = PayApi.operations[name]

  const perform = Effect.fnUntraced(function* (call: Call) {
    const decoded = operation.decodeFields(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, call.fields.client_orderid)
    const order = yield* namedOrder(call.rows, call)
    if (order === undefined) return yield* refuse("orderNotFound")
    const question = decoded.success["by-request-sn"]
    const waitMs = order.createdAtMs + outcomeMs - (yield* Clock.currentTimeMillis)
    if (call.dialect === "json" || question !== undefined || waitMs <= 0) return yield* read(order, question)
    return yield* awaitAnswer(
      read(order, undefined),
      Effect.flatMap(namedOrder(store, call), (current) => read(current ?? order, undefined)),
      Math.min(waitMs, outcomeMs)
    )
  })

  const handler: Handler = {
    operation,
    replay: () => Effect.succeed(undefined),
    perform,
    reads: true
  }
  return handler
})

/** The part that one capability adds to the answer to `status`. */
export interface Section {
  readonly fields: Partial<StatusResponse>
  /**
   * Whether the capability created this request and keeps it in its own rows, so that there is no `OrderRequest` for
   * it.
   */
  readonly owns?: (requestId: string) => boolean
}

/** Loads a capability's section for an order. Undefined: the capability has no part in the order. */
export type LoadSection = (order: Order) => Effect.Effect<Section | undefined, StoreUnavailable>

/** The loaders of all capabilities. Where two sections have the same field, the later section wins. */
export class StatusSections extends Context.Service<StatusSections, ReadonlyArray<LoadSection>>()(
  "@pay/gateway/StatusSections"
) {}

export const loadSections = Effect.fnUntraced(function* (loads: StatusSections["Service"], order: Order) {
  const sections = yield* Effect.forEach(loads, (each) => each(order))
  return sections.filter((section) => section !== undefined)
})
