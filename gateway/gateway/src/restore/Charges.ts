/**
 * Compares a recurring payment: the former gateway may have charged each occurrence that was due before the restore, and may have tried a
 * declined charge again. The number of the order is made of the recurring payment and the number of the occurrence, so it is known.
 */
import { Clock, Effect } from "effect"
import * as Change from "../kernel/Change.ts"
import * as Decision from "../kernel/Decision.ts"
import { Ids } from "../kernel/Ids.ts"
import type { Job } from "../kernel/Job.ts"
import { Scheduler } from "../kernel/Scheduler.ts"
import { Store } from "../kernel/Store.ts"
import { Directory } from "../merchants/Directory.ts"
import * as Register from "../orders/decide/Register.ts"
import * as Uncommitted from "../orders/outcomes/Uncommitted.ts"
import { BankTask } from "../orders/record/BankTask.ts"
import { Order } from "../orders/record/Order.ts"
import { isOfBank, OrderRequest } from "../orders/record/OrderRequest.ts"
import { FormerOrders } from "../orders/requests/FormerOrders.ts"
import * as Charge from "../recurring/Charge.ts"
import * as ChargeNumber from "../recurring/ChargeNumber.ts"
import * as Billing from "../recurring/decide/Billing.ts"
import * as BillingDays from "../recurring/decide/BillingDays.ts"
import * as BillingDecisions from "../recurring/decide/BillingDecisions.ts"
import * as SkipReason from "../recurring/decide/SkipReason.ts"
import { Occurrence, Subscription } from "../recurring/decide/Subscription.ts"
import * as SubscriptionLifecycle from "../recurring/decide/SubscriptionLifecycle.ts"
import * as Adoption from "./Adoption.ts"
import * as Attempts from "./Attempts.ts"
import { BankBooking } from "./BankBooking.ts"
import type { Comparison } from "./Comparison.ts"
import { HeldJob } from "./HeldJob.ts"
import type * as Unclear from "./Unclear.ts"

const same: Comparison = { _tag: "Same" }
/** Highest number of occurrences that are compared at once: a year of a daily recurring payment. */
const mostOccurrences = 366
/** Highest number of bookings of one charge that are loaded. */
const mostBookings = 1000

/** What bank says about an occurrence. `NotKnown`: its order has a number that the copy cannot know. */
type Occurred =
  | { readonly _tag: "Charged"; readonly made: Charge.Made }
  | { readonly _tag: "NotCharged" | "NotKnown" }
  | Extract<Comparison, { readonly _tag: "Unclear" }>

/** Whether the former gateway may have charged the occurrence: it was due before the start on the copy. */
export const isDueBefore = (subscription: Subscription, n: number, startedAtMs: number): boolean => {
  const dueAtMs = BillingDays.dueAtMs(subscription, n)
  return dueAtMs !== undefined && dueAtMs <= startedAtMs
}

type FormerAttempts = Effect.Success<ReturnType<typeof Attempts.make>>

/** Finds out what the former gateway did with occurrences. */
const makeOccurrences = Effect.fnUntraced(function* (startedAtMs: number, attempts: FormerAttempts) {
  const store = yield* Store
  const directory = yield* Directory
  const { numberInCopies } = yield* ChargeNumber.make
  const { find: adopt } = yield* FormerOrders

  /** The order of an occurrence that the copy lacks. */
  const chargeOf = (subscription: Subscription, orderId: string): Unclear.Question["order"] => {
    const { amountMinor, currency, merchantId } = subscription
    const clientOrderId = BillingDecisions.clientOrderIdOf(subscription)
    const endpoint = directory.endpoint(subscription.endpointId)
    const place = endpoint === undefined ? {} : Register.placeOf(endpoint, currency)
    return { ...place, orderId, merchantId, clientOrderId, amountMinor, currency, state: "authorizing" }
  }

  const occurred = Effect.fnUntraced(function* (subscription: Subscription) {
    const { amountMinor, currency, merchantId } = subscription
    const clientOrderId = BillingDecisions.clientOrderIdOf(subscription)
    const booked = yield* adopt(merchantId, clientOrderId, { action: "sale", amountsMinor: [amountMinor], currency })
    if (booked === "differs") return { _tag: "NotKnown" } satisfies Occurred
    if (booked !== undefined) {
      const nowMs = yield* Clock.currentTimeMillis
      const complete = (registered: Register.Registered) => booked.complete(registered, nowMs)
      return { _tag: "Charged", made: { ...booked, complete } } satisfies Occurred
    }
    const orderId = yield* numberInCopies(subscription)
    if (orderId === undefined) return { _tag: "NotKnown" } satisfies Occurred
    const request = { action: "sale", orderId, sequence: 0 } as const
    const outcome = yield* attempts.between(chargeOf(subscription, orderId), request, [0, 0], "outcome")
    if (outcome._tag === "Unclear") return outcome
    if (outcome._tag === "NeverMade") return { _tag: "NotCharged" } satisfies Occurred
    const bookings = yield* store.find(BankBooking, "order", { equals: [orderId], limit: mostBookings })
    const complete = (registered: Register.Registered) =>
      Adoption.withFollowUps(Adoption.withHeldJobs(registered, startedAtMs), bookings, startedAtMs)
    return { _tag: "Charged", made: { orderId, createdAtMs: startedAtMs, complete } } satisfies Occurred
  })
  return { chargeOf, occurred }
})

/** A charge that was made, and cannot be registered without its endpoint. */
const unclear = (order: Unclear.Question["order"]): Comparison => ({
  _tag: "Unclear",
  reference: `${order.orderId}-sale-0`,
  order,
  request: { action: "sale" }
})

/** Compares the further attempts of a charge that was declined. */
const makeTriedAgain = Effect.fnUntraced(function* (startedAtMs: number, attempts: FormerAttempts) {
  const store = yield* Store
  const ids = yield* Ids
  const scheduler = yield* Scheduler
  return Effect.fnUntraced(function* (context: BillingDecisions.BillingContext, occurrence: Occurrence) {
    const order = occurrence.orderId === null ? undefined : yield* store.load(Order, [occurrence.orderId])
    const request = order === undefined ? undefined : yield* store.load(OrderRequest, [order.requestId])
    if (order === undefined || request === undefined || !isOfBank(request)) return undefined
    const range = [request.sequence + 1, Billing.retryDelaysMs.length] as const
    const outcome = yield* attempts.between(order, request, range, "approval")
    if (outcome._tag === "NeverMade") return undefined
    if (outcome._tag === "Unclear") return outcome
    const decision = BillingDecisions.retry(
      { ...context, occurrence, order, request },
      {
        sequence: outcome.sequence,
        attemptId: ids.next(),
        card: undefined,
        velocityEntries: Change.none,
        claim: scheduler.claim(context.nowMs, "bank", order.merchantId)
      }
    )
    const staysHeld = isDueBefore(context.subscription, context.subscription.next + 1, startedAtMs)
    return { _tag: "Becomes", decision, staysHeld } satisfies Comparison
  })
})

export const make = Effect.fnUntraced(function* (startedAtMs: number) {
  const store = yield* Store
  const directory = yield* Directory
  const { charge } = yield* Charge.make
  const attempts = yield* Attempts.make(startedAtMs)
  const { chargeOf, occurred } = yield* makeOccurrences(startedAtMs, attempts)
  const triedAgain = yield* makeTriedAgain(startedAtMs, attempts)

  const isFormer = (subscription: Subscription, n: number): boolean => isDueBefore(subscription, n, startedAtMs)

  /** Compares the occurrences from the next one on that were due before the restore. */
  const due = Effect.fnUntraced(function* (context: BillingDecisions.BillingContext) {
    const { subscription } = context
    const { next } = subscription
    for (let count = 0; count < mostOccurrences && isFormer(subscription, next + count); count += 1) {
      const each = yield* occurred({ ...subscription, next: next + count })
      if (each._tag === "Unclear") return each
      const isLost = each._tag === "NotKnown" && SubscriptionLifecycle.isCharged(subscription.state)
      if (each._tag !== "Charged" && !isLost) continue
      // Those before it were not charged, and are not charged any more.
      if (count > 0)
        return skipped(
          context,
          Array.from({ length: count }, () => SkipReason.missed)
        )
      if (each._tag !== "Charged") return skipped(context, [SkipReason.mayBeCharged])
      const endpoint = directory.endpoint(subscription.endpointId)
      if (endpoint === undefined) return unclear(chargeOf(subscription, each.made.orderId))
      const { complete } = each.made
      const closing = yield* settled(context.job)
      yield* charge(context, endpoint, {
        ...each.made,
        complete: (registered) => released(context, complete(registered), closing)
      })
      return { _tag: "Done" } satisfies Comparison
    }
    return same
  })

  const skipped = (context: BillingDecisions.BillingContext, reasons: ReadonlyArray<string>): Comparison => ({
    _tag: "Becomes",
    decision: BillingDecisions.skip(context, reasons),
    staysHeld: isFormer(context.subscription, context.subscription.next + reasons.length)
  })

  /** Closes the task about the charge: it is known now. */
  const settled = Effect.fnUntraced(function* ({ jobId }: Job) {
    const heldJob = yield* store.load(HeldJob, [jobId])
    if (heldJob === undefined || heldJob.taskId === null) return Change.none
    const task = yield* store.load(BankTask, [heldJob.taskId])
    const cleared = Change.writing(Decision.put(HeldJob, { ...heldJob, taskId: null }))
    return Change.all(Uncommitted.closing(task, yield* Clock.currentTimeMillis), cleared)
  })

  /** Opens the recurring payment with the charge of the last occurrence that was due before the restore. */
  const released = (
    { job, subscription }: BillingDecisions.BillingContext,
    { decision, order }: Register.Registered,
    closing: Change.Change
  ): Register.Registered => ({
    order,
    decision: isFormer(subscription, subscription.next + 1)
      ? Change.all(decision, closing)
      : Change.all(decision, closing, Change.writing(Decision.remove(HeldJob, [job.jobId])))
  })

  /** Whether the former gateway may have charged the next occurrence, although the copy had no job for it. */
  const mayBeFormer = Effect.fnUntraced(function* (job: Job) {
    const subscription = yield* store.load(Subscription, [job.subject])
    return (
      subscription !== undefined && subscription.createdAtMs <= startedAtMs && isFormer(subscription, subscription.next)
    )
  })

  const compare = Effect.fnUntraced(function* (job: Job) {
    const subscription = yield* store.load(Subscription, [job.subject])
    if (subscription === undefined) return same
    const occurrence = yield* store.load(Occurrence, [subscription.subscriptionId, subscription.next])
    const context = { subscription, occurrence, job, nowMs: yield* Clock.currentTimeMillis }
    if (occurrence === undefined) return yield* due(context)
    const tried = occurrence.progress === "retrying" ? yield* triedAgain(context, occurrence) : undefined
    return tried ?? (isFormer(subscription, subscription.next + 1) ? ({ _tag: "Runs" } satisfies Comparison) : same)
  })

  return { compare, mayBeFormer }
})
