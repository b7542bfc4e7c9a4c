/** One accepted request of a merchant (or of the gateway itself: a lapse): what was asked, and how it ended. */
import * as Entity from "../kernel/Entity.ts"

/** What the bank is asked for. `refundThenCancel`: give back what was captured, then release the rest of the hold. */
export type BankAction =
  | "authorize"
  | "sale"
  | "verify"
  | "transfer"
  | "eligibility"
  | "capture"
  | "cancel"
  | "refund"
  | "refundThenCancel"

/** What the payout rail is asked for. */
export type RailAction = "check" | "pay"

export type Action = BankAction | RailAction

export type Progress = "moving" | "unknown" | "approved" | "declined" | "filtered" | "error"

export const OrderRequest = Entity.make("requests", {
  columns: {
    /** Decimal text; serial-numbers of answers carry it (see `SerialNumber`). */
    requestId: Entity.text(),
    merchantId: Entity.text(),
    orderId: Entity.text(),
    /** The operation's name in the contract, or `LAPSE`. */
    operation: Entity.text(),
    action: Entity.text<Action>(),
    /** n of the reference `orderid-kind-n`. */
    sequence: Entity.integer,
    /** Zero where the action concerns whatever is left. */
    amountMinor: Entity.integer,
    /** 1 where the merchant named the amount. */
    amountGiven: Entity.integer,
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
