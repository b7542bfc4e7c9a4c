/** Whether a stored card may be charged in its holder's absence (decisions: 3-D Secure): one that its holder has paid with. */
import type { CardRef } from "./CardRef.ts"

/** Why not, and what to do; undefined: it may. Equal cards are one reference, so the verified card is charged under the same one. */
export const problem = ({ cardRefId, cardholderInitiated }: Pick<CardRef, "cardRefId" | "cardholderInitiated">) =>
  cardholderInitiated === 1
    ? undefined
    : `Card ${cardRefId} has no approved payment by its holder yet; verify it first: take an account-verification (or a sale) with this card, send create-card-ref with that order's orderid, then send this again`
