/** What the simulated Adyen has booked, in the form of the port `BankBooks`, for tests that compare a gateway with it. Adyen has no such list. */
import type { BankBooksAdapter, Booking } from "@pay/gateway/BankBooks"
import { Effect } from "effect"
import { amountMinorOf } from "../AdyenAmount.ts"
import type * as RequestRules from "./RequestRules.ts"
import type { Modification, SimulatedPayment } from "./SimulatedPayments.ts"

type Kind = Booking["kind"]

const kinds: { readonly [K in Modification["kind"]]?: Kind } = {
  captures: "capture",
  cancels: "void",
  refunds: "refund"
}

export const make = () => {
  const bookings: Array<Booking> = []
  const names = new Map<string, Pick<Booking, "clientOrderId" | "merchantId">>()
  const book = (pspReference: string, booking: Booking) =>
    void bookings.push({ ...booking, ...names.get(pspReference) })

  return {
    /** Books a payment. A verification of the card moves nothing and is not booked. */
    paid: (
      { amount, authorised, captured, pspReference, reference, refusal }: SimulatedPayment,
      request: RequestRules.Payment,
      atMs: number
    ) => {
      if (amount.value === 0) return
      names.set(pspReference, { clientOrderId: request.metadata?.order, merchantId: request.metadata?.merchant })
      const value = refusal === undefined ? authorised : amount.value
      book(pspReference, {
        reference,
        kind: captured > 0 || request.captureDelayHours === 0 ? "sale" : "authorize",
        amountMinor: amountMinorOf({ ...amount, value }) ?? 0,
        currency: amount.currency,
        atMs,
        result: refusal === undefined ? "approved" : "declined"
      })
    },
    /** Books a modification. `openBefore`: what was left of the hold, which a cancel releases. */
    modified: (
      payment: SimulatedPayment,
      openBefore: number,
      modification: Modification,
      isDone: boolean,
      atMs: number
    ) => {
      const kind = kinds[modification.kind]
      if (kind === undefined) return
      const { currency } = payment.amount
      book(payment.pspReference, {
        reference: modification.reference,
        kind,
        amountMinor: amountMinorOf(modification.amount ?? { currency, value: openBefore }) ?? 0,
        currency,
        atMs,
        result: isDone ? "approved" : "declined"
      })
    },
    /** Books that a modification failed after it was done. */
    failed: (reference: string) => {
      const place = bookings.findIndex((booking) => booking.reference === reference)
      const [booking] = bookings.slice(place, place + 1)
      if (booking !== undefined) bookings[place] = { ...booking, result: "declined" }
    },
    adapter: {
      bookings: ({ fromMs, toMs }) =>
        Effect.sync(() => ({
          bookings: bookings
            .filter(({ atMs }) => fromMs <= atMs && atMs < toMs)
            .toSorted((one, other) => one.atMs - other.atMs),
          next: undefined
        }))
    } satisfies BankBooksAdapter
  }
}
