/**
 * One accepted request of a merchant, or of the gateway itself for the expiry of a hold: its content and its outcome.
 */
import type { Status } from "@pay/schema/Status"
import * as Entity from "../kernel/Entity.ts"

/**
 * Actions that are requested from the bank. `refundThenVoid`: refund what was captured, then release the rest of the
 * hold.
 */
export type BankAction =
  | "authorize"
  | "sale"
  | "verify"
  | "transfer"
  | "eligibility"
  | "capture"
  | "void"
  | "refund"
  | "refundThenVoid"

/** Actions that are requested from the payout rail. */
export type RailAction = "check" | "pay"

export type Action = BankAction | RailAction

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
    action: Entity.text<Action>(),
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
    acceptedAtMs: Entity.integer,
    finishedAtMs: Entity.integerOrNull
  },
  key: ["requestId"],
  unique: { idempotency: ["merchantId", "operation", "orderId", "idempotencyKey"] },
  index: { order: ["orderId", "sequence"], progress: ["progress", "acceptedAtMs", "requestId"] }
})

export type OrderRequest = Entity.Row<typeof OrderRequest>

/** A request that the bank carries out. */
export type BankRequest = OrderRequest & { readonly action: BankAction }
/** A request that the payout rail carries out. */
export type RailRequest = OrderRequest & { readonly action: RailAction }

export const isOfRail = (request: OrderRequest): request is RailRequest =>
  request.action === "check" || request.action === "pay"
export const isOfBank = (request: OrderRequest): request is BankRequest => !isOfRail(request)
