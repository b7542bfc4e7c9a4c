/** A stored card of a merchant (`card-ref-id`). Equal cards of one merchant are one row, identified by their keyed hash. */
import * as Entity from "../../kernel/Entity.ts"

export const CardRef = Entity.make("cardRefs", {
  columns: {
    cardRefId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    /** The card number, encrypted and bound to `cardRefId`. */
    encryptedPan: Entity.blob,
    panHash: Entity.text(),
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    cardholder: Entity.text(),
    expireMonth: Entity.integer,
    expireYear: Entity.integer,
    /** The order from which the card was stored; null if the request contained the card. */
    orderId: Entity.textOrNull(),
    /** The scheme's reference of the payment with which the card was stored, as JSON; null if no bank reported one. */
    schemeReference: Entity.textOrNull(),
    /** 1 once the cardholder initiated a payment with the card. Only then may it be charged without 3-D Secure. */
    cardholderInitiated: Entity.integer,
    createdAtMs: Entity.integer,
    removedAtMs: Entity.integerOrNull
  },
  key: ["cardRefId"],
  unique: { card: ["merchantId", "panHash"] }
})
export type CardRef = Entity.Row<typeof CardRef>

/**
 * Returns why a stored card may not be charged in its holder's absence (docs/assumptions.md#who-runs-3-d-secure), and what to
 * do. `undefined`: its holder has paid with it, so it may. Equal cards are one reference, so the verified card is charged under
 * the same one.
 */
export const chargeProblem = ({
  cardRefId,
  cardholderInitiated
}: Pick<CardRef, "cardRefId" | "cardholderInitiated">) =>
  cardholderInitiated === 1
    ? undefined
    : `Card ${cardRefId} has no approved payment by its holder yet; verify it first: take an account-verification (or a sale) with this card, send create-card-ref with that order's orderid, then send this again`
