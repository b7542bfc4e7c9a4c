/** Handles operations on bookings of bank and rail that a restored copy lacks. */
import type { Flaw } from "@pay/schema/Field"
import * as Money from "@pay/schema/Money"
import { Effect, Result } from "effect"
import * as ForeignText from "../../kernel/ForeignText.ts"
import * as Terminal from "../../merchants/Terminal.ts"
import type { ListedBooking } from "../../operators/contract/Bookings.ts"
import type * as Booking from "../../orders/record/Booking.ts"
import type { BankBooking } from "../../restore/BankBooking.ts"
import * as ManageBookings from "../../restore/ManageBookings.ts"
import { type Handlers, invalid, missing, refuse } from "./OperatorHandler.ts"

/** Converts a booking of a list. Fails if its amount cannot be one of its currency. */
const bookingOf = (row: typeof ListedBooking.Type): Result.Result<Booking.Booking, Flaw> =>
  Result.map(Money.toMinorOrZero(row.amount, row.currency), (amountMinor) => ({
    reference: ForeignText.storable(row.reference),
    clientOrderId: row.clientOrderId === undefined ? undefined : ForeignText.storable(row.clientOrderId),
    merchantId: row.merchant === undefined ? undefined : ForeignText.storable(row.merchant),
    kind: row.kind,
    amountMinor,
    currency: row.currency,
    atMs: row.at,
    result: row.result
  }))

const rowOf = (row: BankBooking) => ({
  source: row.source,
  acquirer: row.source === "rail" ? null : Terminal.acquirerOf(row),
  reference: row.reference,
  state: row.state,
  order: row.orderId === "" ? null : row.orderId,
  merchant: row.merchantId,
  clientOrderId: row.clientOrderId,
  kind: row.kind,
  amount: Money.fromMinor(row.amountMinor, row.currency),
  currency: row.currency,
  result: row.result,
  booked: row.bookedAtMs,
  closed: row.closedAtMs,
  closedBy: row.closedBy,
  note: row.note
})

export const make = Effect.map(
  ManageBookings.make,
  ({
    close,
    list,
    look,
    take
  }): Pick<Handlers, "showRestoration" | "listBookings" | "importBookings" | "closeBooking"> => ({
    showRestoration: () =>
      Effect.flatMap(look, (status) => {
        if (status === undefined) return missing("this store was not restored from a copy")
        const { restoration, sources } = status
        return Effect.succeed({
          restored: restoration.restoredAtMs,
          started: restoration.startedAtMs,
          lastCommit: restoration.lastCommitAtMs,
          enumerated: restoration.enumeratedAtMs,
          sources: sources.map(({ acquirer, bookings, completedAtMs, completedBy, missing, fromMs, source, toMs }) => ({
            source,
            acquirer: source === "rail" ? null : acquirer,
            from: fromMs,
            to: toMs,
            bookings,
            missing,
            done: completedAtMs,
            completedBy
          }))
        })
      }),
    listBookings: ({ after, limit, state = "open" }) =>
      Effect.map(list(state, { limit, after }), ({ next, rows }) => ({ bookings: rows.map(rowOf), next })),
    importBookings: ({ acquirer, bookings: rows, covers, source }, actor) => {
      const bookings: Array<Booking.Booking> = []
      for (const [index, row] of rows.entries()) {
        const booking = bookingOf(row)
        if (Result.isFailure(booking)) return invalid(`the amount of booking ${index + 1} ${booking.failure.says}`)
        bookings.push(booking.success)
      }
      return take(actor, {
        source,
        acquirer,
        bookings,
        covers: covers && { fromMs: covers.from, toMs: covers.to }
      }).pipe(Effect.catchTag("BookingsRefused", refuse))
    },
    closeBooking: ({ note, reference, source }, actor) =>
      close(actor, source, reference, note).pipe(Effect.map(rowOf), Effect.catchTag("BookingsRefused", refuse))
  })
)
