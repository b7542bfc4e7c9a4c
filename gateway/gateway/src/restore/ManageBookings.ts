/** Lets operators view, import and close the bookings that a restored copy lacks. */

import { Clock, Data, Effect } from "effect"
import type { Actor } from "../kernel/Audit.ts"
import * as Audit from "../kernel/Audit.ts"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import * as KeysetPage from "../kernel/KeysetPage.ts"
import { Store } from "../kernel/Store.ts"
import * as Transact from "../kernel/Transact.ts"
import type * as Booking from "../orders/record/Booking.ts"
import type { Source } from "../orders/record/Booking.ts"
import { BankBooking, isOpen, type State } from "./BankBooking.ts"
import * as MissingBookings from "./MissingBookings.ts"
import { Enumeration, Restoration } from "./Restoration.ts"

/** The request was refused and changed nothing. The message contains the reason and what to do. */
export class BookingsRefused extends Data.TaggedError("BookingsRefused")<{
  readonly what: "missing" | "conflict"
  readonly message: string
}> {}

const conflict = (message: string) => new BookingsRefused({ what: "conflict", message })

export interface Imported {
  readonly source: Source
  /** The name of the acquirer whose list it is; not needed if there is one acquirer. */
  readonly acquirer?: string | undefined
  readonly bookings: ReadonlyArray<Booking.Booking>
  /** The period that the whole list covers; given with the last part of a list. */
  readonly covers?: Booking.Period | undefined
}

const iso = (ms: number): string => new Date(ms).toISOString()

/** Returns the enumeration that an imported list extends, or why it cannot. */
const extended = (
  enumerations: ReadonlyArray<Enumeration>,
  { acquirer, covers, source }: Imported,
  nowMs: number
): Effect.Effect<Enumeration, BookingsRefused> => {
  const [enumeration, ...others] = enumerations.filter(
    (each) => each.source === source && (acquirer === undefined || each.acquirer === acquirer)
  )
  if (enumeration === undefined) return conflict(`this gateway has no ${acquirer ?? source}`)
  if (others.length > 0) return conflict("this gateway has several acquirers: say whose list it is (acquirer)")
  if (enumeration.completedAtMs !== null) return conflict(`the bookings of the ${source} are known already`)
  if (covers === undefined) return Effect.succeed(enumeration)
  const [from, to] = [iso(enumeration.fromMs), iso(enumeration.toMs)]
  if (covers.fromMs > enumeration.fromMs || covers.toMs < enumeration.toMs)
    return conflict(`the list must cover ${from} to ${to}`)
  return nowMs < enumeration.toMs
    ? conflict(`the list can be complete from ${to} on: what was sent before may be booked until then`)
    : Effect.succeed(enumeration)
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const missingBookings = yield* MissingBookings.make

  /** The progress of the restoration. `undefined`: this store was never restored. */
  const look = Effect.gen(function* () {
    const restoration = yield* store.load(Restoration, ["latest"])
    return restoration === undefined
      ? undefined
      : { restoration, sources: yield* missingBookings.enumerations(restoration) }
  })

  /** Returns a page of bookings. Open bookings whose request the store now contains are left out. */
  const list = Effect.fnUntraced(function* (state: State, range: Pick<KeysetPage.Range, "after" | "limit">) {
    const page = yield* KeysetPage.newest(store, BankBooking, "state", { equals: [state], ...range })
    const rows =
      state === "open"
        ? yield* Effect.filter(page, ({ reference }) =>
            Effect.map(missingBookings.isKnown(reference), (isKnown) => !isKnown)
          )
        : page
    const next = KeysetPage.nextOf(page, range.limit, ({ bookedAtMs, reference }) => ({
      atMs: bookedAtMs,
      key: reference
    }))
    return { rows, next }
  })

  const auditEntry = Effect.fnUntraced(function* (
    actor: Actor,
    action: string,
    subject: Audit.Audited["subject"],
    detail: NonNullable<Audit.Audited["detail"]>
  ) {
    return Audit.entry({
      auditId: ids.next(),
      atMs: yield* Clock.currentTimeMillis,
      actor,
      action,
      subject,
      detail
    })
  })

  const takeOnce = Effect.fnUntraced(function* (actor: Actor, imported: Imported) {
    const { bookings, covers, source } = imported
    const restoration = yield* missingBookings.pending
    if (restoration === undefined)
      return yield* conflict(
        "the gateway takes orders: there is nothing to import. pay reconciliation compares its books"
      )
    const enumerations = yield* missingBookings.enumerations(restoration)
    const enumeration = yield* extended(enumerations, imported, yield* Clock.currentTimeMillis)
    const { missing, writes } = yield* missingBookings.record(enumeration, bookings)
    const row: Enumeration = {
      ...enumeration,
      bookings: enumeration.bookings + bookings.length,
      missing: enumeration.missing + missing
    }
    const audit = yield* auditEntry(
      actor,
      "bookings.add",
      { kind: "store", id: source },
      {
        bookings: bookings.length,
        missing,
        from: covers === undefined ? null : iso(covers.fromMs),
        to: covers === undefined ? null : iso(covers.toMs)
      }
    )
    const beside = Change.writing(...writes, audit)
    if (covers === undefined)
      yield* store.commit(
        Change.all(missingBookings.unchanged(restoration), beside, Change.writing(Decision.put(Enumeration, row)))
      )
    else yield* missingBookings.complete(restoration, row, actor, beside)
    return { bookings: bookings.length, missing, complete: covers !== undefined }
  })

  /** Imports a part of a list. Parts may be repeated: each booking counts once. */
  const take = Effect.fn("ManageBookings.take")((actor: Actor, imported: Imported) =>
    Transact.transact({
      attempt: takeOnce(actor, imported),
      exhausted: () => conflict("other lists are imported at the same time: import this one again")
    })
  )

  const close = Effect.fn("ManageBookings.close")(function* (
    actor: Actor,
    source: Source,
    reference: string,
    note: string
  ) {
    const row = yield* store.load(BankBooking, [source, reference])
    if (row === undefined) return yield* new BookingsRefused({ what: "missing", message: "there is no such booking" })
    if (!isOpen(row)) return yield* conflict(`the booking is ${row.state}`)
    const patch = { state: "closed" as const, closedAtMs: yield* Clock.currentTimeMillis, closedBy: actor, note }
    const audit = yield* auditEntry(actor, "booking.close", { kind: "booking", id: reference }, { source, note })
    const change = Change.all(Change.update(BankBooking, row, patch), Change.writing(audit))
    yield* Transact.commitOr(store, change, () => conflict("it has changed meanwhile: look at it, then ask again"))
    return Change.next(row, patch)
  })

  return { look, list, take, close }
})
