/** The operator makes money payable: one posting, once (decisions: payouts). */
import * as Decision from "../kernel/Decision.ts"
import * as Entity from "../kernel/Entity.ts"
import * as LedgerTable from "../kernel/LedgerTable.ts"

/** What the entries of a posting carry in place of an order and a request; no order is named so. */
export const subject = (reference: string): string => `fund:${reference}`

/** Whether entries with this order's name are a posting's. */
export const isSubject = (orderId: string): boolean => orderId.startsWith("fund:")
export const referenceOf = (orderId: string): string => orderId.slice("fund:".length)

export const decide = (funding: Funding): Decision.Decision => {
  const id = subject(funding.reference)
  return {
    guards: [Decision.absent(Funding, "key", [funding.reference])],
    writes: [
      Decision.append(Funding, funding),
      ...LedgerTable.book(funding, id, id, "fund", funding.amountMinor, funding.createdAtMs)
    ]
  }
}

/** Whether two postings ask for the same; when they were asked does not count. */
export const isSame = (one: Funding, other: Funding): boolean =>
  one.reference === other.reference &&
  one.merchantId === other.merchantId &&
  one.endpointId === other.endpointId &&
  one.currency === other.currency &&
  one.amountMinor === other.amountMinor

/** Money that the operator has made payable: each reference once, and never changed. */
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
