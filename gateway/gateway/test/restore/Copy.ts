/** A restored copy of a test, and a booking of the bank that it lacks. */
import type * as Booking from "../../src/orders/record/Booking.ts"
import type { Restoration } from "../../src/restore/Restoration.ts"

export const booking: Booking.Booking = {
  reference: "7-sale-0",
  clientOrderId: "INV-1",
  merchantId: "shop",
  kind: "sale",
  amountMinor: 1042,
  currency: "USD",
  atMs: 1_500,
  result: "approved"
}

/** A copy that was restored, and whose missing bookings are not known yet. */
export const restoration: Restoration = {
  name: "latest",
  version: 1,
  restoredAtMs: 4_000,
  startedAtMs: 4_500,
  lastCommitAtMs: 1_000,
  enumeratedAtMs: null
}
