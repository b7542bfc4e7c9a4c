/** A payment that counts against a velocity rule: one row for each card, e-mail or address that the rules look at. */
import * as Entity from "../kernel/Entity.ts"

export const RiskMark = Entity.make("riskmarks", {
  columns: {
    /** Keyed hash of endpoint, kind and value: what is counted cannot be read from here. */
    subject: Entity.text(),
    atMs: Entity.integer,
    /** One order may be tried several times. */
    orderId: Entity.text(),
    currency: Entity.text(),
    amountMinor: Entity.integer,
    /** No rule looks at it any more. */
    expiresAtMs: Entity.integer
  },
  key: ["subject", "atMs", "orderId"],
  index: { expires: ["expiresAtMs"] }
})
export type RiskMark = Entity.Row<typeof RiskMark>
