/** Card data at rest: the number only as ciphertext, and a keyed hash by which equal cards are found. */
import * as Entity from "../kernel/Entity.ts"

export const Card = Entity.make("cards", {
  columns: {
    /** The order that brought the card. */
    cardId: Entity.text(),
    merchantId: Entity.text(),
    sealedPan: Entity.blob,
    panHash: Entity.text(),
    createdAtMs: Entity.integer
  },
  key: ["cardId"],
  index: { pan: ["merchantId", "panHash", "cardId"], created: ["createdAtMs", "cardId"] }
})
export type Card = Entity.Row<typeof Card>

/** A CVV that waits for its authorisation, under a short-lived key; removed by the commit that records the answer. */
export const Cvv = Entity.make("cvvs", {
  columns: { cardId: Entity.text(), sealed: Entity.blob, createdAtMs: Entity.integer },
  key: ["cardId"],
  index: { created: ["createdAtMs"] }
})
export type Cvv = Entity.Row<typeof Cvv>
