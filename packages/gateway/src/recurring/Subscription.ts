/** A recurring payment (`recurring-payment-id`): a card, an amount and a schedule, and where it stands. */
import type { Period } from "@pay/schema/RecurringSchedule"
import * as Entity from "../kernel/Entity.ts"
import type { State } from "./SubscriptionLife.ts"

export const Subscription = Entity.make("subscriptions", {
  columns: {
    subscriptionId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    /** The endpoint that took it, and takes its charges. */
    endpointId: Entity.text(),
    /** The order that the creation made: the first charge, or the verification of a card that is charged later. */
    orderId: Entity.text(),
    clientOrderId: Entity.text(),
    state: Entity.text<State>(),
    /** Why it failed or was suspended. */
    reasonCode: Entity.integerOrNull,
    reasonMessage: Entity.textOrNull(),
    /** 1 where the merchant had paused it when it was suspended: with another card it is paused again. */
    paused: Entity.integerOrNull,
    currency: Entity.text(),
    amountMinor: Entity.integer,
    period: Entity.text<Period>(),
    interval: Entity.integer,
    /** Days as `YYYY-MM-DD`, in `timeZone`: of occurrence 0, and the last on which one may fall. */
    anchorDay: Entity.text(),
    finishDay: Entity.textOrNull(),
    /** How many there are in all. */
    occurrences: Entity.integerOrNull,
    /** The endpoint's when it was created: a later setting moves nobody's days. */
    timeZone: Entity.text(),
    /** Number of the occurrence that is due next or is being charged. */
    next: Entity.integer,
    /** Sealed, bound to `subscriptionId`; empty once nothing is charged any more. */
    sealedPan: Entity.blob,
    panHash: Entity.text(),
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    cardholder: Entity.text(),
    expireMonth: Entity.integer,
    expireYear: Entity.integer,
    description: Entity.text(),
    email: Entity.text(),
    phone: Entity.textOrNull(),
    ipAddress: Entity.text(),
    /** The country of the payer's address. The endpoint's risk rules use it. */
    country: Entity.text(),
    callbackUrl: Entity.textOrNull(),
    notifyUrl: Entity.textOrNull(),
    /** Events told so far that are no order's. */
    eventCount: Entity.integer,
    createdAtMs: Entity.integer
  },
  key: ["subscriptionId"],
  unique: { order: ["orderId"] },
  index: { merchant: ["merchantId", "subscriptionId"], state: ["state", "subscriptionId"] }
})
export type Subscription = Entity.Row<typeof Subscription>

/** `charging`: its order is under way; `retrying`: declined, and tried again later. The others are final. */
export type Progress = "charging" | "retrying" | "charged" | "failed" | "skipped"

/** Changed only together with its subscription, whose version guards both. */
export const Occurrence = Entity.make("occurrences", {
  columns: {
    subscriptionId: Entity.text(),
    n: Entity.integer,
    /** `YYYY-MM-DD`. */
    day: Entity.text(),
    progress: Entity.text<Progress>(),
    /** Its charge; null where it was skipped. */
    orderId: Entity.textOrNull(),
    /** Times the card was tried. */
    attempts: Entity.integer,
    /** When the card was first tried: its retries count from there. */
    firstAtMs: Entity.integerOrNull,
    nextTryAtMs: Entity.integerOrNull,
    /** Why it was skipped, or the last decline. */
    reason: Entity.textOrNull(),
    endedAtMs: Entity.integerOrNull
  },
  key: ["subscriptionId", "n"]
})
export type Occurrence = Entity.Row<typeof Occurrence>
