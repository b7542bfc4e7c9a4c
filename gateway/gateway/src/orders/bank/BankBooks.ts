/**
 * The port of the acquiring bank's books, for banks that allow reading them. With this port, a gateway on a copy of its store recovers the
 * bookings that the copy lacks, and reconciliation compares in both directions. Without it, an operator imports the bank's list.
 */
import { Context, Effect, Option, Predicate, Result, Schema } from "effect"
import * as AdapterCall from "../../kernel/AdapterCall.ts"
import * as ForeignText from "../../kernel/ForeignText.ts"
import * as PortShape from "../../kernel/PortShape.ts"
import {
  AmountMinor,
  Booking,
  BooksUnavailable,
  type Page,
  type Period,
  type ReadPage,
  type UnreadableRow
} from "../record/Booking.ts"

/** Longest time for which the gateway waits for a page or for the totals of an order. */
const deadlineMs = 60_000

const ListedRows = Schema.Struct({
  bookings: Schema.Array(Schema.Unknown),
  next: Schema.optional(ForeignText.Token(4096))
})

const decodeBooking = AdapterCall.decoder(Booking)

const reported = Schema.decodeUnknownOption(Schema.TaggedStruct("BooksUnavailable", { message: ForeignText.Line }))

const failures = (port: string): AdapterCall.Failures<BooksUnavailable> => ({
  port,
  reported: (error) => Option.getOrUndefined(Option.map(reported(error), (failed) => new BooksUnavailable(failed))),
  lost: (message, answer) => new BooksUnavailable({ message, answer })
})

const withDeadline = <A>(answer: Effect.Effect<A, BooksUnavailable>) =>
  Effect.timeoutOrElse(answer, {
    duration: deadlineMs,
    orElse: () => Effect.fail(new BooksUnavailable({ message: `no answer within ${deadlineMs} ms` }))
  })

/** Returns the bookings of a page, and the rows that are none. */
const pageOf = (rows: ReadonlyArray<unknown>, next: string | undefined): ReadPage => {
  const bookings: Array<Booking> = []
  const unreadable: Array<UnreadableRow> = []
  for (const [index, row] of rows.entries()) {
    const booking = decodeBooking(row)
    if (Result.isSuccess(booking)) bookings.push(booking.success)
    else unreadable.push({ row: index + 1, reference: referenceOf(row), problem: booking.failure.message })
  }
  return { bookings, unreadable, next }
}

const referenceOf = (row: unknown): string | undefined => {
  const reference = Predicate.hasProperty(row, "reference") ? row.reference : undefined
  return Predicate.isString(reference) ? ForeignText.line(reference) : undefined
}

type List<P> = (period: Period, after: string | undefined) => Effect.Effect<P, BooksUnavailable>

/** Makes the list of one port. */
const listOf = (port: string, list: List<Page>): List<ReadPage> => {
  const call = AdapterCall.make(failures(port))
  const bookings = call("bookings", ListedRows)
  const logged = (page: ReadPage) =>
    Effect.as(
      Effect.forEach(
        page.unreadable,
        (row) =>
          Effect.logError("An adapter listed a row that is no booking").pipe(
            Effect.annotateLogs({ adapter: port, method: "bookings", ...row })
          ),
        { discard: true }
      ),
      page
    )
  return (period, after) =>
    withDeadline(bookings({}, () => list(period, after))).pipe(
      Effect.flatMap(({ bookings, next }) => logged(pageOf(bookings, next)))
    )
}

type Totals<A> = ((orderId: string) => Effect.Effect<A, BooksUnavailable>) | undefined

const totalsOf = <A>(port: string, schema: Schema.Decoder<A>, totals: Totals<A>): { readonly totals?: Totals<A> } => {
  if (totals === undefined) return {}
  const call = AdapterCall.make(failures(port))("totals", schema)
  return { totals: (orderId) => withDeadline(call({ orderId }, () => totals(orderId))) }
}

export const BankTotals = Schema.Struct({
  authorizedMinor: AmountMinor,
  capturedMinor: AmountMinor,
  /** The part of `capturedMinor` that went to another card. */
  transferredMinor: AmountMinor,
  refundedMinor: AmountMinor,
  voidedMinor: AmountMinor,
  /** What is charged back now; left out if the bank does not report it here. */
  chargedBackMinor: Schema.optional(AmountMinor)
})
export type BankTotals = typeof BankTotals.Type

/** What a port of books has. `P`: a page as an adapter gives it, or as the gateway has read it. */
interface Books<P, T> {
  /** Returns the bookings of a period, oldest first, in pages. `after` is the `next` of the previous page. */
  readonly bookings: List<P>
  /**
   * Returns the totals that are booked for one order now; `undefined` if nothing ever was. Leave it out if the bank or rail cannot
   * answer for one order: reconciliation then adds up the bookings of the period.
   */
  readonly totals?: Totals<T>
}

/**
 * Visits all bookings of a period, page by page, after the page `from`. A list that leads back to an earlier page has no end, and
 * is not available.
 */
export const each = <E, R>(
  books: Pick<BankBooks["Service"], "bookings">,
  period: Period,
  visit: (page: ReadPage) => Effect.Effect<void, E, R>,
  from?: string
) =>
  Effect.gen(function* () {
    const read = new Set<string>()
    let after = from
    while (true) {
      if (after !== undefined) read.add(after)
      const page = yield* books.bookings(period, after)
      if (page.next !== undefined && read.has(page.next))
        return yield* new BooksUnavailable({ message: `the list leads back to the page after ${page.next}` })
      yield* visit(page)
      if (page.next === undefined) return
      after = page.next
      yield* Effect.yieldNow
    }
  })

/** What the operator of a gateway implements for a bank that lists its bookings. */
export type BankBooksAdapter = Books<Page, BankTotals | undefined>

export class BankBooks extends Context.Service<
  BankBooks,
  AdapterCall.Checked<Books<ReadPage, BankTotals | undefined>>
>()("@pay/gateway/BankBooks") {
  /** Returns the adapter with every answer decoded. `port`: its name in logs and metrics. */
  static readonly checked = (adapter: BankBooksAdapter, port = "bankBooks"): BankBooks["Service"] => ({
    ...AdapterCall.mark,
    bookings: listOf(port, (period, after) => adapter.bookings(period, after)),
    ...totalsOf(port, Schema.UndefinedOr(BankTotals), adapter.totals?.bind(adapter))
  })
}

export const shape: PortShape.PortShape<BankBooksAdapter> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}

/** Totals of one order in the books of the payout rail. */
export const RailTotals = Schema.Struct({
  paidMinor: AmountMinor,
  /** The part of `paidMinor` that was refused afterwards. */
  refusedLateMinor: AmountMinor
})
export type RailTotals = typeof RailTotals.Type

/** What the operator of a gateway implements for a payout rail that lists its payouts. Checks are not bookings. */
export type RailBooksAdapter = Books<Page, RailTotals>

export class RailBooks extends Context.Service<RailBooks, AdapterCall.Checked<Books<ReadPage, RailTotals>>>()(
  "@pay/gateway/RailBooks"
) {
  /** Returns the adapter with every answer decoded. */
  static readonly checked = (adapter: RailBooksAdapter): RailBooks["Service"] => ({
    ...AdapterCall.mark,
    bookings: listOf("railBooks", (period, after) => adapter.bookings(period, after)),
    ...totalsOf("railBooks", RailTotals, adapter.totals?.bind(adapter))
  })
}

export const railShape: PortShape.PortShape<RailBooksAdapter> = {
  methods: { bookings: PortShape.method, totals: PortShape.optional(PortShape.method) },
  capabilities: {}
}
