/** Reads a request to charge a stored card: the card, the endpoint, and the amounts to try. */

import * as CardRules from "@pay/schema/Card"
import * as Money from "@pay/schema/Money"
import type { Request } from "@pay/schema/Operation"
import type * as PayApi from "@pay/schema/PayApi"
import { Clock, Effect, Result } from "effect"
import { Store } from "../kernel/Store.ts"
import type { Call } from "../merchants/Call.ts"
import type { Endpoint } from "../merchants/Directory.ts"
import type * as Creation from "../orders/requests/Creation.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import { ownCard } from "./AnswerCardInfo.ts"
import * as CardRef from "./decide/CardRef.ts"

type Rebill = Request<typeof PayApi.operations.REBILL>

/** Returns the amounts to try: `amount` first, then those of the list. */
const amountsOf = ({ amount, enumerate_amounts: list }: Pick<Rebill, "amount" | "enumerate_amounts">) => [
  amount,
  ...(list === undefined ? [] : Money.list(list))
]

type RebillOperation = (typeof PayApi.operations)["REBILL" | "REBILL_SALE" | "REBILL_PREAUTH"]

export const make = Effect.fnUntraced(function* (operation: RebillOperation, creation: Creation.Creation) {
  const store = yield* Store
  const vault = yield* KeyVault

  return Effect.fnUntraced(function* (call: Call, endpoints: ReadonlyArray<Endpoint>) {
    const { refused, request } = yield* creation.open(operation, call)
    const card = yield* ownCard(store, call.merchant.login, request.cardrefid)
    if (card === undefined) return yield* refused("cardNotFound", "cardrefid")
    const notChargeable = CardRef.chargeProblem(card)
    if (notChargeable !== undefined) return yield* refused("orderState", "cardrefid", notChargeable)
    const nowMs = yield* Clock.currentTimeMillis
    if (CardRules.isExpired({ month: card.expireMonth, year: card.expireYear }, nowMs)) {
      return yield* refused("cardExpired", "cardrefid")
    }
    const endpoint = endpoints.find(({ currencies }) => currencies.has(request.currency))
    if (endpoint === undefined) return yield* refused("currencyNotEnabled", "currency")
    const amounts = Result.all(amountsOf(request).map((amount) => Money.toMinor(amount, request.currency)))
    if (Result.isFailure(amounts)) return yield* refused(Money.errorOf(amounts.failure), "amount")
    const pan = yield* Effect.orDie(vault.decrypt(card.encryptedPan, card.cardRefId))
    yield* creation.countTry(call, pan)
    return { amountsMinor: amounts.success, card, endpoint, nowMs, pan, request }
  })
})
