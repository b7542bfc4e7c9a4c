/**
 * What an update makes of a recurring payment, as a pure decision: another amount, another card, pause, resume, cancel. It
 * sets what it names, so the same update again changes nothing.
 */
import * as Billing from "./Billing.ts"
import * as Callbacks from "./Callbacks.ts"
import * as Decision from "./Decision.ts"
import { AgendaItem } from "./entities/AgendaItem.ts"
import type { Occurrence } from "./entities/Occurrence.ts"
import { Subscription } from "./entities/Subscription.ts"
import type * as FormBegin from "./FormBegin.ts"
import * as Refusal from "./Refusal.ts"
import * as SubscriptionLife from "./SubscriptionLife.ts"

export interface Asked {
  readonly change: "pause" | "resume" | "cancel" | undefined
  readonly amountMinor: number | undefined
  readonly card: (FormBegin.CardFacts & Pick<Subscription, "sealedPan" | "panHash">) | undefined
}

export interface Changed {
  readonly subscription: Subscription
  readonly decision: Decision.Decision
}

const refused = ({ state, subscriptionId }: Subscription, says: string): Refusal.Refusal =>
  Refusal.make("orderState", `Recurring payment ${subscriptionId} is ${state}; ${says}`, "recurring-payment-id")

/** Where each change leads to where it has been made before. */
const already: Readonly<Record<NonNullable<Asked["change"]>, SubscriptionLife.State>> = {
  pause: "paused",
  resume: "active",
  cancel: "cancelled"
}

/** With another card: a pause that was made before the suspension still holds. */
const withCard = ({ paused, state }: Subscription): SubscriptionLife.State => {
  const revived = SubscriptionLife.next(state, "revive")
  if (revived === undefined) return state
  return (paused === 1 ? SubscriptionLife.next(revived, "pause") : undefined) ?? revived
}

/** The state after the change, another card having come before it. */
const stateAfter = (subscription: Subscription, { card, change }: Asked): SubscriptionLife.State | Refusal.Refusal => {
  const { state } = subscription
  const revived = card === undefined ? state : withCard(subscription)
  if (change === undefined || revived === already[change]) return revived
  const moved = SubscriptionLife.next(revived, change)
  if (moved !== undefined) return moved
  return SubscriptionLife.next(state, "revive") === undefined
    ? refused(subscription, `it cannot be asked to ${change}`)
    : refused(subscription, `give another card, by cardrefid or its number, to go on with it`)
}

/** The turn of one that was cancelled: now, where a declined charge waits for another try; else none any more. */
const lastTurn = (
  { subscriptionId }: Subscription,
  occurrence: Occurrence | undefined,
  nowMs: number
): ReadonlyArray<Decision.Write> => [
  occurrence?.progress === "retrying"
    ? Decision.put(AgendaItem, Callbacks.newItem("recurring", subscriptionId, nowMs, nowMs, undefined))
    : Decision.remove(AgendaItem, [Billing.agendaId(subscriptionId)])
]

/** `occurrence`: the present one, if it has an order. */
export const decide = (
  subscription: Subscription,
  occurrence: Occurrence | undefined,
  asked: Asked,
  nowMs: number
): Changed | Refusal.Refusal => {
  const { amountMinor, card } = asked
  if (!SubscriptionLife.isScheduled(subscription.state) && (amountMinor !== undefined || card !== undefined)) {
    return refused(subscription, "its amount and card cannot be changed")
  }
  const state = stateAfter(subscription, asked)
  if (typeof state !== "string") return state
  const isOver = SubscriptionLife.isOver(state)
  const changed: Subscription = {
    ...subscription,
    ...card,
    amountMinor: amountMinor ?? subscription.amountMinor,
    state,
    ...(SubscriptionLife.hasCard(state) ? { reasonCode: null, reasonMessage: null, paused: null } : {}),
    version: subscription.version + 1
  }
  const row = isOver ? { ...changed, sealedPan: Billing.nothing } : changed
  return {
    subscription: row,
    decision: {
      guards: [Billing.guard({ subscription, occurrence })],
      writes: [Decision.put(Subscription, row), ...(isOver ? lastTurn(subscription, occurrence, nowMs) : [])]
    }
  }
}
