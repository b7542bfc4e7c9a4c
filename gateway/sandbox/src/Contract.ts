/**
 * The promises of the ports, as programs: what all contract suites have in common. A suite runs against an adapter on the test system
 * of its bank, with that bank's merchant, currency, amount and cards.
 */
import assert from "node:assert/strict"
import type { InquiryAnswer, Original, Terminal } from "@pay/gateway/Acquirer"
import * as Booking from "@pay/gateway/BankBooks"
import type { Effect } from "effect"

/** One promise: a program that fails if the adapter breaks it. */
export interface Case<E, R> {
  readonly name: string
  /** What to do if the promise is broken. */
  readonly advice: string
  readonly run: Effect.Effect<void, E, R>
  /** Why the promise cannot be checked with this adapter or these cards; `run` then does nothing. Undefined: it can be checked. */
  readonly notChecked?: Effect.Effect<string | undefined, never, R>
}

/** The orders that the cases make. */
export interface ContractOrder {
  /** The login of the merchant that the bank's adapter gets as `merchantId`. */
  readonly merchantId: string
  readonly currency: string
  /** At least 10, because parts of it are captured and refunded. */
  readonly amountMinor: number
  /** The terminal of the payments, as the bank's test system has it. */
  readonly terminal?: Terminal | undefined
}

/** Orders for a bank that knows no merchants. */
export const anyOrder: ContractOrder = { merchantId: "contract", currency: "USD", amountMinor: 10_00 }

/** Returns the names of an order. */
export const namesOf = (orderId: string, { currency, merchantId, terminal }: ContractOrder) => ({
  orderId,
  clientOrderId: `contract-${orderId}`,
  merchantId,
  currency,
  ...(terminal !== undefined && { terminal })
})

/** Returns the payment that a follow-up acts on. `processorTxId`: the bank's own identifier of it, from its answer. */
export const originalOf = (
  reference: Original["reference"],
  { amountMinor }: Pick<ContractOrder, "amountMinor">,
  processorTxId?: string
): Original => {
  const kind = Booking.bankKindOf(reference)
  assert.ok(kind !== undefined, `${reference} is no reference of a request to a bank`)
  return { reference, kind, processorTxId, amountMinor, requestedAtMs: 0 }
}

/** Returns an answer without the bank's time, which differs when an answer is repeated. */
export const timeless = <A extends InquiryAnswer>(answer: A): A => ({ ...answer, bankTimeMs: undefined })
