/**
 * Maps the requests of `transfer` and `transfer-by-ref` to one form: the payer, the recipient, and the fields that do not
 * concern a card.
 */
import type { FieldTexts, Request } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { type Redacted, Result } from "effect"
import * as Payment from "../orders/record/Payment.ts"
import type * as Creation from "../orders/requests/Creation.ts"

type Secret = Redacted.Redacted<string>

/** A payer's card in the request, with its holder present. */
export interface Present {
  readonly _tag: "Present"
  readonly pan: Secret
  readonly month: number
  readonly year: number
  readonly cardholder: string
  readonly cvv: Secret | undefined
}

/** A card that the merchant has stored. `field`: the request's field that contains its identifier. */
export interface Stored {
  readonly _tag: "Stored"
  readonly by: "byReference" | "byRecurring"
  readonly field: string
  readonly id: string
}

export interface StoredPayer extends Stored {
  readonly cvv: Secret | undefined
}

/** The payer. `Balance`: the merchant's balance, not a card. */
export type Payer = Present | StoredPayer | { readonly _tag: "Balance" }

export type Recipient = Stored | { readonly _tag: "Number"; readonly pan: Secret }

export interface WantedTransfer {
  readonly payer: Payer
  readonly recipient: Recipient
  /** The payment data of the request. Its amount and card are still empty. */
  readonly payment: Payment.Payment
  /** The amount as the request writes it. Only its form has been checked. */
  readonly amount: string
  /** The identifier and addresses of the request by their wire names, which are still to be checked. */
  readonly named: Parameters<Creation.Creation["check"]>[0]
}

const stored = (by: Stored["by"], field: string, id: string): Stored => ({ _tag: "Stored", by, field, id })

type Transfer = Request<typeof PayApi.operations.TRANSFER_V4>
type ByRef = Request<typeof PayApi.operations.TRANSFER_BY_REF_V4>
type ByRefV2 = Request<typeof PayApi.operations.TRANSFER_BY_REF>

const payer = (request: Transfer): Payer => {
  const { card_recurring_payment_id: id, credit_card_number: pan, cvv2: cvv } = request
  const { card_printed_name: cardholder = "", expire_month: month, expire_year: year } = request
  if (id !== undefined) return { ...stored("byRecurring", "card_recurring_payment_id", id), cvv }
  return pan === undefined || month === undefined || year === undefined
    ? { _tag: "Balance" }
    : { _tag: "Present", pan, month, year, cardholder, cvv }
}

const payerByRef = ({ "source-card-ref-id": id }: ByRef | ByRefV2, cvv?: Secret): Payer =>
  id === undefined ? { _tag: "Balance" } : { ...stored("byReference", "source-card-ref-id", id), cvv }

/**
 * Returns the recipient: the card number, or else the stored card of the other field, which the operation's rules then
 * require.
 */
const recipient = (pan: Secret | undefined, otherwise: Stored): Recipient =>
  pan === undefined ? otherwise : { _tag: "Number", pan }

/** Decoders of the requests, by the name of the operation. */
export const readers = {
  TRANSFER_V4: (fields: FieldTexts) =>
    Result.map(PayApi.operations.TRANSFER_V4.decodeFields(fields), (request): WantedTransfer => {
      const { destination_card_recurring_payment_id: id = "", "destination-card-no": pan } = request
      return {
        payer: payer(request),
        recipient: recipient(pan, stored("byRecurring", "destination_card_recurring_payment_id", id)),
        payment: Payment.of(request, { amountMinor: 0, currency: request.currency }),
        amount: request.amount,
        named: request
      }
    }),
  TRANSFER_BY_REF_V4: (fields: FieldTexts) =>
    Result.map(PayApi.operations.TRANSFER_BY_REF_V4.decodeFields(fields), (request): WantedTransfer => {
      const { "destination-card-no": pan, "destination-card-ref-id": id = "" } = request
      return {
        payer: payerByRef(request),
        recipient: recipient(pan, stored("byReference", "destination-card-ref-id", id)),
        payment: Payment.of(request, { amountMinor: 0, currency: request.currency }),
        amount: request.amount,
        named: request
      }
    }),
  TRANSFER_BY_REF: (fields: FieldTexts) =>
    Result.map(
      PayApi.operations.TRANSFER_BY_REF.decodeFields(fields),
      (request): WantedTransfer => ({
        payer: payerByRef(request, request.cvv2),
        recipient: stored("byReference", "destination-card-ref-id", request["destination-card-ref-id"]),
        payment: Payment.of(request, { amountMinor: 0, currency: request.currency }),
        amount: request.amount,
        named: request
      })
    )
} as const satisfies { readonly [Name in PayApi.Name]?: unknown }
