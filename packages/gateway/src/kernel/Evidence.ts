/** An answer of the bank that came when its item was already in other hands: kept, never acted on. */
import * as Entity from "./Entity.ts"

export const Evidence = Entity.make("evidence", {
  columns: {
    evidenceId: Entity.text(),
    reference: Entity.text(),
    orderId: Entity.text(),
    answer: Entity.text(),
    atMs: Entity.integer
  },
  key: ["evidenceId"],
  index: { order: ["orderId"] },
  appendOnly: true
})
export type Evidence = Entity.Row<typeof Evidence>
