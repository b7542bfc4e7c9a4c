/**
 * `get-card-info`: returns the facts of a stored card that may be shown. Another merchant's card, a removed card and an unknown
 * card get the same refusal.
 */
import type { CardInfoAsyncResponse } from "@pay/schema/CardResponse"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Result } from "effect"
import { ok, refuse, refuseFields } from "../kernel/Answer.ts"
import { Ids } from "../kernel/Ids.ts"
import * as SerialNumber from "../kernel/SerialNumber.ts"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import { CardRef } from "./decide/CardRef.ts"

const operation = PayApi.operations.CARDINFO

/**
 * Masks the number: the first six and the last four digits are the most that may be shown. Six asterisks replace the others,
 * whatever their number.
 */
const masked = ({ bin, lastFour }: CardRef): string => `${bin}******${lastFour}`

/** Returns a stored card of the merchant; `undefined` for another merchant's, removed or unknown card. */
export const ownCard = Effect.fnUntraced(function* (store: Store["Service"], merchantId: string, cardRefId: string) {
  const card = yield* store.load(CardRef, [cardRefId])
  return card?.merchantId === merchantId && card.removedAtMs === null ? card : undefined
})

export const make = Effect.gen(function* () {
  const store = yield* Store
  const ids = yield* Ids

  const perform = Effect.fnUntraced(function* (call: Call) {
    const decoded = operation.decodeFields(call.fields)
    if (Result.isFailure(decoded)) return yield* refuseFields(decoded.failure, undefined)
    const card = yield* ownCard(store, call.merchant.login, decoded.success.cardrefid)
    if (card === undefined) return yield* refuse("cardNotFound", { field: "cardrefid" })
    const body: CardInfoAsyncResponse = {
      type: "get-card-info-response",
      "serial-number": SerialNumber.first(ids.next()),
      bin: card.bin,
      "last-four-digits": card.lastFour,
      "card-type": card.cardType,
      "masked-pan": masked(card),
      "expire-month": String(card.expireMonth),
      "expire-year": String(card.expireYear),
      ...(card.cardholder === "" ? {} : { "card-printed-name": card.cardholder })
    }
    return ok(body)
  })

  const handler: Handler = { operation, replay: () => Effect.succeed(undefined), perform, reads: true }
  return handler
})
