/**
 * A booking of bank or rail that the order or request behind is not known of here: what a restored copy forgot. A repeat of
 * the request adopts it; until then it stays visible to operators.
 */

import * as Entity from "../../kernel/Entity.ts"
import type * as Booking from "../Booking.ts"

export type Source = "bank" | "rail"

/** `open`: nobody has asked for it again. `adopted`: a request here is its own now. `closed`: an operator dealt with it. */
export type State = "open" | "adopted" | "closed"

export const BankBooking = Entity.make("bankbookings", {
  columns: {
    source: Entity.text<Source>(),
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
    foundAtMs: Entity.integer,
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

/** What each state means for who looks at the booking. */
const states: Readonly<Record<State, { readonly open: boolean }>> = {
  open: { open: true },
  adopted: { open: false },
  closed: { open: false }
}

/** Whether the booking is unresolved: no operator has closed it, and no order has adopted it. */
export const isOpen = ({ state }: Pick<BankBooking, "state">): boolean => states[state].open
