/** One booking at a bank or a payout rail, as the bank or rail lists it for a period. */
import { Schema } from "effect"

/** The bank or the rail cannot list its bookings now. */
export class BooksUnavailable extends Schema.TaggedError<BooksUnavailable>()("BooksUnavailable", {
  message: Schema.String
}) {}

/**
 * `sale`: authorised and captured at once. `transfer`: from card to card. `void`: a hold was released. `pay`: a payment by the
 * payout rail.
 */
export const kinds = ["authorize", "sale", "transfer", "capture", "void", "refund", "pay"] as const
export type Kind = (typeof kinds)[number]

/** `unknown`: the bank does not know the outcome yet. A payout that was refused after it had been paid is `declined`. */
export const results = ["approved", "declined", "unknown"] as const
export type Result = (typeof results)[number]

export interface Booking {
  /** The reference of the gateway's request: `orderid-kind-n`. */
  readonly reference: string
  /** The merchant's own number of the order, as the gateway passed it on; undefined: the bank does not keep it. */
  readonly clientOrderId: string | undefined
  /** The merchant's login, as the gateway passed it on; undefined: the bank does not keep it. */
  readonly merchantId: string | undefined
  readonly kind: Kind
  readonly amountMinor: number
  readonly currency: string
  /** When the bank booked it, Unix time. */
  readonly atMs: number
  readonly result: Result
}

/** Bookings with `fromMs` <= `atMs` < `toMs`. */
export interface Period {
  readonly fromMs: number
  readonly toMs: number
}

export interface Page {
  readonly bookings: ReadonlyArray<Booking>
  /** Position of the next page, for the parameter `after`; undefined: this is the last page. */
  readonly next: string | undefined
}

/** The parts of a reference of the gateway. */
export interface Reference {
  readonly orderId: string
  /** The action in the reference: `sale`, `authorize`, `verify`, `capture`, `pay`, … */
  readonly kind: string
  readonly sequence: number
}

/**
 * A reference of a request to the bank or the rail: `orderid-kind-n`. The type rejects an order's number, a merchant's number of
 * an order and a login, which do not have this form.
 */
export type AttemptReference = `${string}-${string}-${number}`

export const referenceOf = ({ kind, orderId, sequence }: Reference): AttemptReference =>
  `${orderId}-${kind}-${sequence}`

/** Parses a reference. Undefined: the text is not a reference of this gateway. */
export const parse = (reference: string): Reference | undefined => {
  const parts = /^(?<orderId>\d{1,19})-(?<kind>[a-z]{1,16})-(?<sequence>\d{1,9})$/.exec(reference)?.groups
  return parts?.orderId === undefined || parts.kind === undefined
    ? undefined
    : { orderId: parts.orderId, kind: parts.kind, sequence: Number(parts.sequence) }
}
