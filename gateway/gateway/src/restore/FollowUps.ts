/**
 * Registers follow-ups that bank has booked for an order of a restored copy, one after another, in the order of their numbers. Each is
 * an ordinary request in flight: its job inquires, and applies the outcome. The first equal request of the merchant takes it over. An
 * order is closed until all its bookings are registered.
 */
import { Clock, Effect, Result } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import { Job } from "../kernel/Job.ts"
import * as Jobs from "../kernel/Jobs.ts"
import { Store } from "../kernel/Store.ts"
import * as FollowUp from "../orders/decide/FollowUp.ts"
import * as Booking from "../orders/record/Booking.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import { isCardKind, Order } from "../orders/record/Order.ts"
import type { OrderRequest as Request } from "../orders/record/OrderRequest.ts"
import { isKnown, OrderRequest } from "../orders/record/OrderRequest.ts"
import * as Adoption from "./Adoption.ts"
import { BankBooking, isOpen } from "./BankBooking.ts"
import { HeldJob } from "./HeldJob.ts"
import * as MissingBookings from "./MissingBookings.ts"

const minuteMs = 60_000
/** Delays of a job that waits for the comparison of another request. Bank or rail may be unable to say its outcome for months. */
const delaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000, minuteMs, 5 * minuteMs, 15 * minuteMs] as const

/** Returns the job without its lease, due after the next of growing delays. */
export const later = (job: Job, nowMs: number): Job => Jobs.waiting(job, nowMs + Jobs.step(delaysMs, job.tries))
/** Highest number of rows of one order that are loaded. */
const mostPerOrder = 10_000

/** How a booking of a kind is planned, and the operation of its request. */
const plans: Readonly<
  Partial<
    Record<string, { readonly operation: string; readonly plan: (order: Order, minor: number) => FollowUp.Planned }>
  >
> = {
  capture: { operation: "CAPTURE", plan: FollowUp.capture },
  void: { operation: "VOID", plan: FollowUp.voidHold },
  refund: { operation: "RETURN", plan: FollowUp.refund }
}

interface Numbered {
  readonly row: BankBooking
  readonly sequence: number
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids
  const missingBookings = yield* MissingBookings.make

  /** Returns the bookings of the order that no request here has, the first one first. */
  const bookingsOf = Effect.fnUntraced(function* ({ acquirer, orderId }: Order) {
    const rows = yield* store.find(BankBooking, "order", { equals: [orderId], limit: mostPerOrder })
    const requests = yield* store.find(OrderRequest, "order", { equals: [orderId], limit: mostPerOrder })
    const numbered = rows.flatMap((row): ReadonlyArray<Numbered> => {
      const reference = Booking.parse(row.reference)
      const isOwn = row.source === "bank" && row.acquirer === acquirer
      const isLacking = isOwn && reference !== undefined && isOpen(row) && !isKnown(reference, requests)
      return isLacking ? [{ row, sequence: reference.sequence }] : []
    })
    return numbered.sort((one, other) => one.sequence - other.sequence)
  })

  /** Whether another job of the order is still compared. The expiry of its hold waits for the follow-ups. */
  const isCompared = Effect.fnUntraced(function* ({ jobId, subject }: Job) {
    for (const other of yield* store.find(HeldJob, "subject", { equals: [subject], limit: mostPerOrder }))
      if (other.jobId !== jobId && other.kind !== "lapse" && (yield* store.load(Job, [other.jobId])) !== undefined)
        return true
    return false
  })

  const registered = (order: Order, { row, sequence }: Numbered, nowMs: number): Change.Change | undefined => {
    // The amount of another currency says nothing about the order. Operators see the booking.
    const how = row.currency === order.currency ? plans[Booking.parse(row.reference)?.kind ?? ""] : undefined
    const planned = how?.plan(order, row.amountMinor)
    if (how === undefined || planned === undefined || Result.isFailure(planned)) return undefined
    const { action, amountMinor, order: moved } = planned.success
    const request: Request = {
      ...{ requestId: ids.next(), merchantId: order.merchantId, orderId: order.orderId, operation: how.operation },
      ...{ action, sequence, amountMinor, hasAmount: 1, progress: "processing", fingerprint: "", idempotencyKey: null },
      ...{
        errorCode: null,
        errorMessage: null,
        callbackUrl: null,
        processorTxId: null,
        acceptedAtMs: nowMs,
        finishedAtMs: null
      }
    }
    const next = { ...moved, sequence: Math.max(order.sequence, sequence) }
    const job = Jobs.make({ kind: "bank", subject: request.requestId, merchantId: order.merchantId, nowMs })
    const { decision } = Adoption.withHeldJobs(
      {
        order: next,
        decision: Change.writing(
          Decision.put(Order, next),
          Decision.append(OrderRequest, request),
          Decision.append(Job, job)
        )
      },
      nowMs
    )
    return Change.all(Change.unchanged(Order, order), decision, Adoption.adoptedRow(row, nowMs))
  }

  const run = Effect.fnUntraced(function* (job: Job) {
    const nowMs = yield* Clock.currentTimeMillis
    const order = yield* store.load(Order, [job.subject])
    const lease: Change.Change = { guards: [Decision.leaseOf(job)], writes: [] }
    const again = (tries: number) => Change.writing(Decision.put(Job, later({ ...job, tries }, nowMs)))
    const isPending = (yield* missingBookings.pending) !== undefined
    if (order !== undefined && (isPending || (yield* isCompared(job))))
      return yield* store.commit(Change.all(lease, again(job.tries)))
    const bookings = order === undefined || !isCardKind(order.kind) ? [] : yield* bookingsOf(order)
    for (const booking of bookings) {
      const change = order === undefined ? undefined : registered(order, booking, nowMs)
      if (change !== undefined) return yield* store.commit(Change.all(lease, change, again(0)))
    }
    const isOver = order === undefined || Lifecycle.isFinal(order.state)
    const sequence = Math.max(order?.sequence ?? 0, ...bookings.map((each) => each.sequence))
    // A number that a booking has is not used again.
    const numbered =
      order === undefined || sequence === order.sequence ? Change.none : Change.update(Order, order, { sequence })
    const ended = Change.writing(Decision.remove(Job, [job.jobId]), Decision.remove(HeldJob, [job.jobId]))
    yield* store.commit(Change.all(lease, isOver ? Change.all(numbered, ended) : again(job.tries)))
  })

  /** If an error occurs, the job stays leased. It runs again when the lease expires. */
  return (job: Job): Effect.Effect<void> =>
    Effect.catch(run(job), (error) => Effect.logDebug("The follow-ups of an order have to wait", error))
})
