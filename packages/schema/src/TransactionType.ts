/** What an order is or has become (`transaction-type` of `status`, `type` of the callback). */
export const all = [
  "sale",
  "preauth",
  "capture",
  "cancel",
  "reversal",
  "account_verification",
  "payout",
  "transfer",
  "pan_eligibility",
  "chargeback",
  "fraud"
] as const

export type TransactionType = (typeof all)[number]

const values: ReadonlySet<string> = new Set(all)

/** Whether the text is one of {@link all}. A gateway may return other types. */
export const isKnown = (text: string): text is TransactionType => values.has(text)
