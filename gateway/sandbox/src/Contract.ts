/**
 * The promises of the ports, as programs: what all contract suites have in common. A suite runs against an adapter on the test system
 * of its bank, with that bank's merchant, currency, amount and cards.
 */
import type { Original } from "@pay/gateway/Acquirer"
import type { Effect } from "effect"

/** One promise: a program that fails if the adapter breaks it. */
export interface Case<E, R> {
  readonly name: string
  /** What to do if the promise is broken. */
  readonly advice: string
  readonly run: Effect.Effect<void, E, R>
}

/** The orders that the cases make. */
export interface ContractOrder {
  /** The login of the merchant that the bank's adapter gets as `merchantId`. */
  readonly merchantId: string
  readonly currency: string
  /** At least 10, because parts of it are captured and refunded. */
  readonly amountMinor: number
}

/** Orders for a bank that knows no merchants. */
export const anyOrder: ContractOrder = { merchantId: "contract", currency: "USD", amountMinor: 10_00 }

/** Returns the names of an order. */
export const namesOf = (orderId: string, { currency, merchantId }: ContractOrder) => ({
  orderId,
  clientOrderId: `contract-${orderId}`,
  merchantId,
  currency
})

/** Returns the payment that a follow-up acts on. `processorTxId`: the bank's own identifier of it, from its answer. */
export const originalOf = (
  reference: Original["reference"],
  { amountMinor }: Pick<ContractOrder, "amountMinor">,
  processorTxId?: string
): Original => ({ reference, processorTxId, amountMinor, requestedAtMs: 0 })
