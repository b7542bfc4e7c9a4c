/** The books of the simulated bank and payout rail, for tests. */
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import type { Booking } from "./contract/Testing.ts"

/** Reads all books, or those of an order. */
export const read = (order?: { readonly orderId: string }) =>
  Effect.gen(function* () {
    const both = [(yield* SandboxControl).books, (yield* RailControl).books]
    const lists = yield* Effect.all(
      both.map((books) => (order === undefined ? books.all : books.ofOrder(order.orderId)))
    )
    return lists
      .flat()
      .toSorted((one, other) => one.bookedAtMs - other.bookedAtMs)
      .map(({ answer, bookedAtMs, request }): Booking => {
        const { amountMinor, capture = false, clientOrderId, currency, kind, orderId } = request
        const amount = Money.fromMinor(amountMinor, currency)
        const approved = answer._tag === "Approved"
        return {
          kind,
          orderId,
          clientOrderId,
          amount,
          currency,
          approved,
          captured: capture,
          bookedAt: new Date(bookedAtMs)
        }
      })
  })
