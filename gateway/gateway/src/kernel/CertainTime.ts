/**
 * The last time that was certain, stored while no other clock confirms the time of a start. What such a process commits has its own
 * time, which must not confirm the clock of the next start.
 */
import * as Entity from "./Entity.ts"

export const CertainTime = Entity.make("certainTimes", {
  columns: {
    /** Always `latest`. */
    name: Entity.text<"latest">(),
    atMs: Entity.integer
  },
  key: ["name"]
})
export type CertainTime = Entity.Row<typeof CertainTime>
