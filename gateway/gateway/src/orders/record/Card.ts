/** Card data at rest: the number only as ciphertext, and a keyed hash by which the gateway recognises equal cards. */
import * as Entity from "../../kernel/Entity.ts"

export const Card = Entity.make("cards", {
  columns: {
    /** The order with which the card was sent. */
    cardId: Entity.text(),
    merchantId: Entity.text(),
    encryptedPan: Entity.blob,
    panHash: Entity.text(),
    createdAtMs: Entity.integer
  },
  key: ["cardId"],
  index: { pan: ["merchantId", "panHash", "cardId"], created: ["createdAtMs", "cardId"] }
})
export type Card = Entity.Row<typeof Card>

/**
 * A CVV that waits for its authorisation, encrypted under a short-lived key. The commit that records the bank's answer
 * removes it.
 */
export const Cvv = Entity.make("cvvs", {
  columns: { cardId: Entity.text(), encryptedCvv: Entity.blob, createdAtMs: Entity.integer },
  key: ["cardId"],
  index: { created: ["createdAtMs"] }
})
export type Cvv = Entity.Row<typeof Cvv>
