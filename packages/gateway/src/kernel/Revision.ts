/**
 * Counts the changes of one thing that every process keeps in memory: who finds another number reads it anew, and two
 * changes at once cannot both go through. `merchants` counts how often a process was told to read its merchants' description
 * again. `processes` counts the starts on a store that one process has at a time. The row `readiness` counts nothing: it is
 * what the check of readiness writes.
 */
import * as Entity from "./Entity.ts"

export const Revision = Entity.make("revisions", {
  columns: { subject: Entity.text<"keys" | "merchants" | "processes" | "readiness">(), version: Entity.integer },
  key: ["subject"]
})
export type Revision = Entity.Row<typeof Revision>
