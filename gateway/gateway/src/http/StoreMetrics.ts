/**
 * Metrics for alerts, read on request. Each is a limited read of an index, never a scan of all orders. Counts stop at
 * `mostCounted`.
 */
import { Clock, Effect, Metric } from "effect"
import { CallbackEvent } from "../callbacks/decide/CallbackEvent.ts"
import * as CallMetrics from "../kernel/CallMetrics.ts"
import { Job, type Kind, kinds } from "../kernel/Job.ts"
import { Store } from "../kernel/Store.ts"
import { BankTask } from "../orders/record/BankTask.ts"
import { OrderRequest } from "../orders/record/OrderRequest.ts"
import { largest, NumberSequence } from "../orders/requests/OrderNumbers.ts"
import { BankBooking } from "../restore/BankBooking.ts"

const mostCounted = 1000

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const unknowns = gauge("pay_unknown_requests", "Requests that the bank or the rail has not answered, up to 1000")
const unknownAge = gauge("pay_unknown_oldest_seconds", "Age of the oldest of them")
const processing = gauge("pay_processing_requests", "Requests whose outcome is open, unknown ones included, up to 1000")
const processingAge = gauge("pay_processing_oldest_seconds", "Age of the oldest of them")
const deadLettered = gauge("pay_callbacks_parked", "Callbacks that were given up and wait for an operator, up to 1000")
const tasks = gauge(
  "pay_tasks_open",
  "Answers of bank and rail that contradict their orders or cannot be committed, and wait for an operator, up to 1000"
)
const bookings = gauge(
  "pay_bookings_open",
  "Bookings that a restored store lacks and whose request no merchant has repeated, up to 1000"
)
const overdue = gauge("pay_agenda_overdue", "Jobs that are due and not done, up to 1000")
const overdueAge = gauge("pay_agenda_overdue_oldest_seconds", "How long the oldest of them has been due")

const shortLeft = gauge("pay_short_numbers_left", "Short numbers of orders and cards that no process has reserved")

const seconds = (ms: number): number => Math.max(0, ms) / 1000

/** Reads what the metrics count. */
export const read = Effect.gen(function* () {
  const store = yield* Store
  const nowMs = yield* Clock.currentTimeMillis
  const limit = mostCounted
  const overdueOf = (kind: Kind) =>
    Effect.map(store.find(Job, "due", { equals: [kind], to: nowMs, limit }), (due) => {
      const waiting = due.filter(({ leaseUntilMs }) => leaseUntilMs <= nowMs)
      return { kind, count: waiting.length, oldestAtMs: waiting[0]?.dueAtMs }
    })
  const { bookings, deadLettered, sequence, tasks, ...others } = yield* Effect.all(
    {
      unknown: store.find(OrderRequest, "progress", { equals: ["unknown"], limit }),
      processing: store.find(OrderRequest, "progress", { equals: ["processing"], limit }),
      deadLettered: store.find(CallbackEvent, "delivery", { equals: ["dead-lettered"], limit }),
      tasks: store.find(BankTask, "state", { equals: ["open"], limit }),
      bookings: store.find(BankBooking, "state", { equals: ["open"], limit }),
      sequence: store.load(NumberSequence, ["orders"]),
      overdue: Effect.forEach(kinds, overdueOf, { concurrency: "unbounded" })
    },
    { concurrency: "unbounded" }
  )
  return {
    ...others,
    nowMs,
    deadLettered: deadLettered.length,
    tasks: tasks.length,
    bookings: bookings.length,
    shortLeft: sequence && largest + 1 - sequence.next
  }
})

/** Updates the gauges. If the store cannot be read, they stay unchanged. */
export const refresh = Effect.gen(function* () {
  const figures = yield* read
  const secondsSince = (atMs: number | undefined) => (atMs === undefined ? 0 : seconds(figures.nowMs - atMs))
  const [firstUnknown] = figures.unknown
  yield* Metric.update(unknowns, figures.unknown.length)
  yield* Metric.update(unknownAge, secondsSince(firstUnknown?.acceptedAtMs))
  const [eldest] = [...figures.processing, ...figures.unknown].sort((a, b) => a.acceptedAtMs - b.acceptedAtMs)
  yield* Metric.update(processing, Math.min(mostCounted, figures.processing.length + figures.unknown.length))
  yield* Metric.update(processingAge, secondsSince(eldest?.acceptedAtMs))
  yield* CallMetrics.refresh
  yield* Metric.update(deadLettered, figures.deadLettered)
  yield* Metric.update(tasks, figures.tasks)
  yield* Metric.update(bookings, figures.bookings)
  if (figures.shortLeft !== undefined) yield* Metric.update(shortLeft, figures.shortLeft)
  for (const { count, kind, oldestAtMs } of figures.overdue) {
    yield* Metric.update(Metric.withAttributes(overdue, { kind }), count)
    yield* Metric.update(Metric.withAttributes(overdueAge, { kind }), secondsSince(oldestAtMs))
  }
}).pipe(
  Effect.catchTag("StoreUnavailable", (error) => Effect.logWarning("Numbers cannot be read from the store", error))
)
