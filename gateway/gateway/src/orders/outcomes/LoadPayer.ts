/** Loads and decrypts what the bank needs of the payer. */

import { Effect, type Redacted } from "effect"
import type { Rows } from "../../kernel/Rows.ts"
import { Store } from "../../kernel/Store.ts"
import * as Destination from "../../recipients/Destination.ts"
import { Payout } from "../../recipients/Recipient.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import type { BankCard, CardholderProof } from "../bank/Acquirer.ts"
import { AuthenticationGate } from "../bank/AuthenticationGate.ts"
import { Card, Cvv } from "../record/Card.ts"
import type { Order } from "../record/Order.ts"

/**
 * The payer's card, the 3-D Secure result for its holder, and the number of the card that receives the money of a transfer.
 */
export interface Payer {
  readonly card: BankCard
  readonly authentication: CardholderProof | undefined
  readonly recipient?: Redacted.Redacted<string>
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const authentication = yield* AuthenticationGate

  /**
   * Returns the card data that the bank requires; undefined if the request contained a CVV that is no longer stored. Nothing
   * is sent without it.
   */
  const cardOf = Effect.fnUntraced(function* (order: Order, rows: Rows) {
    const card = yield* rows.load(Card, [order.orderId])
    const stored = yield* rows.load(Cvv, [order.orderId])
    if (card === undefined || (order.hasCvv === 1 && stored === undefined)) return undefined
    const pan = yield* vault.decrypt(card.encryptedPan, order.orderId)
    const cvv = stored === undefined ? undefined : yield* vault.decryptShortLived(stored.encryptedCvv, order.orderId)
    const { cardholder, expireMonth, expireYear } = order
    return { pan, cvv, cardholder, expireMonth, expireYear } satisfies BankCard
  })

  const recipientOf = Effect.fnUntraced(function* ({ orderId }: Order) {
    const payout = yield* store.load(Payout, [orderId])
    return payout === undefined
      ? undefined
      : Destination.fromText(yield* vault.decrypt(payout.encryptedDestination, orderId)).number
  })

  /** Loads the payer; undefined if data that must be sent is missing, so that nothing is sent. */
  return Effect.fnUntraced(
    function* (order: Order, rows: Rows) {
      const card = yield* cardOf(order, rows)
      if (card === undefined) return undefined
      const payer: Payer = { card, authentication: yield* authentication.proof(order) }
      if (order.kind !== "transfer") return payer
      const recipient = yield* recipientOf(order)
      return recipient === undefined ? undefined : { ...payer, recipient }
    },
    Effect.catchTag("CannotOpen", (error) =>
      Effect.as(Effect.logWarning("A card cannot be decrypted; its order is not sent", error), undefined)
    )
  )
})
