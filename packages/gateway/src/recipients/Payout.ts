/** The destination of an order's money: one row per order that pays out, written as soon as its recipient is known. */

import * as Entity from "../kernel/Entity.ts"
import type { Kind } from "./Destination.ts"

export const Payout = Entity.make("payouts", {
  columns: {
    orderId: Entity.text(),
    version: Entity.integer,
    merchantId: Entity.text(),
    destinationKind: Entity.text<Kind>(),
    /** Number and details, sealed and bound to the order. */
    sealedDestination: Entity.blob,
    /** Keyed hash of the number: equal recipients of one merchant have the same, and nobody can read them from it. */
    recipient: Entity.text(),
    /** What may be shown of the number. */
    masked: Entity.text(),
    /** The facts of a card. They are empty for other destinations. */
    bin: Entity.text(),
    lastFour: Entity.text(),
    cardType: Entity.text(),
    purpose: Entity.textOrNull(),
    /** When the rail confirmed it: from then on it may refuse late. */
    paidAtMs: Entity.integerOrNull,
    createdAtMs: Entity.integer,
    /** When the recipient was forgotten: from then on nothing is sealed here, and nothing can be sent. */
    erasedAtMs: Entity.integerOrNull
  },
  key: ["orderId"],
  index: { erased: ["erasedAtMs", "createdAtMs", "orderId"] }
})
export type Payout = Entity.Row<typeof Payout>
