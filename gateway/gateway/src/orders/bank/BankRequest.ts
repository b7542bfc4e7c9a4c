/** What the gateway passes to an acquirer: payments, follow-ups and inquiries. A repeated request has the same content. */

import type { Redacted } from "effect"
import type { Terminal } from "../../merchants/Terminal.ts"
import type { BankKind } from "../record/Actions.ts"
import type { BillingDetails } from "../record/BillingDetails.ts"
import type { AttemptReference } from "../record/Booking.ts"
import type { Initiator } from "../record/Order.ts"
import type { StoredCredential } from "../record/StoredCredential.ts"

/** Card data that the bank requires. `cvv` is absent on merchant-initiated charges. */
export interface BankCard {
  readonly pan: Redacted.Redacted<string>
  readonly cvv: Redacted.Redacted<string> | undefined
  readonly expireMonth: number
  readonly expireYear: number
  readonly cardholder: string
}

/** The result of 3-D Secure for the cardholder. */
export interface CardholderProof {
  /** `2.2.0` or `1.0.2`. */
  readonly protocol: string
  /**
   * Y: authenticated; A: attempted; U: the issuer could not decide, and the endpoint accepts payments without authentication.
   */
  readonly transStatus: string
  /** The identifier of the transaction at the 3-D Secure server, or the XID of version 1. */
  readonly transactionId: string
  readonly eci: string | undefined
  /** CAVV or AAV. */
  readonly authenticationValue: Redacted.Redacted<string> | undefined
  /** The identifiers of the transaction at the directory server and at the issuer, if the 3-D Secure server reported them. */
  readonly dsTransId?: string | undefined
  readonly acsTransId?: string | undefined
}

/**
 * Names of an order's merchant. They are sent to the bank with every request, so that its list of bookings can be matched
 * without our database.
 */
export interface Named {
  /** The merchant's own number of the order. */
  readonly clientOrderId: string
  /** The merchant's login. */
  readonly merchantId: string
}

/** What every request and every inquiry about an order names. */
interface Placed extends Named {
  readonly orderId: string
  readonly currency: string
  /** The terminal of the payment, as the configuration had it when the order was created; undefined if it had none. */
  readonly terminal?: Terminal | undefined
  /** The text for the cardholder's statement. */
  readonly descriptor?: string | undefined
  /** When the gateway accepted the request, Unix time in milliseconds. It is the same when the request is repeated or inquired about. */
  readonly requestedAtMs?: number | undefined
}

/** The customer who pays, as far as the merchant's request says. */
export interface Customer {
  readonly email: string | undefined
  readonly phone: string | undefined
  readonly ipAddress: string | undefined
  readonly billing: BillingDetails | undefined
}

export interface Authorization extends Placed {
  /** The reference `orderid-kind-n`. A resubmission has the same reference. */
  readonly reference: AttemptReference
  readonly amountMinor: number
  readonly card: BankCard
  /** True: the bank authorises and captures at once (a sale). */
  readonly capture: boolean
  /** The party that starts the payment. */
  readonly initiator?: Initiator | undefined
  /**
   * How the payment uses a stored card; undefined: the card is neither stored nor was it. Together with `initiator`, acquirers derive their
   * own words from it (ContAuth, M101, usage USED).
   */
  readonly credential?: StoredCredential | undefined
  readonly customer?: Customer | undefined
  readonly authentication?: CardholderProof | undefined
  /**
   * Number of the card that receives the money, always with `capture`: one movement from card to card under one reference,
   * approved or declined as a whole, and nothing follows it.
   */
  readonly recipient?: Redacted.Redacted<string> | undefined
}

/** The question whether a card can send money. Nothing is authorised, and the expiry date may be missing. */
export interface EligibilityQuestion extends Placed {
  readonly reference: AttemptReference
  readonly pan: Redacted.Redacted<string>
  readonly expiry: { readonly month: number; readonly year: number } | undefined
}

/** The payment that a follow-up acts on. */
export interface Original {
  /** The gateway's reference of the payment. */
  readonly reference: AttemptReference
  /** What the payment is: `sale`, `authorize`, `transfer`; `capture` or `refund` if that is taken back. */
  readonly kind: BankKind
  /** The bank's own identifier of the payment; undefined if the bank gave none, or the gateway was restored without it. */
  readonly processorTxId: string | undefined
  readonly amountMinor: number
  /** When the gateway accepted the payment, Unix time in milliseconds. */
  readonly requestedAtMs: number
}

/** `void` releases what is left of a hold. */
export type FollowUpKind = "capture" | "void" | "refund"

export interface FollowUp extends Placed {
  readonly reference: AttemptReference
  /** The payment that is captured, cancelled or refunded. */
  readonly original: Original
  /** The amount to capture or refund. For `void`: the amount that is left of the hold. */
  readonly amountMinor: number
}

/** The question about the outcome of an earlier request. */
export interface Inquiry extends Placed {
  /** The reference of the request that is inquired about. */
  readonly reference: AttemptReference
  readonly kind: BankKind
  readonly amountMinor: number
  /** The bank's own identifier of the request, if the bank has accepted it under one. */
  readonly processorTxId: string | undefined
  /** The payment that the request follows up; undefined if the request is a payment itself. */
  readonly original: Original | undefined
}
