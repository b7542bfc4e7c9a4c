/** That this store is a copy put back: whatever it knows may have gone on without it, until the copy was started. */

import * as Entity from "../../kernel/Entity.ts"
import type { Source } from "./BankBooking.ts"

export const Restoration = Entity.make("restorations", {
  columns: {
    /** Always `latest`. */
    name: Entity.text<"latest">(),
    /** By the wall clock of whoever put the copy back. */
    restoredAtMs: Entity.integer,
    /** In business time, when a gateway first started on the copy; null: none has. */
    startedAtMs: Entity.integerOrNull,
    /** In business time: the last commit that this store had when it was put back; null: not known. */
    lastCommitAtMs: Entity.integerOrNull,
    /** In business time, when the bookings of bank and rail since the last commit were all known here; null: not yet. */
    enumeratedAtMs: Entity.integerOrNull
  },
  key: ["name"]
})
export type Restoration = Entity.Row<typeof Restoration>

/** How far the bookings of bank or rail are known that a restored copy may have forgotten: one row for each of the two. */
export const Enumeration = Entity.make("enumerations", {
  columns: {
    source: Entity.text<Source>(),
    /** The time of the restoration that the enumeration belongs to. Another restoration starts a new enumeration. */
    restoredAtMs: Entity.integer,
    fromMs: Entity.integer,
    toMs: Entity.integer,
    /** Bookings seen, and those of them that are not known here. */
    bookings: Entity.integer,
    forgotten: Entity.integer,
    /** The position at which the next page begins. It is null for the first page. */
    after: Entity.textOrNull(),
    doneAtMs: Entity.integerOrNull,
    /** `gateway`, or the operator who imported the list. */
    doneBy: Entity.textOrNull()
  },
  key: ["source"]
})
export type Enumeration = Entity.Row<typeof Enumeration>
