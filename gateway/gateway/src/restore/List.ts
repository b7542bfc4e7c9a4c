/**
 * Lists the bookings of bank and rail since the last commit of a restored copy, page by page. It begins when requests from before
 * the start can no longer be booked. After a restart, it continues with the next page.
 */
import { Clock, Effect, Option } from "effect"
import * as Decision from "../kernel/Decision.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Store } from "../kernel/Store.ts"
import * as Acquirers from "../orders/bank/Acquirers.ts"
import { each, RailBooks } from "../orders/bank/BankBooks.ts"
import type * as Booking from "../orders/record/Booking.ts"
import type { Source } from "../orders/record/Booking.ts"
import { BooksUnavailable } from "../orders/record/Booking.ts"
import * as Adoption from "./Adoption.ts"
import * as FollowUps from "./FollowUps.ts"
import * as MissingBookings from "./MissingBookings.ts"
import { Enumeration, type Restoration } from "./Restoration.ts"

/** Milliseconds until the next try when a bank cannot list now, or when an operator has to import a list. */
const againMs = 30_000
/** Lease of the job until the next page, in milliseconds. */
const leaseMs = 60_000

/** A row that cannot be read may be a booking that this copy lacks, so that the list does not count as complete. */
const unreadableRow = (source: Source, { problem, reference, row }: Booking.UnreadableRow): string =>
  `Row ${row} of the ${source}'s list${reference === undefined ? "" : ` (${reference})`} is no booking: ${problem}. ` +
  "Correct the adapter, or import the list: pay bookings import FILE"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const missingBookings = yield* MissingBookings.make
  const followUps = yield* FollowUps.make
  const banks = yield* Acquirers.books
  const rail = Option.getOrUndefined(yield* Effect.serviceOption(RailBooks))

  const list = Effect.fnUntraced(function* (mark: Restoration, enumeration: Enumeration, job: Job) {
    const { acquirer, source } = enumeration
    const book = source === "bank" ? banks.get(acquirer) : rail
    if (book === undefined) {
      yield* Effect.logWarning(
        "No orders are taken until an operator imports the list of bookings since the copy's last commit: pay bookings import FILE"
      ).pipe(Effect.annotateLogs({ source, acquirer, fromMs: enumeration.fromMs, toMs: enumeration.toMs }))
      return undefined
    }
    let row = enumeration
    const record = Effect.fnUntraced(function* ({ bookings, next, unreadable }: Booking.ReadPage) {
      const [first] = unreadable
      if (first !== undefined) return yield* new BooksUnavailable({ message: unreadableRow(row.source, first) })
      const { missing, writes } = yield* missingBookings.record(row, bookings)
      row = {
        ...row,
        bookings: row.bookings + bookings.length,
        missing: row.missing + missing,
        after: next ?? null
      }
      yield* store.commit({
        guards: [Decision.leaseOf(job), ...missingBookings.unchanged(mark).guards],
        writes: [
          ...writes,
          Decision.put(Enumeration, row),
          Decision.put(Job, { ...job, leaseUntilMs: (yield* Clock.currentTimeMillis) + leaseMs })
        ]
      })
      yield* Effect.logInfo("Listing the bookings since the copy's last commit").pipe(
        Effect.annotateLogs({ source, acquirer, bookings: row.bookings, missing: row.missing })
      )
    })
    yield* each(book, Adoption.listing(row), record, row.after ?? undefined)
    return row
  })

  const run = Effect.fnUntraced(function* (job: Job) {
    const lease = Decision.leaseOf(job)
    let mark = yield* missingBookings.pending
    if (mark === undefined) return yield* store.commit({ guards: [lease], writes: [Decision.remove(Job, [job.jobId])] })
    const nowMs = yield* Clock.currentTimeMillis
    let dueAtMs = nowMs + againMs
    for (const enumeration of yield* missingBookings.enumerations(mark)) {
      if (enumeration.completedAtMs !== null) continue
      if (nowMs < enumeration.toMs) {
        dueAtMs = Math.min(dueAtMs, enumeration.toMs)
        continue
      }
      // A source that cannot list does not keep the other one from being listed.
      const row: Enumeration | undefined = yield* Effect.catchTag(
        list(mark, enumeration, job),
        "BooksUnavailable",
        (error) =>
          Effect.logWarning(
            "The bookings since the copy's last commit cannot be listed now; it is tried again. Or import them: pay bookings import FILE",
            error
          ).pipe(
            Effect.annotateLogs({ source: enumeration.source, acquirer: enumeration.acquirer }),
            Effect.as(undefined)
          )
      )
      if (row === undefined) continue
      mark = yield* missingBookings.complete(mark, row, "gateway", { guards: [lease], writes: [] })
      if (mark === undefined) break
    }
    mark &&= yield* missingBookings.finish(mark)
    yield* store.commit({
      guards: [lease],
      writes: [
        mark === undefined
          ? Decision.remove(Job, [job.jobId])
          : Decision.put(Job, Jobs.make({ kind: "enumerate", subject: job.subject, merchantId: "", nowMs, dueAtMs }))
      ]
    })
  })

  /** Handles the job of the list, and the jobs of orders with bookings. If the store fails, the job stays leased, and continues with the next page when the lease ends. */
  return (job: Job): Effect.Effect<void> =>
    job.subject === "latest"
      ? Effect.catch(run(job), (error) =>
          Effect.logWarning("The bookings since the copy's last commit cannot be listed now; it is tried again", error)
        )
      : followUps(job)
})
