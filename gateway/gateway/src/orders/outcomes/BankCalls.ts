/** What a request asks of the bank: one call for each kind of action. */

import type { Effect } from "effect"
import type { Acquirer, AcquirerError, FollowUpKind, Original, RequestAnswer } from "../bank/Acquirer.ts"
import * as CardAnswer from "../decide/CardAnswer.ts"
import type * as Actions from "../record/Actions.ts"
import * as BillingDetails from "../record/BillingDetails.ts"
import type { Order } from "../record/Order.ts"
import { type BankRequest, referenceOf } from "../record/OrderRequest.ts"
import * as StoredCredential from "../record/StoredCredential.ts"
import * as BankQuestion from "./BankQuestion.ts"
import type { Payer } from "./LoadPayer.ts"

/**
 * Calls the bank for a request. `original`: the payment that a follow-up acts on. Undefined: the request cannot be sent.
 */
type BankCall = (
  order: Order,
  request: BankRequest,
  input: { readonly payer: Payer | undefined; readonly original: Original | undefined }
) => Effect.Effect<RequestAnswer, AcquirerError> | undefined

const placed = (order: Order, request: BankRequest) => ({
  ...BankQuestion.placed(order, request.acceptedAtMs),
  reference: referenceOf(request)
})

const customerOf = ({ billing, email, ipAddress, phone }: Order) => ({
  email: email || undefined,
  phone: phone ?? undefined,
  ipAddress: ipAddress || undefined,
  billing: BillingDetails.column.read(billing)
})

const authorize =
  (acquirer: Acquirer["Service"]): BankCall =>
  (order, request, { payer }) =>
    payer === undefined
      ? undefined
      : acquirer.authorize({
          ...placed(order, request),
          amountMinor: order.amountMinor,
          capture: request.action === "sale" || request.action === "transfer",
          initiator: order.initiator,
          credential: StoredCredential.credential.read(order.credential),
          customer: customerOf(order),
          ...payer
        })

const followUp =
  (acquirer: Acquirer["Service"], kind: FollowUpKind): BankCall =>
  (order, request, { original }) =>
    original === undefined
      ? undefined
      : acquirer.followUp(kind, {
          ...placed(order, request),
          original,
          amountMinor: CardAnswer.askedMinor({ order, request })
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
          ...placed(order, request),
          pan: payer.card.pan,
          expiry: order.expireYear === 0 ? undefined : { month: order.expireMonth, year: order.expireYear }
        }),
  capture: followUp(acquirer, "capture"),
  void: followUp(acquirer, "void"),
  refund: followUp(acquirer, "refund")
})
