/** Records, in the commit of a decline, that the holder of a stored card has ended all charges without him. */
import { Effect } from "effect"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import type { Store } from "../../kernel/Store.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import { Card } from "../record/Card.ts"
import type { Order } from "../record/Order.ts"
import { StoppedCard } from "../record/StoppedCard.ts"

/** Returns the change of a decline that ends all charges of the card; no change for any other answer. */
export const of = Effect.fnUntraced(function* (
  store: Store["Service"],
  { initiator, merchantId, orderId }: Order,
  answer: Inquiry.Answer,
  nowMs: number
) {
  if (answer._tag !== "Declined" || answer.category !== "stopped" || initiator !== "merchant") return Change.none
  const card = yield* store.load(Card, [orderId])
  if (card === undefined) return Change.none
  return Change.writing(Decision.put(StoppedCard, { merchantId, panHash: card.panHash, orderId, atMs: nowMs }))
})
