/** A payment or payout and its whole life: one row from registration to the last refund (decisions: one order carries its whole life). */
import * as Entity from "../kernel/Entity.ts"
import type { State } from "./Lifecycle.ts"

/** What is asked of a card's bank; what each means is the table of `CardKinds`. */
export const cardKinds = ["sale", "preauth", "verification", "transfer", "eligibility"] as const
export type CardKind = (typeof cardKinds)[number]

/** What the merchant's balance pays: to whomever, or as a transfer to a card. */
export type PayoutKind = "payout" | "deposit"

/** What the order was created as. */
export type Kind = CardKind | PayoutKind

const cardKindSet: ReadonlySet<Kind> = new Set(cardKinds)
/** Whether a card pays, or is asked about: everything about holds, captures and returns is for these only. */
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
    /** What the customer reads on the statement, as its endpoint had it then. */
    descriptor: Entity.textOrNull(),
    clientOrderId: Entity.text(),
    /** The request that created it. */
    requestId: Entity.text(),
    kind: Entity.text<Kind>(),
    initiator: Entity.text<Initiator>(),
    /** 1 where the customer brought a CVV: the authorisation is never sent without it. */
    cvvGiven: Entity.integer,
    /** 1 where the payment goes through 3-D Secure: it has an authentication. */
    threeds: Entity.integerOrNull,
    state: Entity.text<State>(),
    currency: Entity.text(),
    amountMinor: Entity.integer,
    /** The amounts of the merchant's list that have not been tried yet, in minor units, joined by commas. Null without a list. */
    amountsLeft: Entity.textOrNull(),
    authorizedMinor: Entity.integer,
    capturedMinor: Entity.integer,
    returnedMinor: Entity.integer,
    /** Asked of the bank, answer not known: counts as used. */
    capturingMinor: Entity.integer,
    returningMinor: Entity.integer,
    /** Follow-ups under way. */
    movingCount: Entity.integer,
    /** 1 while a void, a cancelling return or a lapse is under way: no capture may start. */
    releasing: Entity.integer,
    /** 1 once the hold that was left is released: nothing more can be captured. */
    released: Entity.integer,
    /** Number of the last follow-up, for references to the bank. */
    sequence: Entity.integer,
    errorCode: Entity.integerOrNull,
    errorMessage: Entity.textOrNull(),
    /** Which rule of the endpoint stopped it: for the merchant's operator, not for the customer. */
    filteredBy: Entity.textOrNull(),
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
    phone: Entity.textOrNull(),
    ipAddress: Entity.text(),
    merchantData: Entity.textOrNull(),
    /** The addresses that the browser returns to: always, after success, after failure. */
    redirectUrl: Entity.textOrNull(),
    redirectSuccessUrl: Entity.textOrNull(),
    redirectFailUrl: Entity.textOrNull(),
    callbackUrl: Entity.textOrNull(),
    notifyUrl: Entity.textOrNull(),
    /** `pairs` where the merchant created it in the older dialect. */
    dialect: Entity.textOrNull<"pairs">(),
    /** The amount as that merchant wrote it. */
    amountText: Entity.textOrNull(),
    /** The recurring payment that it is a charge of, or the verification of whose card. */
    subscriptionId: Entity.textOrNull(),
    /** Number of callback events so far: their order per order. */
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
    lastFour: ["lastFour", "createdAtMs", "orderId"]
  }
})

export type Order = Entity.Row<typeof Order>
