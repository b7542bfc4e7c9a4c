/** What a request asks of the bank: one call for each kind of action. */

import type { Effect } from "effect"
import type { Acquirer, AcquirerError, BankAnswer, FollowUp } from "../bank/Acquirer.ts"
import * as CardAnswer from "../decide/CardAnswer.ts"
import type * as Actions from "../record/Actions.ts"
import type { Order } from "../record/Order.ts"
import { type BankRequest, referenceOf } from "../record/OrderRequest.ts"
import type { Payer } from "./LoadPayer.ts"

/**
 * Calls the bank for a request. `original`: the reference of the authorisation that a follow-up acts on. Undefined: the
 * request cannot be sent.
 */
type BankCall = (
  order: Order,
  request: BankRequest,
  input: { readonly payer: Payer | undefined; readonly original: string }
) => Effect.Effect<BankAnswer, AcquirerError> | undefined

const namesOf = ({ clientOrderId, merchantId, orderId }: Order) => ({ orderId, clientOrderId, merchantId })

const followUp = (order: Order, request: BankRequest, original: string): FollowUp => ({
  reference: referenceOf(request),
  ...namesOf(order),
  original,
  amountMinor: CardAnswer.askedMinor({ order, request }),
  currency: order.currency
})

const authorize =
  (acquirer: Acquirer["Service"]): BankCall =>
  (order, request, { payer }) =>
    payer === undefined
      ? undefined
      : acquirer.authorize({
          reference: referenceOf(request),
          ...namesOf(order),
          amountMinor: order.amountMinor,
          currency: order.currency,
          capture: request.action === "sale" || request.action === "transfer",
          ...payer
        })

/** Returns the call of the bank for each kind of action. */
export const make = (acquirer: Acquirer["Service"]): Readonly<Record<Actions.BankKind, BankCall>> => ({
  sale: authorize(acquirer),
  authorize: authorize(acquirer),
  verify: authorize(acquirer),
  transfer: authorize(acquirer),
  eligibility: (order, request, { payer }) =>
    payer === undefined
      ? undefined
      : acquirer.eligible({
          reference: referenceOf(request),
          ...namesOf(order),
          currency: order.currency,
          pan: payer.card.pan,
          expiry: order.expireYear === 0 ? undefined : { month: order.expireMonth, year: order.expireYear }
        }),
  capture: (order, request, { original }) => acquirer.capture(followUp(order, request, original)),
  void: (order, request, { original }) => acquirer.void(followUp(order, request, original)),
  refund: (order, request, { original }) => acquirer.refund(followUp(order, request, original))
})
