/**
 * A payment or payout and its whole life: one row from registration to the last refund
 * (docs/assumptions.md#one-order-its-whole-life).
 */
import * as Entity from "../../kernel/Entity.ts"
import type { CallbackFormat } from "../../merchants/Directory.ts"
import type { State } from "./Lifecycle.ts"

/** Kinds of orders that a card's bank decides. The table of `CardKinds` defines each one. */
export const cardKinds = ["sale", "preauth", "verification", "transfer", "eligibility"] as const
export type CardKind = (typeof cardKinds)[number]

/** Kinds of orders that the merchant's balance pays: `payout` to any recipient, `deposit` as a transfer to a card. */
export type PayoutKind = "payout" | "deposit"

/** The kind of an order. It is fixed when the order is created. */
export type Kind = CardKind | PayoutKind

const cardKindSet: ReadonlySet<Kind> = new Set(cardKinds)
/** Whether the order is a card order: only card orders have holds, captures and returns. */
export const isCardKind = (kind: Kind): kind is CardKind => cardKindSet.has(kind)

/** The party that starts a charge. A charge without its cardholder carries no CVV and no 3-D Secure. */
export type Initiator = "cardholder" | "merchant"

export const Order = Entity.make("orders", {
  columns: {
    /** The gateway's identifier: decimal text, `orderid` of requests and `paynet-order-id` of answers. */
    orderId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    /** The endpoint that took the order. */
    endpointId: Entity.text(),
    /** The text on the customer's statement, as the endpoint had it when the order was created. */
    descriptor: Entity.textOrNull(),
    /** The name of the acquirer of the payment; null: the one with the name `acquirer`. */
    acquirer: Entity.textOrNull(),
    /** The terminal of the payment as JSON, as the endpoint had it when the order was created. */
    terminal: Entity.textOrNull(),
    clientOrderId: Entity.text(),
    /** The request that created the order. */
    requestId: Entity.text(),
    kind: Entity.text<Kind>(),
    initiator: Entity.text<Initiator>(),
    /** How the payment uses a stored card, as JSON (`StoredCredential`); null if the card is neither stored nor was it. */
    credential: Entity.textOrNull(),
    /** 1 if the request contained a CVV. The authorisation is then never sent without it. */
    hasCvv: Entity.integer,
    /** 1 if the payment goes through 3-D Secure. */
    hasAuthentication: Entity.integer,
    state: Entity.text<State>(),
    currency: Entity.text(),
    amountMinor: Entity.integer,
    /** The amounts of the merchant's list that have not been tried yet, in minor units, joined by commas. Null without a list. */
    remainingAmounts: Entity.textOrNull(),
    authorizedMinor: Entity.integer,
    capturedMinor: Entity.integer,
    refundedMinor: Entity.integer,
    /** The amount that is charged back now, because the cardholder disputes it. */
    chargedBackMinor: Entity.integer,
    /** `capturingMinor` and `refundingMinor`: amounts of captures and returns in flight or unknown. They count as used. */
    capturingMinor: Entity.integer,
    refundingMinor: Entity.integer,
    /** Number of follow-ups in flight. */
    inFlightCount: Entity.integer,
    /** 1 while a void, a return that cancels the hold or an expiry of the hold is in flight: no capture may start. */
    voiding: Entity.integer,
    /** Number of the last follow-up, for the reference `orderid-kind-n`. */
    sequence: Entity.integer,
    errorCode: Entity.integerOrNull,
    errorMessage: Entity.textOrNull(),
    /** The rule of the endpoint that stopped the payment. It is shown to the merchant's operator, not to the customer. */
    filteredBy: Entity.textOrNull(),
    /** What the bank reported of the payment beside its outcome, as JSON (`BankDetails`). */
    bankDetails: Entity.textOrNull(),
    approvalCode: Entity.textOrNull(),
    processorTxId: Entity.textOrNull(),
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    cardholder: Entity.text(),
    expireMonth: Entity.integer,
    expireYear: Entity.integer,
    description: Entity.text(),
    email: Entity.text(),
    /** The e-mail address as `EmailAddress.customer` writes it, by which an operator finds the customer's orders. */
    customer: Entity.text(),
    phone: Entity.textOrNull(),
    ipAddress: Entity.text(),
    /** The payer's name and address as JSON (`BillingDetails`). */
    billing: Entity.textOrNull(),
    merchantData: Entity.textOrNull(),
    /** The addresses that the browser returns to: always, after success, after failure. */
    redirectUrl: Entity.textOrNull(),
    redirectSuccessUrl: Entity.textOrNull(),
    redirectFailUrl: Entity.textOrNull(),
    callbackUrl: Entity.textOrNull(),
    notifyUrl: Entity.textOrNull(),
    /** The form of the order's callbacks, as the endpoint had it when the order was created. */
    callbackFormat: Entity.text<CallbackFormat>(),
    /** `pairs` if the merchant created the order in the older dialect. */
    dialect: Entity.textOrNull<"pairs">(),
    /** The amount as text, as a request of the older dialect contained it. */
    amountText: Entity.textOrNull(),
    /** The recurring payment that this order charges, or whose card it verifies. */
    subscriptionId: Entity.textOrNull(),
    /** Number of callbacks so far. The next callback of the order has the next number. */
    eventCount: Entity.integer,
    createdAtMs: Entity.integer,
    /** When the acquirer's first final answer was recorded. */
    processedAtMs: Entity.integerOrNull,
    holdUntilMs: Entity.integerOrNull
  },
  key: ["orderId"],
  unique: { clientOrder: ["merchantId", "clientOrderId"] },
  index: {
    created: ["createdAtMs", "orderId"],
    merchant: ["merchantId", "createdAtMs", "orderId"],
    lastFour: ["lastFour", "createdAtMs", "orderId"],
    customer: ["customer", "createdAtMs", "orderId"]
  },
  changing: []
})

export type Order = Entity.Row<typeof Order>
