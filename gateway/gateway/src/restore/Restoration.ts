/**
 * A row that marks this store as a restored copy. Every order in it may have changed after the copy was taken, until a
 * gateway started on the copy.
 */

import * as Entity from "../kernel/Entity.ts"
import type { Source } from "../orders/record/Booking.ts"

export const Restoration = Entity.make("restorations", {
  columns: {
    /** Always `latest`. */
    name: Entity.text<"latest">(),
    version: Entity.integer,
    /** The time of the restore, by the wall clock of the machine on which it ran. */
    restoredAtMs: Entity.integer,
    /** When a gateway first started on the copy, in business time; null if none has. */
    startedAtMs: Entity.integerOrNull,
    /** The time of the last commit in the restored backup, in business time; null if unknown. */
    lastCommitAtMs: Entity.integerOrNull,
    /**
     * When all bookings of bank and rail since the last commit had been listed, in business time; null if they have not.
     */
    enumeratedAtMs: Entity.integerOrNull
  },
  key: ["name"]
})
export type Restoration = Entity.Row<typeof Restoration>

/** Progress of the listing of bookings that a restored copy may lack: one row for each acquirer and one for the rail. */
export const Enumeration = Entity.make("enumerations", {
  columns: {
    source: Entity.text<Source>(),
    /** The name of the acquirer; empty for the rail. */
    acquirer: Entity.text(),
    /** The time of the restoration that the enumeration belongs to. Another restoration starts a new enumeration. */
    restoredAtMs: Entity.integer,
    fromMs: Entity.integer,
    toMs: Entity.integer,
    /** Number of bookings that were listed, and number of these that no request here has. */
    bookings: Entity.integer,
    missing: Entity.integer,
    /** The position at which the next page begins. It is null for the first page. */
    after: Entity.textOrNull(),
    completedAtMs: Entity.integerOrNull,
    /** `gateway`, or the operator who imported the list. */
    completedBy: Entity.textOrNull()
  },
  key: ["source", "acquirer"]
})
export type Enumeration = Entity.Row<typeof Enumeration>
