/**
 * Cards that the gateway stores. The merchant uses a reference instead of card data, and can charge a card without its holder.
 */
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schema } from "effect"
import * as Flow from "../engine/Flow.ts"
import * as FlowError from "../order/FlowError.ts"
import * as Ending from "../requests/Ending.ts"
import * as FollowUp from "../requests/FollowUp.ts"
import { charge, fieldsOf, type OrderFields, targetOf, withoutBrowser } from "./OrderFlow.ts"

const { CARDREF, CARDREF_V4, REBILL } = PayApi.operations

const storeCard = Effect.fnUntraced(function* (operation: Operation, fields: OrderFields) {
  const target = targetOf("create-card-ref", operation, fields)
  const { cardRefId } = yield* FollowUp.act(target)
  return cardRefId === undefined ? yield* Ending.stillUnknown(operation.name, target) : { cardRefId }
})

const storedCard = { success: Schema.Struct({ cardRefId: Schema.String }), error: FlowError.Unanswered }

const { clientOrderId, endpointId, orderId } = fieldsOf(CARDREF)

/** Stores the card of an approved order and returns its reference. */
export const Tokenize = Flow.make({
  ...storedCard,
  name: "Tokenize",
  summary: "Stores the card of an approved order at the gateway and returns its reference.",
  operation: CARDREF,
  payload: Schema.Struct({ clientOrderId, orderId, endpointId }),
  idempotencyKey: ({ clientOrderId }) => `${clientOrderId}/tokenize`,
  run: (payload) => storeCard(CARDREF, payload)
})

const cardFields = fieldsOf(CARDREF_V4)

/**
 * Stores a card without an order. `clientOrderId` is the merchant's own identifier of this request. Payouts to the card are
 * possible at once. `Rebill` charges the card only after its holder has paid with it and `Tokenize` has stored the card of that
 * order, which returns the same reference.
 */
export const KeepCard = Flow.make({
  ...storedCard,
  name: "KeepCard",
  summary: "Stores a card at the gateway without charging it and returns its reference.",
  operation: CARDREF_V4,
  payload: Schema.Struct({
    clientOrderId: cardFields.clientOrderId,
    cardPrintedName: cardFields.cardPrintedName,
    creditCardNumber: Schema.requiredKey(cardFields.creditCardNumber),
    expireMonth: Schema.requiredKey(cardFields.expireMonth),
    expireYear: Schema.requiredKey(cardFields.expireYear),
    endpointId
  }),
  idempotencyKey: (payload) => `${payload.clientOrderId}/keep`,
  run: (payload) => storeCard(CARDREF_V4, payload)
})

/** Charges a stored card without its holder. */
export const Rebill = Flow.make({
  ...withoutBrowser,
  name: "Rebill",
  summary: "Charges a stored card without the cardholder.",
  operation: REBILL,
  payload: Schema.Struct(fieldsOf(REBILL)),
  run: (payload) => charge(REBILL, payload)
})
