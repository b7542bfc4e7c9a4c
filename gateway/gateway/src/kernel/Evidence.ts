/**
 * A record of what the bank or the rail answered where the answer was unexpected, late or missing. It is stored with the order
 * for operators; the gateway never acts on it.
 */
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
