/** How far the bookings of bank or rail are known that a restored copy may have forgotten: one row for each of the two. */
import * as Entity from "../../kernel/Entity.ts"
import type { Source } from "./BankBooking.ts"

export const Enumeration = Entity.make("enumerations", {
  columns: {
    source: Entity.text<Source>(),
    /** Of the restoration that it belongs to: another one begins anew. */
    restoredAtMs: Entity.integer,
    fromMs: Entity.integer,
    toMs: Entity.integer,
    /** Bookings seen, and those of them that are not known here. */
    bookings: Entity.integer,
    forgotten: Entity.integer,
    /** Where the next page begins; null at the first. */
    after: Entity.textOrNull(),
    doneAtMs: Entity.integerOrNull,
    /** `gateway`, or the operator who imported the list. */
    doneBy: Entity.textOrNull()
  },
  key: ["source"]
})
export type Enumeration = Entity.Row<typeof Enumeration>
