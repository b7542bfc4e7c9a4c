/**
 * One accepted request of a merchant, or of the gateway itself for the expiry of a hold: its content and its outcome.
 */
import type { Status } from "@pay/schema/Status"
import * as Entity from "../../kernel/Entity.ts"
import * as Actions from "./Actions.ts"
import * as Booking from "./Booking.ts"

/** The status that `by-request-sn` answers: `processing` and `unknown` are not final. */
export type Progress = Status

export const OrderRequest = Entity.make("requests", {
  columns: {
    /** Decimal text. The serial number in an answer contains it (see `SerialNumber`). */
    requestId: Entity.text(),
    merchantId: Entity.text(),
    orderId: Entity.text(),
    /** The operation's name in the contract; `LAPSE` for the expiry of a hold. */
    operation: Entity.text(),
    action: Entity.text<Actions.Action>(),
    /** The number n of the reference `orderid-kind-n`. */
    sequence: Entity.integer,
    /** Zero for a verification and an eligibility check. */
    amountMinor: Entity.integer,
    /** 1 if the request contains an amount. */
    hasAmount: Entity.integer,
    progress: Entity.text<Progress>(),
    /** Keyed hash of the canonical content, prefixed by the version of its key. */
    fingerprint: Entity.text(),
    idempotencyKey: Entity.textOrNull(),
    errorCode: Entity.integerOrNull,
    errorMessage: Entity.textOrNull(),
    callbackUrl: Entity.textOrNull(),
    /** The bank's own identifier of a request that it accepted or approved under one; of a payment, the order has it. */
    processorTxId: Entity.textOrNull(),
    acceptedAtMs: Entity.integer,
    finishedAtMs: Entity.integerOrNull
  },
  key: ["requestId"],
  unique: { idempotency: ["merchantId", "operation", "orderId", "idempotencyKey"] },
  index: { order: ["orderId", "sequence"], progress: ["progress", "acceptedAtMs", "requestId"] },
  changing: ["progress"]
})

export type OrderRequest = Entity.Row<typeof OrderRequest>

/** How a request ended. */
export type RequestOutcome = Pick<OrderRequest, "progress" | "errorCode" | "errorMessage">

/** A request that the bank carries out. */
export type BankRequest = OrderRequest & { readonly action: Actions.BankAction }
/** A request that the payout rail carries out. */
export type RailRequest = OrderRequest & { readonly action: Actions.RailAction }

export const isOfRail = (request: OrderRequest): request is RailRequest => Actions.facts[request.action].of === "rail"
export const isOfBank = (request: OrderRequest): request is BankRequest => !isOfRail(request)

/** Returns the reference of the request's current action at the bank or rail: `orderid-kind-n`. */
export const referenceOf = ({
  action,
  orderId,
  sequence
}: Pick<OrderRequest, "action" | "orderId" | "sequence">): Booking.AttemptReference =>
  Booking.referenceOf({ kind: Actions.facts[action].kind, orderId, sequence })

/** A full return is sent as a refund and then as a release, with the same sequence number. */
const kindsOf: Readonly<Partial<Record<Actions.Action, ReadonlyArray<string>>>> = {
  refundThenVoid: ["refund", "void"],
  void: ["void", "refund"]
}

/** Whether the request was sent under this reference. */
export const isOwn = ({ kind, sequence }: Booking.Reference, request: OrderRequest): boolean =>
  request.sequence === sequence && (kindsOf[request.action] ?? [request.action]).includes(kind)

/** Whether one of the requests was sent under this reference. */
export const isKnown = (reference: Booking.Reference, requests: ReadonlyArray<OrderRequest>): boolean =>
  requests.some((request) => isOwn(reference, request))
