/**
 * A stored card whose holder or issuer has ended all charges without the holder ("blocked by cardholder"). Its merchant charges it again
 * only after the holder has paid with it once more.
 */
import * as Entity from "../../kernel/Entity.ts"

export const StoppedCard = Entity.make("stoppedCards", {
  columns: {
    merchantId: Entity.text(),
    /** The keyed hash of the stored card; see `Card`. */
    panHash: Entity.text(),
    /** The order whose charge was declined with it last. */
    orderId: Entity.text(),
    atMs: Entity.integer
  },
  key: ["merchantId", "panHash"]
})
export type StoppedCard = Entity.Row<typeof StoppedCard>
