/** A recurring payment (`recurring-payment-id`): a card, an amount, a schedule and its state. */
import type { Period } from "@pay/schema/RecurringSchedule"
import * as Entity from "../../kernel/Entity.ts"
import type { CallbackFormat } from "../../merchants/Directory.ts"
import type { State } from "./SubscriptionLifecycle.ts"

export const Subscription = Entity.make("subscriptions", {
  columns: {
    subscriptionId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    /** The endpoint at which the recurring payment was created, and which takes its charges. */
    endpointId: Entity.text(),
    /** The order with which it was created: the first charge, or the verification of a card that is charged later. */
    orderId: Entity.text(),
    clientOrderId: Entity.text(),
    state: Entity.text<State>(),
    /** Why the recurring payment failed or was suspended. */
    reasonCode: Entity.integerOrNull,
    reasonMessage: Entity.textOrNull(),
    /** 1 if it was paused when it was suspended. With another card it is then paused again. */
    paused: Entity.integer,
    currency: Entity.text(),
    amountMinor: Entity.integer,
    period: Entity.text<Period>(),
    interval: Entity.integer,
    /** Days as `YYYY-MM-DD`, in `timeZone`: the day of occurrence 0, and the last day on which an occurrence may be. */
    anchorDay: Entity.text(),
    finishDay: Entity.textOrNull(),
    /** Total number of occurrences; null without a limit. */
    occurrences: Entity.integerOrNull,
    /** The endpoint's time zone when it was created. A later setting of the endpoint does not move the days. */
    timeZone: Entity.text(),
    /** Number of the occurrence that is due next or is being charged. */
    next: Entity.integer,
    /**
     * For a merchant with short numbers: the number of the order that charges occurrence 0, if it were charged so, and the first
     * occurrence for whose order no number is reserved. See the module `ChargeNumber`.
     */
    chargeNumberBase: Entity.integerOrNull,
    chargeNumbersUntil: Entity.integerOrNull,
    /** The card number, encrypted and bound to `subscriptionId`; empty once nothing is charged any more. */
    encryptedPan: Entity.blob,
    panHash: Entity.text(),
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    cardholder: Entity.text(),
    expireMonth: Entity.integer,
    expireYear: Entity.integer,
    /** The scheme's reference of the payment with which the card was stored, as JSON; null if no bank reported one. */
    schemeReference: Entity.textOrNull(),
    description: Entity.text(),
    email: Entity.text(),
    phone: Entity.textOrNull(),
    ipAddress: Entity.text(),
    /** The country of the payer's address. The endpoint's risk rules use it. */
    country: Entity.text(),
    callbackUrl: Entity.textOrNull(),
    notifyUrl: Entity.textOrNull(),
    callbackFormat: Entity.text<CallbackFormat>(),
    /** Number of callbacks so far about the recurring payment itself. */
    eventCount: Entity.integer,
    createdAtMs: Entity.integer
  },
  key: ["subscriptionId"],
  unique: { order: ["orderId"] },
  index: { merchant: ["merchantId", "subscriptionId"], state: ["state", "subscriptionId"] }
})
export type Subscription = Entity.Row<typeof Subscription>

/**
 * `charging`: the order is in flight. `retrying`: the charge was declined and is tried again later. The others are
 * final.
 */
export type Progress = "charging" | "retrying" | "charged" | "failed" | "skipped"

/**
 * One occurrence of a recurring payment. It is changed only together with its subscription, whose version guards both.
 */
export const Occurrence = Entity.make("occurrences", {
  columns: {
    subscriptionId: Entity.text(),
    n: Entity.integer,
    /** The day of the occurrence, `YYYY-MM-DD`. */
    day: Entity.text(),
    progress: Entity.text<Progress>(),
    /** The order of the charge; null if the occurrence was skipped. */
    orderId: Entity.textOrNull(),
    /** Number of attempts with the card. */
    attempts: Entity.integer,
    /** When the card was first tried. The times of the further attempts count from it. */
    firstAtMs: Entity.integerOrNull,
    nextTryAtMs: Entity.integerOrNull,
    /** Why the occurrence was skipped, or the reason of the last decline. */
    reason: Entity.textOrNull(),
    endedAtMs: Entity.integerOrNull
  },
  key: ["subscriptionId", "n"]
})
export type Occurrence = Entity.Row<typeof Occurrence>
