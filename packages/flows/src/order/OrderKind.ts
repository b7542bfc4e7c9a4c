/** What the `transaction-type` of an order shows about the operation that created it. */
import type { Name } from "@pay/schema/PayApi"

const charge = ["sale", "capture"]
const hold = ["preauth", "capture"]

/** The values of `transaction-type` for the orders of each operation. A value that is in no row allows no conclusion. */
const transactionTypes: { readonly [Creating in Name]?: ReadonlyArray<string> } = {
  SALE: charge,
  SALEFORM: charge,
  PREAUTH: hold,
  PREAUTHFORM: hold,
  PAYMENTFORM: [...charge, ...hold],
  REBILL: [...charge, ...hold],
  PROCESS_RP_V4: [...charge, ...hold],
  CREATE_RP_V4: [...charge, ...hold, "account_verification"],
  ACCOUNT_VERIFICATION: ["account_verification"],
  ACCOUNT_VERIFICATION_FORM: ["account_verification"],
  PAYOUT: ["payout"],
  PAYOUTFORM: ["payout"],
  PAYOUT_V4: ["payout"],
  PAYOUT_V4_CHECK: ["payout"],
  TRANSFER_V4: ["transfer"],
  TRANSFER_BY_REF_V4: ["transfer"],
  PAN_ELIGIBILITY_SEND: ["pan_eligibility"],
  SYNC_ACCOUNT_VERIFICATION: ["account_verification"],
  TRANSFERFORM: ["transfer"],
  TRANSFER_BY_REF: ["transfer"],
  REBILL_SALE: charge,
  REBILL_PREAUTH: hold,
  SALE_V4: charge
}

const byOperation: ReadonlyMap<string, ReadonlyArray<string>> = new Map(Object.entries(transactionTypes))
const knownTypes: ReadonlySet<string> = new Set([...byOperation.values()].flat())

/** Whether an order of this `transactionType` certainly comes from an operation of another kind. */
export const isAnother = (operation: string, transactionType = ""): boolean => {
  const own = byOperation.get(operation)
  return own !== undefined && knownTypes.has(transactionType) && !own.includes(transactionType)
}

/** Whether an order of this `transactionType` holds its amount until a later capture, as far as the type and the operation show. */
export const isHold = (operation: string, transactionType = ""): boolean => {
  const own = byOperation.get(operation)
  if (own === undefined || !own.includes("preauth")) return false
  return transactionType === "preauth" || transactionType === "capture" || !own.includes("sale")
}
