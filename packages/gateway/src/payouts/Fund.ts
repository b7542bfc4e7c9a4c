/** The operator makes money payable: one posting, once (decisions: payouts). */
import * as Decision from "../kernel/Decision.ts"
import * as LedgerTable from "../kernel/LedgerTable.ts"
import { Funding } from "./Funding.ts"

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
