/** Stored cards: the gateway's reference and the last four digits, never a number. Customers can store a card after a payment. */
import * as RecordedFlow from "@pay/flows/RecordedFlow"
import { Tokenize } from "@pay/flows/StoredCard"
import { Effect, Result, Schema } from "effect"
import * as Orders from "../orders/Orders.ts"
import * as Records from "../Records.ts"
import { Settings } from "../Settings.ts"
import { Problem } from "../web/Page.ts"

const Card = Schema.Struct({ ...Records.fields, ref: Schema.String, lastFour: Schema.String })
export type Card = typeof Card.Type

const { add, ofOwner } = Records.repository("card", Card)

export { ofOwner }

export const tokenize = RecordedFlow.make(
  Tokenize,
  Effect.fnUntraced(function* ({ clientOrderId }, end) {
    const { lastFour, owner } = (yield* Orders.find(clientOrderId)) ?? {}
    if (Result.isFailure(end) || owner === undefined || lastFour === undefined) return false
    const { cardRefId: ref } = end.success
    return yield* add({ id: `${owner}/${ref}`, owner, ref, lastFour })
  })
)

/** Returns whether the customer can store the card with which the order was paid. */
export const canStore = Effect.fnUntraced(function* ({ lastFour, owner, recurringId, status, way }: Orders.Order) {
  const isStored = (yield* ofOwner(owner)).some((card) => card.lastFour === lastFour)
  return !isStored && status === "approved" && way !== "kept" && recurringId === undefined
})

/** Stores the card of an approved order. Waits for the result for at most 5 seconds; after that, the flow continues by itself. */
export const store = Effect.fn("Cards.store")(function* ({ gatewayId, id, lastFour, status, way }: Orders.Order) {
  const problem = new Problem({ why: "cardNotStored" })
  if (status !== "approved" || gatewayId === undefined || lastFour === undefined) return yield* problem
  const { endpoints } = yield* Settings
  yield* Effect.orDie(tokenize.start({ clientOrderId: id, orderId: gatewayId, endpointId: endpoints[way] }))
  const result = yield* Effect.timeoutOption(Effect.orDie(tokenize.ended(`${id}/tokenize`)), "5 seconds")
  if (result._tag === "Some" && result.value._tag !== "Succeeded") return yield* problem
})
