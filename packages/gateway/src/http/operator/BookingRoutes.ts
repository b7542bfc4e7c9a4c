/**
 * `GET /operator/restoration`, `GET /operator/bookings`, `POST /operator/bookings/import` and `…/close`: what a restored copy does
 * not know of bank and rail, and what becomes of it.
 */
import * as Money from "@pay/schema/Money"
import { Effect, Result, Schema } from "effect"
import * as KeysetPage from "../../kernel/KeysetPage.ts"
import * as Booking from "../../orders/Booking.ts"
import type { BankBooking, Source, State } from "../../orders/restored/BankBooking.ts"
import * as ManageBookings from "../../restore/ManageBookings.ts"
import { actor, json, limitOf, type Route, read, time, timeOf, timeOrNull, wrong } from "./Route.ts"

const Time = Schema.String.check(Schema.makeFilter((text) => typeof timeOf(text) === "number" || "is not a time"))
const Name = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(255))

const Row = Schema.Struct({
  reference: Name,
  clientOrderId: Schema.optionalKey(Name),
  merchant: Schema.optionalKey(Name),
  kind: Schema.Literals(Booking.kinds),
  amount: Schema.String.check(Schema.isPattern(/^\d{1,10}(\.\d{1,4})?$/)),
  currency: Schema.String.check(Schema.isPattern(/^[A-Z]{3}$/)),
  at: Time,
  result: Schema.Literals(Booking.results)
})

const Import = Schema.Struct({
  source: Schema.Literals(["bank", "rail"]),
  bookings: Schema.Array(Row).check(Schema.isMaxLength(1000)),
  covers: Schema.optionalKey(Schema.Struct({ from: Time, to: Time }))
})

const Note = Schema.Struct({ note: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(2000)) })

const millis = (text: string): number => {
  const at = timeOf(text)
  return typeof at === "number" ? at : 0
}

/** Undefined: the amount has more decimals than its currency. */
const bookingOf = (row: typeof Row.Type): Booking.Booking | undefined => {
  const minor = /^0+(\.0+)?$/.test(row.amount) ? Result.succeed(0) : Money.toMinor(row.amount, row.currency)
  return Result.isFailure(minor)
    ? undefined
    : {
        reference: row.reference,
        clientOrderId: row.clientOrderId,
        merchantId: row.merchant,
        kind: row.kind,
        amountMinor: minor.success,
        currency: row.currency,
        atMs: millis(row.at),
        result: row.result
      }
}

const told = (row: BankBooking) => ({
  source: row.source,
  reference: row.reference,
  state: row.state,
  order: row.orderId === "" ? null : row.orderId,
  merchant: row.merchantId,
  clientOrderId: row.clientOrderId,
  kind: row.kind,
  amount: Money.fromMinor(row.amountMinor, row.currency),
  currency: row.currency,
  result: row.result,
  booked: time(row.bookedAtMs),
  closed: timeOrNull(row.closedAtMs),
  closedBy: row.closedBy,
  note: row.note
})

const sourceOf = (text: string | undefined): Source => (text === "rail" ? "rail" : "bank")
const stateOf = (text: string | null): State | undefined =>
  text === null || text === "open" ? "open" : text === "adopted" || text === "closed" ? text : undefined

const refused = ({ message, what }: ManageBookings.BookingsRefused) =>
  Effect.succeed(json(what === "missing" ? 404 : 409, { error: message }))

export const make = Effect.map(
  ManageBookings.make,
  ({ close, list, look, take }): ReadonlyArray<Route> => [
    {
      method: "GET",
      path: "/operator/restoration",
      run: () =>
        Effect.map(look, (found) =>
          found === undefined
            ? json(404, { error: "this store was never put back from a copy" })
            : json(200, {
                restored: time(found.mark.restoredAtMs),
                started: timeOrNull(found.mark.startedAtMs),
                lastCommit: timeOrNull(found.mark.lastCommitAtMs),
                enumerated: timeOrNull(found.mark.enumeratedAtMs),
                sources: found.sources.map(({ bookings, doneAtMs, doneBy, forgotten, fromMs, source, toMs }) => ({
                  source,
                  from: time(fromMs),
                  to: time(toMs),
                  bookings,
                  forgotten,
                  done: timeOrNull(doneAtMs),
                  doneBy
                }))
              })
        )
    },
    {
      method: "GET",
      path: "/operator/bookings",
      run: ({ query }) => {
        const state = stateOf(query.get("state"))
        const limit = limitOf(query.get("limit"))
        const cursor = query.get("after")
        const after = cursor === null ? undefined : KeysetPage.read(cursor)
        if (state === undefined || limit === undefined || (cursor !== null && after === undefined))
          return Effect.succeed(
            wrong("state is open, adopted or closed, limit is 1 to 1000, after is the next of a page")
          )
        return Effect.map(list(state, { limit, after }), ({ next, rows }) =>
          json(200, { bookings: rows.map(told), ...(next && { next: KeysetPage.written(next) }) })
        )
      }
    },
    {
      method: "POST",
      path: "/operator/bookings/import",
      run: read(Import, ({ bookings: rows, covers, source }, asked) => {
        const bookings = rows.map(bookingOf)
        const bad = bookings.indexOf(undefined)
        if (bad !== -1)
          return Effect.succeed(wrong(`booking ${bad + 1} has an amount with more decimals than its currency`))
        return take(actor(asked), {
          source,
          bookings: bookings.filter((booking) => booking !== undefined),
          covers: covers && { fromMs: millis(covers.from), toMs: millis(covers.to) }
        }).pipe(
          Effect.map((done) => json(200, done)),
          Effect.catchTag("BookingsRefused", refused)
        )
      })
    },
    {
      method: "POST",
      path: "/operator/bookings/:source/:reference/close",
      run: read(Note, ({ note }, asked) =>
        close(actor(asked), sourceOf(asked.params.source), asked.params.reference ?? "", note).pipe(
          Effect.map((row) => json(200, told(row))),
          Effect.catchTag("BookingsRefused", refused)
        )
      )
    }
  ]
)
