/** One booking at a bank or a payout rail, as the bank or rail lists it for a period. */
import { Schema } from "effect"
import * as ForeignText from "../../kernel/ForeignText.ts"
import * as Actions from "./Actions.ts"

/** The bank or the rail cannot list its bookings now. */
export class BooksUnavailable extends Schema.TaggedError<BooksUnavailable>()("BooksUnavailable", {
  message: Schema.String,
  /** What the adapter gave instead of an answer that the gateway can read, as text for operators. */
  answer: Schema.optionalKey(Schema.String)
}) {}

/** The port that lists a booking. */
export type Source = "bank" | "rail"

/**
 * `sale`: authorised and captured at once. `transfer`: from card to card. `void`: a hold was released. `pay`: a payment by the
 * payout rail.
 */
export const kinds = Actions.listedKinds
export type Kind = Actions.ListedKind

/** `unknown`: the bank does not know the outcome yet. A payout that was refused after it had been paid, and a payment that failed after its approval, is `declined`. */
export const results = ["approved", "declined", "unknown"] as const
export type Result = (typeof results)[number]

/** A whole number from `least`, as a bank or rail reports it. */
export const wholeFrom = (least: number) =>
  Schema.Number.check(
    Schema.makeFilter((value) => Number.isSafeInteger(value) && value >= least, {
      message: `Expected a whole number from ${least}`
    })
  )

/** An amount in minor units of its currency. */
export const AmountMinor = wholeFrom(0)

export const Booking = Schema.Struct({
  /** The reference of the gateway's request: `orderid-kind-n`. */
  reference: ForeignText.Name(255),
  /** The merchant's own number of the order, as the gateway passed it on; undefined: the bank does not keep it. */
  clientOrderId: Schema.optional(ForeignText.Text(255)),
  /** The merchant's login, as the gateway passed it on; undefined: the bank does not keep it. */
  merchantId: Schema.optional(ForeignText.Text(255)),
  kind: Schema.Literals(kinds),
  amountMinor: AmountMinor,
  currency: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { message: "Expected three capital letters" })),
  /** When the bank booked it, Unix time. */
  atMs: wholeFrom(0),
  result: Schema.Literals(results)
})
export type Booking = typeof Booking.Type

/** Bookings with `fromMs` <= `atMs` < `toMs`. */
export interface Period {
  readonly fromMs: number
  readonly toMs: number
}

export const isWithin = ({ atMs }: Pick<Booking, "atMs">, { fromMs, toMs }: Period): boolean =>
  fromMs <= atMs && atMs < toMs

/** A row of a list that is no booking. */
export interface UnreadableRow {
  /** The row's number on its page, from 1. */
  readonly row: number
  /** Its reference, if it has one. */
  readonly reference: string | undefined
  /** The parts that are wrong. */
  readonly problem: string
}

/** A page as the gateway has read it. A row that cannot be read may be a booking, so that it must not be passed over. */
export interface ReadPage extends Page {
  readonly unreadable: ReadonlyArray<UnreadableRow>
}

/** A page as an adapter gives it. */
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

/** Returns the kind of request that a reference is of; undefined: of none to the bank. */
export const bankKindOf = (reference: string): Actions.BankKind | undefined =>
  Actions.bankKindOf(parse(reference)?.kind)

/** Parses a reference. Undefined: the text is not a reference of this gateway. */
export const parse = (reference: string): Reference | undefined => {
  const parts = /^(?<orderId>\d{1,19})-(?<kind>[a-z]{1,16})-(?<sequence>\d{1,9})$/.exec(reference)?.groups
  return parts?.orderId === undefined || parts.kind === undefined
    ? undefined
    : { orderId: parts.orderId, kind: parts.kind, sequence: Number(parts.sequence) }
}
