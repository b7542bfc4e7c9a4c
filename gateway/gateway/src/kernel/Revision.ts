/**
 * Counts the changes of data that every process keeps in memory. A process that reads another number loads the data again, and of
 * two changes at once only one succeeds. `merchants` counts the requests to reload the merchants' description. `processes` counts
 * the starts on a store that processes do not share. The row `readiness` counts nothing: the readiness check writes it.
 */
import * as Entity from "./Entity.ts"

export const Revision = Entity.make("revisions", {
  columns: { subject: Entity.text<"keys" | "merchants" | "processes" | "readiness">(), version: Entity.integer },
  key: ["subject"]
})
export type Revision = Entity.Row<typeof Revision>
