/**
 * Decides what happens to a recurring payment when one of its occurrences ends: charged, failed, skipped, or tried again. Each
 * decision is part of the commit that ends the occurrence, and schedules the next job. A recurring payment waits either for a
 * time or for the outcome of its charge, never for both. No occurrence is charged twice, and none is lost.
 */
import * as CardRules from "@pay/schema/Card"
import { byCode, declines } from "@pay/schema/Decline"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type { RequestOutcome } from "../../orders/record/OrderRequest.ts"
import * as BillingDays from "./BillingDays.ts"
import type { Billed } from "./BillingPlan.ts"
import { Occurrence, Subscription } from "./Subscription.ts"
import * as SubscriptionEvents from "./SubscriptionEvents.ts"
import * as SubscriptionLifecycle from "./SubscriptionLifecycle.ts"

/** The operation name of a scheduled charge. */
export const chargeOperation = "RECURRING_CHARGE"
/** The operation name of the record of an attempt that was declined. */
export const attemptOperation = "RECURRING_ATTEMPT"

const dayMs = 86_400_000
/** Times from the first attempt of a charge to its further attempts after declines. */
export const retryDelaysMs = [1 * dayMs, 3 * dayMs, 5 * dayMs] as const

/** Returns a guard that fails when the recurring payment has changed since it was read. */
export const guard = ({ subscription }: Billed): Decision.Guard =>
  Decision.versionIs(Subscription, [subscription.subscriptionId], subscription.version)

/** Replaces the encrypted card number when it is no longer kept. */
export const erasedPan = new Uint8Array(0)

/**
 * Returns the writes that continue a recurring payment: its row, its callbacks, and the job of its next occurrence, if there is
 * one.
 */
export const advance = (
  subscription: Subscription,
  events: ReadonlyArray<SubscriptionEvents.Event>,
  nowMs: number
): SubscriptionEvents.Notifications => {
  const { state, subscriptionId } = subscription
  const dueAtMs = SubscriptionLifecycle.isScheduled(state)
    ? BillingDays.dueAtMs(subscription, subscription.next)
    : undefined
  const ends = dueAtMs === undefined ? SubscriptionLifecycle.next(state, "finish") : undefined
  const nextState = ends === undefined ? state : ends
  const row = Change.next(subscription, {
    state: nextState,
    encryptedPan: SubscriptionLifecycle.isOver(nextState) ? erasedPan : subscription.encryptedPan
  })
  const announced = SubscriptionEvents.announce(
    row,
    ends === undefined ? events : [...events, { status: "finished" }],
    nowMs
  )
  return {
    subscription: announced.subscription,
    writes: [
      Decision.put(Subscription, announced.subscription),
      ...announced.writes,
      dueAtMs === undefined
        ? Decision.remove(Job, [Jobs.id("recurring", subscriptionId)])
        : Decision.put(
            Job,
            Jobs.make({
              kind: "recurring",
              subject: subscriptionId,
              merchantId: subscription.merchantId,
              nowMs,
              dueAtMs
            })
          )
    ]
  }
}

/** Returns the write of the row alone. Its job stays, or is removed if the recurring payment is over. */
export const updateRow = (subscription: Subscription, isOver: boolean): SubscriptionEvents.Notifications => {
  const row: Subscription = Change.next(subscription)
  const jobWrites = isOver ? [Decision.remove(Job, [Jobs.id("recurring", row.subscriptionId)])] : []
  return { subscription: row, writes: [Decision.put(Subscription, row), ...jobWrites] }
}

export const advanceWrites = (...parts: Parameters<typeof advance>): ReadonlyArray<Decision.Write> =>
  advance(...parts).writes

/** The final outcome of a charge. `suspends`: the card is not charged again until the merchant sets another card. */
export type ChargeOutcome =
  | { readonly approved: true }
  | { readonly approved: false; readonly suspends: boolean; readonly reason: SubscriptionEvents.Reason }

const lifecycleEvent = ({ subscription }: Billed, outcome: ChargeOutcome): SubscriptionLifecycle.Event | undefined => {
  if (SubscriptionLifecycle.next(subscription.state, "begin") !== undefined)
    return outcome.approved ? "begin" : "reject"
  return !outcome.approved && outcome.suspends ? "suspend" : undefined
}

/** Returns a callback in advance if the card will have expired at the next occurrence. */
const warning = (subscription: Subscription): ReadonlyArray<SubscriptionEvents.Event> => {
  const { expireMonth, expireYear, next, state } = subscription
  const dueAtMs = SubscriptionLifecycle.isCharged(state) ? BillingDays.dueAtMs(subscription, next) : undefined
  return dueAtMs !== undefined && CardRules.isExpired({ month: expireMonth, year: expireYear }, dueAtMs)
    ? [{ status: "card_expiring", day: BillingDays.dayOf(subscription, next), reason: declines.expiredCard }]
    : []
}

/**
 * Returns the writes that are committed with the final outcome of an order: of the current occurrence, or of the order that
 * creates the recurring payment.
 */
export const conclude = (billed: Billed, outcome: ChargeOutcome, nowMs: number): ReadonlyArray<Decision.Write> => {
  const { occurrence, subscription } = billed
  const event = lifecycleEvent(billed, outcome)
  const state = event === undefined ? undefined : SubscriptionLifecycle.next(subscription.state, event)
  const reason = outcome.approved ? undefined : outcome.reason
  const after: Subscription = {
    ...subscription,
    next: occurrence === undefined ? subscription.next : occurrence.n + 1,
    ...(state === undefined ? {} : { state, reasonCode: reason?.code ?? null, reasonMessage: reason?.message ?? null }),
    ...(event === "suspend" && SubscriptionLifecycle.isPaused(subscription.state) ? { paused: 1 } : {})
  }
  const day = occurrence?.day
  const suspendedEvents: ReadonlyArray<SubscriptionEvents.Event> =
    state !== undefined && event === "suspend" && BillingDays.dueAtMs(after, after.next) !== undefined
      ? [{ status: "suspended", day, reason }]
      : []
  const occurrenceWrites: ReadonlyArray<Decision.Write> =
    occurrence === undefined
      ? []
      : [
          Decision.put(Occurrence, {
            ...occurrence,
            progress: outcome.approved ? "charged" : "failed",
            nextTryAtMs: null,
            reason: reason?.message ?? null,
            endedAtMs: nowMs
          })
        ]
  return [...occurrenceWrites, ...advanceWrites(after, [...suspendedEvents, ...warning(after)], nowMs)]
}

/**
 * Maps an order's final outcome to that of its charge. A rule of the endpoint fails one charge only, unless it blocks the card.
 */
export const chargeOutcomeOf = ({ errorCode, errorMessage, progress }: RequestOutcome): ChargeOutcome => {
  if (progress === "approved") return { approved: true }
  const hard = byCode(errorCode ?? 0)?.hard === true
  return {
    approved: false,
    suspends: hard || progress !== "filtered",
    reason: { code: errorCode ?? undefined, message: errorMessage ?? "The charge was not approved" }
  }
}

/** Returns the time of the next attempt after a decline; undefined if there is none. */
export const retryAtMs = ({ occurrence, subscription }: Billed, isHard: boolean, nowMs: number): number | undefined => {
  if (occurrence === undefined || !SubscriptionLifecycle.isCharged(subscription.state)) return undefined
  if (isHard) return undefined
  const firstAtMs = occurrence.firstAtMs ?? nowMs
  const atMs = retryDelaysMs.map((delayMs) => firstAtMs + delayMs).find((each) => each > nowMs)
  return atMs !== undefined && atMs < BillingDays.triedUntilMs(subscription, occurrence.n) ? atMs : undefined
}

/** Returns the writes while a declined charge waits for another attempt. */
export const waiting = (
  { occurrence, subscription }: Billed,
  reason: string,
  atMs: number,
  nowMs: number
): ReadonlyArray<Decision.Write> =>
  occurrence === undefined
    ? []
    : [
        Decision.put(Occurrence, { ...occurrence, progress: "retrying", nextTryAtMs: atMs, reason }),
        Decision.put(Subscription, Change.next(subscription)),
        Decision.put(
          Job,
          Jobs.make({
            kind: "recurring",
            subject: subscription.subscriptionId,
            merchantId: subscription.merchantId,
            nowMs,
            dueAtMs: atMs
          })
        )
      ]
