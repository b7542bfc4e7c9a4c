/** That this store is a copy put back: whatever it knows may have gone on without it, until the copy was started. */
import * as Entity from "../../kernel/Entity.ts"

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
