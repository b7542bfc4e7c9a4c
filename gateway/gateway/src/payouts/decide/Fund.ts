/**
 * A posting by an operator that increases the balance from which a merchant's payouts are paid; each posting is booked once
 * (docs/assumptions.md#payout-balance).
 */
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"

/**
 * Returns the text that the entries of a posting have as order and request identifiers. No order has such an
 * identifier.
 */
export const subject = (reference: string): string => `fund:${reference}`

/** Whether ledger entries with this order identifier belong to a posting. */
export const isSubject = (orderId: string): boolean => orderId.startsWith("fund:")
export const referenceOf = (orderId: string): string => orderId.slice("fund:".length)

export const decide = (funding: Funding): Decision.Decision => {
  const id = subject(funding.reference)
  return {
    guards: [
      Decision.absent(Funding, "key", [funding.reference]),
      ...LedgerTable.room(funding, ["fund"], funding.amountMinor)
    ],
    writes: [
      Decision.append(Funding, funding),
      ...LedgerTable.book(funding, id, id, "fund", funding.amountMinor, funding.createdAtMs)
    ]
  }
}

/** Whether two postings have the same content. Their times are not compared. */
export const isSame = (one: Funding, other: Funding): boolean =>
  one.reference === other.reference &&
  one.merchantId === other.merchantId &&
  one.endpointId === other.endpointId &&
  one.currency === other.currency &&
  one.amountMinor === other.amountMinor

/** A posting to the balance of a merchant. Each reference is booked once, and a row is never changed. */
export const Funding = Entity.make("fundings", {
  columns: {
    /** The operator's own reference. A posting that is sent again with the same reference is the same posting. */
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
