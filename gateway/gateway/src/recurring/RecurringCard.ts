/** Reads the card of a request for a recurring payment: its number, or a stored card with which its holder has paid. */

import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import { Effect, Redacted } from "effect"
import { ownCard } from "../cards/AnswerCardInfo.ts"
import type { CardRef } from "../cards/decide/CardRef.ts"
import { chargeProblem } from "../cards/decide/CardRef.ts"
import { refuse } from "../kernel/Answer.ts"
import * as CardFacts from "../kernel/CardFacts.ts"
import { Store } from "../kernel/Store.ts"
import type { Call } from "../merchants/Call.ts"
import type * as Payment from "../orders/record/Payment.ts"
import { KeyVault } from "../vault/KeyVault.ts"

export interface RequestCard extends Payment.CardFacts {
  readonly pan: Redacted.Redacted<string>
  readonly panHash: string
  /** The scheme's reference of the payment with which a stored card was stored, as a column. */
  readonly schemeReference: string | null
  /** True for a stored card. Its holder has paid with it before. */
  readonly stored: boolean
}

export interface Fields {
  readonly cardrefid?: string
  readonly credit_card_number?: Redacted.Redacted<string>
  readonly card_printed_name?: string
  readonly expire_month?: number
  readonly expire_year?: number
}

export const make = Effect.fnUntraced(function* (operation: Operation) {
  const store = yield* Store
  const vault = yield* KeyVault

  const stored = Effect.fnUntraced(function* (call: Call, cardRefId: string) {
    const clientOrderId = call.fields.client_orderid
    const card: CardRef | undefined = yield* ownCard(store, call.merchant.login, cardRefId)
    if (card === undefined) return yield* refuse("cardNotFound", { field: "cardrefid", clientOrderId })
    const message = chargeProblem(card)
    if (message !== undefined) return yield* refuse("orderState", { field: "cardrefid", clientOrderId, message })
    const pan = yield* Effect.orDie(vault.decrypt(card.encryptedPan, card.cardRefId))
    return { ...card, pan, stored: true } satisfies RequestCard
  })

  /**
   * Returns the card of the request. The rules of the fields ensure that the request has a number with its expiry, or a stored
   * card.
   */
  const read = (call: Call, request: Fields) => {
    const { card_printed_name, cardrefid, credit_card_number: pan, expire_month = 0, expire_year = 0 } = request
    if (pan === undefined) return stored(call, cardrefid ?? "")
    const number = Redacted.value(pan)
    const card: RequestCard = {
      pan,
      panHash: vault.cardHash(call.merchant.login, Redacted.make(Canonical.card(operation, call.fields))),
      ...CardFacts.of(number),
      cardholder: card_printed_name ?? "",
      expireMonth: expire_month,
      expireYear: expire_year,
      schemeReference: null,
      stored: false
    }
    return Effect.succeed(card)
  }
  return { read }
})
