/**
 * The events of `pay trigger`: requests to a sandbox with its test cards, codes and recipients, which are named as in the
 * sandbox's tables.
 */

export interface Step {
  /** The command of the operation: `sale`, `v4/payout`. */
  readonly operation: string
  /** The name of a row in the sandbox's tables of test cards, 3-D Secure cards, or recipients. */
  readonly card?: string
  readonly threeds?: string
  readonly recipient?: string
  readonly fields?: Readonly<Record<string, string>>
}

export interface TriggerEvent {
  readonly about: string
  /** The endpoint of the sandbox's own merchant. */
  readonly endpoint: "usd" | "limited" | "threeds3dsGateway"
  /** The requests in order. The first creates the order; the others act on it, or charge its recurring payment. */
  readonly steps: readonly [Step, ...ReadonlyArray<Step>]
  /** The status in which the order ends. */
  readonly ends: string
  /** Duration by which the sandbox's time must be moved until the order has ended. */
  readonly after?: string
}

const sale = (about: string, ends: string, step: Omit<Step, "operation"> = {}): TriggerEvent => ({
  about,
  endpoint: "usd",
  steps: [{ operation: "sale", ...step }],
  ends
})

const payout = (about: string, ends: string, recipient: string): TriggerEvent => ({
  about,
  endpoint: "usd",
  steps: [{ operation: "v4/payout", recipient, fields: { amount: "1.00" } }],
  ends
})

/** The address of the sample shop, to which 3-D Secure sends the browser back. */
const wayBack = { redirect_url: "http://127.0.0.1:8090/" }

const tooMuch = { amount: "100.01" }

export const events = {
  approved: sale("A sale is approved.", "approved"),
  declined: sale("A sale is declined: 116 Not sufficient funds.", "declined", { fields: { cvv2: "116" } }),
  filtered: {
    about: "A risk rule stops a sale.",
    endpoint: "limited",
    steps: [{ operation: "sale", fields: tooMuch }],
    ends: "filtered"
  },
  unreachable: { ...sale("The bank cannot be reached.", "error", { card: "not-sent" }), after: "1h" },
  unknown: {
    ...sale("The bank cannot say what it did: an operator resolves it.", "unknown", { fields: { cvv2: "217" } }),
    after: "1h"
  },
  "late-approval": { ...sale("The approval comes late.", "approved", { card: "arrives-late" }), after: "10m" },
  "answer-lost": {
    ...sale("The bank's answer is lost; the gateway inquires.", "approved", { card: "answer-lost" }),
    after: "10m"
  },
  "3ds-challenge": {
    about: "A sale waits for its customer at 3-D Secure: pay open shows the page.",
    endpoint: "threeds3dsGateway",
    steps: [{ operation: "sale", threeds: "challenge", fields: wayBack }],
    ends: "processing"
  },
  "3ds-abandoned": {
    about: "The customer never comes to the page of 3-D Secure.",
    endpoint: "threeds3dsGateway",
    steps: [{ operation: "sale", threeds: "challenge", fields: wayBack }],
    ends: "declined",
    after: "15m"
  },
  verified: {
    about: "A card is verified without a payment.",
    endpoint: "usd",
    steps: [{ operation: "account-verification" }],
    ends: "approved"
  },
  authorized: {
    about: "A hold waits for its capture.",
    endpoint: "usd",
    steps: [{ operation: "preauth" }],
    ends: "approved"
  },
  "hold-lapsed": {
    about: "A hold is released because it is not captured in time.",
    endpoint: "usd",
    steps: [{ operation: "preauth" }],
    ends: "approved",
    after: "8d"
  },
  captured: {
    about: "A hold is captured.",
    endpoint: "usd",
    steps: [{ operation: "preauth" }, { operation: "capture" }],
    ends: "approved"
  },
  "capture-declined": {
    about: "The bank declines a capture; the hold stays.",
    endpoint: "usd",
    steps: [{ operation: "preauth", card: "capture-declined" }, { operation: "capture" }],
    ends: "approved"
  },
  voided: {
    about: "A hold is released by the merchant.",
    endpoint: "usd",
    steps: [{ operation: "preauth" }, { operation: "void" }],
    ends: "approved"
  },
  refunded: {
    about: "A sale is refunded.",
    endpoint: "usd",
    steps: [{ operation: "sale" }, { operation: "return" }],
    ends: "approved"
  },
  "refund-declined": {
    about: "The bank declines a refund.",
    endpoint: "usd",
    steps: [{ operation: "sale", card: "refund-declined" }, { operation: "return" }],
    ends: "approved"
  },
  "payout-paid": payout("A payout is paid.", "approved", "ordinary"),
  "payout-declined": payout("The rail refuses a payout: 104 restricted.", "declined", "pay-refused"),
  "payout-returned": {
    ...payout("A payout is paid, and comes back an hour later: no such account.", "declined", "refused-after-hour"),
    after: "2h"
  },
  "payout-filtered": {
    about: "A risk rule stops a payout.",
    endpoint: "limited",
    steps: [{ operation: "v4/payout", recipient: "ordinary", fields: tooMuch }],
    ends: "filtered"
  },
  "charge-declined": {
    about: "A recurring payment begins, and a further charge is declined: 116 Not sufficient funds.",
    endpoint: "usd",
    steps: [
      { operation: "create-recurring-payment", card: "funds-five", fields: { amount: "4.00" } },
      { operation: "process-recurring-payment", fields: { amount: "10.00", currency: "USD" } }
    ],
    ends: "declined"
  }
} as const satisfies Readonly<Record<string, TriggerEvent>>

export type Name = keyof typeof events

const isName = (word: string): word is Name => Object.hasOwn(events, word)

export const named = (word: string): Name | undefined => (isName(word) ? word : undefined)

/** The events with their descriptions, for help and completion. */
export const rows: ReadonlyArray<readonly [name: string, about: string]> = Object.entries(events).map(
  ([name, { about }]) => [name, about]
)
