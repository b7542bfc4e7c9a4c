/**
 * A booking of a bank or rail whose order or request a restored copy lacks. When the merchant repeats the request, the new
 * order adopts the booking. Until then operators see it.
 */

import * as Entity from "../kernel/Entity.ts"
import type * as Booking from "../orders/record/Booking.ts"

/** `open`: no request has adopted it yet. `adopted`: a request here has it now. `closed`: an operator resolved it. */
export type State = "open" | "adopted" | "closed"

export const BankBooking = Entity.make("bankBookings", {
  columns: {
    source: Entity.text<Booking.Source>(),
    /** The acquirer whose booking it is, as orders keep it; null for the rail, too. */
    acquirer: Entity.textOrNull(),
    reference: Entity.text(),
    version: Entity.integer,
    /** The order that the reference names. It is empty when the reference is not one of ours. */
    orderId: Entity.text(),
    merchantId: Entity.textOrNull(),
    clientOrderId: Entity.textOrNull(),
    kind: Entity.text<Booking.Kind>(),
    amountMinor: Entity.integer,
    currency: Entity.text(),
    bookedAtMs: Entity.integer,
    result: Entity.text<Booking.Result>(),
    state: Entity.text<State>(),
    createdAtMs: Entity.integer,
    closedAtMs: Entity.integerOrNull,
    /** The operator who closed the booking, and a note about the outcome. */
    closedBy: Entity.textOrNull(),
    note: Entity.textOrNull()
  },
  key: ["source", "reference"],
  index: {
    order: ["orderId", "reference"],
    clientOrder: ["merchantId", "clientOrderId"],
    state: ["state", "bookedAtMs", "reference"]
  }
})
export type BankBooking = Entity.Row<typeof BankBooking>

/** Properties of each state. */
const states: Readonly<Record<State, { readonly open: boolean }>> = {
  open: { open: true },
  adopted: { open: false },
  closed: { open: false }
}

/** Whether the booking is unresolved: no operator has closed it, and no order has adopted it. */
export const isOpen = ({ state }: Pick<BankBooking, "state">): boolean => states[state].open
