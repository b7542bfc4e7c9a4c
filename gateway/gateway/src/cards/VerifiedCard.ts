/** The fields of `status` about the stored card of a verification, for the older dialect. */
import { Effect } from "effect"
import { Store } from "../kernel/Store.ts"
import { Card } from "../orders/record/Card.ts"
import * as Lifecycle from "../orders/record/Lifecycle.ts"
import type { LoadSection } from "../orders/requests/AnswerStatus.ts"
import { CardRef } from "./decide/CardRef.ts"

/**
 * Loads the section. Equal cards of a merchant have one reference, so it is also the identifier of the card by which shops
 * recognise it (`card-hash-id`).
 */
export const section = Effect.map(
  Store,
  (store): LoadSection =>
    Effect.fnUntraced(function* ({ dialect, kind, merchantId, orderId, state }) {
      if (dialect !== "pairs" || kind !== "verification" || !Lifecycle.isApproved(state)) return undefined
      const card = yield* store.load(Card, [orderId])
      const stored = card === undefined ? undefined : yield* store.load(CardRef, [merchantId, card.panHash], "card")
      if (stored === undefined || stored.removedAtMs !== null) return undefined
      return { fields: { "card-ref-id": stored.cardRefId, "card-hash-id": stored.cardRefId } }
    })
)
