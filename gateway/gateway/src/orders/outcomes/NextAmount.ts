/** Selects the next amount of an order's list after one was declined: the first amount that the endpoint's rules allow. */
import { Effect, Option } from "effect"
import { Ids } from "../../kernel/Ids.ts"
import { Store } from "../../kernel/Store.ts"
import { Directory } from "../../merchants/Directory.ts"
import * as CustomerAddress from "../../network/CustomerAddress.ts"
import { KeyVault } from "../../vault/KeyVault.ts"
import * as AmountAttempts from "../decide/AmountAttempts.ts"
import type * as CardAnswer from "../decide/CardAnswer.ts"
import { isCreation } from "../decide/RequestEnd.ts"
import { Card } from "../record/Card.ts"
import type { Order } from "../record/Order.ts"
import { RiskCheck } from "../requests/RiskCheck.ts"
import { selectAmount } from "./SelectAmount.ts"

/** The name of the rule that stops an amount when the card is used too often. Hosted pages use the same name. */
const tooOften = "velocity:card-rate"

export const make = Effect.gen(function* () {
  const store = yield* Store
  const vault = yield* KeyVault
  const ids = yield* Ids
  const directory = yield* Directory
  const riskCheck = yield* RiskCheck

  /** Loads the payment for the risk rules; undefined if the endpoint or the card can no longer be charged. */
  const paymentOf = Effect.fnUntraced(function* (order: Order) {
    const endpoint = directory.endpoint(order.endpointId)
    const card = yield* store.load(Card, [order.orderId])
    if (endpoint === undefined || !endpoint.enabled || card === undefined) return undefined
    const pan = Option.getOrUndefined(yield* Effect.option(vault.decrypt(card.encryptedPan, order.orderId)))
    if (pan === undefined) return undefined
    const { bin, currency, email, ipAddress, merchantId, orderId } = order
    return {
      orderId,
      merchantId,
      endpoint,
      pan,
      currency,
      bin,
      email,
      address: CustomerAddress.of(ipAddress),
      country: undefined,
      storedCard: card.panHash
    }
  })

  /**
   * Calls `commit` with the result of the rules for the list of amounts. Until it returns, other payments with the same card
   * wait.
   */
  return Effect.fnUntraced(function* <A, E, R>(
    context: CardAnswer.OutcomeContext,
    answer: CardAnswer.Answer,
    terms: CardAnswer.CardTimes,
    commit: (reserved: CardAnswer.OutcomeContext) => Effect.Effect<A, E, R>
  ) {
    const { order, request } = context
    if (order.remainingAmounts === null || !isCreation(request)) return yield* commit(context)
    const attemptId = ids.next()
    const commitSelection = ({ next, stopped }: AmountAttempts.AmountSelection) =>
      commit({ ...context, round: { attemptId, stopped, next } })
    const noSelection: AmountAttempts.AmountSelection = { stopped: [], next: undefined }
    if (answer._tag !== "Declined" || !AmountAttempts.mayContinue(context, answer, terms))
      return yield* commitSelection(noSelection)
    const payment = yield* paymentOf(order)
    if (payment === undefined) return yield* commitSelection(noSelection)
    const amountsMinor = AmountAttempts.remainingAmounts(order)
    const [amountMinor] = amountsMinor
    if (amountMinor !== undefined && riskCheck.tooOften(payment.pan) !== undefined) {
      const stopped = [{ attemptId: ids.next(), amountMinor, filteredBy: tooOften }]
      return yield* commitSelection({ stopped, next: undefined })
    }
    return yield* selectAmount(riskCheck, ids, payment, amountsMinor, commitSelection)
  })
})
