/** Money that the operator has made payable: each reference once, and never changed. */
import * as Entity from "../kernel/Entity.ts"

export const Funding = Entity.make("fundings", {
  columns: {
    /** The operator's own: a posting sent again under the same reference is the same posting. */
    reference: Entity.text(),
    merchantId: Entity.text(),
    endpointId: Entity.text(),
    currency: Entity.text(),
    amountMinor: Entity.integer,
    createdAtMs: Entity.integer
  },
  key: ["reference"],
  appendOnly: true
})
export type Funding = Entity.Row<typeof Funding>
