/** A dispute of a payment by its cardholder: one row, with the last stage that the bank reported and what is booked for it. */
import * as Entity from "../../kernel/Entity.ts"

/**
 * `inquiry`: the issuer requests or gives information, and no money moves. `opened`: the money was or will be taken back. `won`: the
 * merchant gets the money. `lost`: the money stays with the cardholder.
 */
export const stages = ["inquiry", "opened", "won", "lost"] as const
export type Stage = (typeof stages)[number]

export const Dispute = Entity.make("disputes", {
  columns: {
    /** A digest of the names of acquirer and dispute, which are of any length. The operator's task has the same identifier. */
    disputeId: Entity.text(),
    version: Entity.integer,
    /** The order of the payment; "" if no order of this gateway has the reference. */
    orderId: Entity.text(),
    acquirer: Entity.text(),
    /** The bank's own identifier of the dispute. */
    bankDisputeId: Entity.text(),
    stage: Entity.text<Stage>(),
    /** The amount that is booked as charged back now. */
    bookedMinor: Entity.integer,
    createdAtMs: Entity.integer,
    changedAtMs: Entity.integer
  },
  key: ["disputeId"],
  index: { order: ["orderId", "disputeId"] }
})
export type Dispute = Entity.Row<typeof Dispute>
