/** Reads the new card of a recurring payment. */

import * as CardRules from "@pay/schema/Card"
import type { Operation } from "@pay/schema/Operation"
import { Clock, Effect } from "effect"
import { refuse } from "../kernel/Answer.ts"
import { Store } from "../kernel/Store.ts"
import type { Call } from "../merchants/Call.ts"
import { Directory } from "../merchants/Directory.ts"
import { AuthenticationGate } from "../orders/bank/AuthenticationGate.ts"
import * as HoldersPayment from "../orders/requests/HoldersPayment.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import type { Subscription } from "./decide/Subscription.ts"
import * as RecurringCard from "./RecurringCard.ts"

export const make = Effect.fnUntraced(function* (operation: Operation) {
  const store = yield* Store
  const vault = yield* KeyVault
  const directory = yield* Directory
  const cards = yield* RecurringCard.make(operation)
  const { plan } = yield* AuthenticationGate

  /**
   * Returns the new card, encrypted for the recurring payment. Without 3-D Secure its holder must have paid with it before.
   */
  return Effect.fnUntraced(function* (call: Call, fields: RecurringCard.Fields, subscription: Subscription) {
    if (fields.cardrefid === undefined && fields.credit_card_number === undefined) return undefined
    const card = yield* cards.read(call, fields)
    const field = fields.cardrefid === undefined ? "credit_card_number" : "cardrefid"
    const { bin, cardType, cardholder, expireMonth, expireYear, lastFour, pan, panHash, schemeReference } = card
    if (CardRules.isExpired({ month: expireMonth, year: expireYear }, yield* Clock.currentTimeMillis)) {
      return yield* refuse("cardExpired", { field: fields.cardrefid === undefined ? "expire_year" : "cardrefid" })
    }
    const endpoint = directory.endpoint(subscription.endpointId)
    const unproved = !card.stored && (endpoint === undefined || plan(endpoint) !== "off")
    if (unproved && !(yield* HoldersPayment.isMade(store, subscription.merchantId, panHash))) {
      return yield* refuse("orderState", {
        field,
        message:
          "The card has no approved payment by its holder yet; take one (sale or account-verification, with 3-D Secure), then send this again"
      })
    }
    const encryptedPan = vault.encrypt(pan, subscription.subscriptionId)
    return { bin, cardType, cardholder, expireMonth, expireYear, lastFour, panHash, schemeReference, encryptedPan }
  })
})
