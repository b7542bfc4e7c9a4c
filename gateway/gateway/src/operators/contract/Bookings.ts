/** Operations on bookings of bank and rail that a restored gateway lacks. */
import { Schema } from "effect"
import * as Booking from "../../orders/record/Booking.ts"
import * as Operation from "../OperatorOperation.ts"
import * as Parameter from "../OperatorParameter.ts"

const State = Schema.Literals(["open", "adopted", "closed"])
const Source = Schema.Literals(["bank", "rail"]).annotate(Parameter.info({ value: "SOURCE", about: "bank or rail." }))
/** The name of the acquirer; null for the rail. */
const Acquirer = Schema.NullOr(Schema.String)

export const showRestoration = Operation.make("showRestoration", {
  method: "GET",
  path: "/operator/restoration",
  command: "bookings status",
  about: "Shows how far a restored gateway is with learning what bank and rail have booked.",
  input: Schema.Struct({}),
  answer: Schema.Struct({
    restored: Parameter.Time,
    started: Schema.NullOr(Parameter.Time),
    lastCommit: Schema.NullOr(Parameter.Time),
    enumerated: Schema.NullOr(Parameter.Time),
    sources: Schema.Array(
      Schema.Struct({
        source: Source,
        acquirer: Acquirer,
        from: Parameter.Time,
        to: Parameter.Time,
        bookings: Schema.Int,
        missing: Schema.Int,
        done: Schema.NullOr(Parameter.Time),
        completedBy: Schema.NullOr(Schema.String)
      })
    )
  })
})

const BookingRow = Schema.Struct({
  source: Source,
  acquirer: Acquirer,
  reference: Schema.String,
  state: State,
  order: Schema.NullOr(Schema.String),
  merchant: Schema.NullOr(Schema.String),
  clientOrderId: Schema.NullOr(Schema.String),
  kind: Schema.Literals(Booking.kinds),
  amount: Schema.String,
  currency: Schema.String,
  result: Schema.Literals(Booking.results),
  booked: Parameter.Time,
  closed: Schema.NullOr(Parameter.Time),
  closedBy: Schema.NullOr(Schema.String),
  note: Schema.NullOr(Schema.String)
})

export const listBookings = Operation.make("listBookings", {
  method: "GET",
  path: "/operator/bookings",
  command: "bookings list",
  about: "Lists bookings of bank and rail whose order or request is not here.",
  input: Schema.Struct({
    state: Schema.optionalKey(
      State.annotate(Parameter.info({ value: "STATE", about: "open (default), adopted or closed." }))
    ),
    ...Parameter.page
  }),
  answer: Schema.Struct({ bookings: Schema.Array(BookingRow), next: Parameter.Next }),
  rows: {
    field: "bookings",
    columns: ["booked", "source", "reference", "merchant", "clientOrderId", "kind", "amount", "currency", "result"]
  }
})

const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

/** A booking as the bank's own list has it. */
export const ListedBooking = Schema.Struct({
  reference: Name,
  clientOrderId: Schema.optionalKey(Name),
  merchant: Schema.optionalKey(Name),
  kind: Schema.Literals(Booking.kinds),
  amount: Parameter.Amount,
  currency: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/, { message: "is a currency: USD" })),
  at: Parameter.Time,
  result: Schema.Literals(Booking.results)
})

export const importBookings = Operation.make("importBookings", {
  method: "POST",
  path: "/operator/bookings/import",
  command: "bookings import",
  operands: ["bookings"],
  about: "Takes a part of the bank's or the rail's own list; with the last part, the period that the list covers.",
  changes: { audit: "bookings.add", role: "finance" },
  input: Schema.Struct({
    source: Source,
    acquirer: Schema.optionalKey(
      Name.annotate(
        Parameter.info({ value: "NAME", about: "The acquirer whose list it is, if the gateway has several." })
      )
    ),
    bookings: Schema.Array(ListedBooking)
      .check(Schema.isMaxLength(1000))
      .annotate(Parameter.info({ value: "FILE", about: "The bank's own list." })),
    covers: Schema.optionalKey(Schema.Struct({ from: Parameter.Time, to: Parameter.Time }))
  }),
  answer: Schema.Struct({ bookings: Schema.Int, missing: Schema.Int, complete: Schema.Boolean })
})

export const closeBooking = Operation.make("closeBooking", {
  method: "POST",
  path: "/operator/bookings/:source/:reference/close",
  command: "bookings close",
  operands: ["reference"],
  about: "Closes a booking that was settled in another way.",
  changes: { audit: "booking.close", role: "finance" },
  input: Schema.Struct({
    source: Source,
    reference: Name.annotate(Parameter.info({ value: "REFERENCE", about: "The booking's reference." })),
    note: Parameter.note("How it was settled. The text is stored: write no card data.")
  }),
  answer: BookingRow,
  headline: () => "Closed"
})
