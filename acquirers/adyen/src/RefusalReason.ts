/**
 * Adyen's reasons of a refusal (https://docs.adyen.com/development-resources/refusal-reasons), with the action code of ISO 8583:1993 that
 * merchants get for each, and what it means for further tries. The pairing is by wording.
 */
import type { Category } from "@pay/gateway/Acquirer"

interface RefusalReason {
  /** The action code of ISO 8583:1993. */
  readonly code: number
  readonly category: Category
  readonly text: string
  /** The cardholder name with which the test environment answers this reason. */
  readonly testName: string
}

const reason = (code: number, category: Category, text: string, testName: string): RefusalReason => ({
  code,
  category,
  text,
  testName
})

/** The reasons by Adyen's `refusalReasonCode`. */
export const refusalReasons: ReadonlyMap<string, RefusalReason> = new Map([
  ["2", reason(100, "later", "Refused", "DECLINED")],
  ["3", reason(107, "later", "Referral", "REFERRAL")],
  ["4", reason(909, "later", "Acquirer Error", "ERROR")],
  ["5", reason(104, "final", "Blocked Card", "BLOCK_CARD")],
  ["6", reason(101, "data", "Expired Card", "CARD_EXPIRED")],
  ["7", reason(110, "data", "Invalid Amount", "INVALID_AMOUNT")],
  ["8", reason(111, "data", "Invalid Card Number", "INVALID_CARD")],
  ["9", reason(907, "later", "Issuer Unavailable", "ISSUER_UNAVAILABLE")],
  ["10", reason(119, "final", "Not supported", "NOT_SUPPORTED")],
  ["11", reason(122, "authenticate", "3D Not Authenticated", "NOT_3D_AUTHENTICATED")],
  ["12", reason(116, "later", "Not enough balance", "NOT_ENOUGH_BALANCE")],
  ["14", reason(102, "final", "Acquirer Fraud", "ACQUIRER_FRAUD")],
  ["15", reason(100, "later", "Cancelled", "CANCELLED")],
  ["16", reason(100, "later", "Shopper Cancelled", "SHOPPER_CANCELLED")],
  ["17", reason(122, "data", "Invalid Pin", "INVALID_PIN")],
  ["18", reason(106, "final", "Pin tries exceeded", "PIN_TRIES_EXCEEDED")],
  ["19", reason(909, "later", "Pin validation not possible", "PIN_VALIDATION_NOT_POSSIBLE")],
  ["20", reason(102, "final", "FRAUD", "FRAUD")],
  ["21", reason(909, "later", "Not Submitted", "NOT_SUBMITTED")],
  ["22", reason(102, "final", "FRAUD-CANCELLED", "FRAUD_CANCELLED")],
  ["23", reason(119, "final", "Transaction Not Permitted", "TRANSACTION_NOT_PERMITTED")],
  ["24", reason(122, "data", "CVC Declined", "CVC_DECLINED")],
  ["25", reason(104, "final", "Restricted Card", "RESTRICTED_CARD")],
  ["26", reason(104, "stopped", "Revocation Of Auth", "REVOCATION_OF_AUTH")],
  ["27", reason(100, "later", "Declined Non Generic", "DECLINED_NON_GENERIC")],
  ["28", reason(121, "later", "Withdrawal amount exceeded", "WITHDRAWAL_AMOUNT_EXCEEDED")],
  ["29", reason(123, "later", "Withdrawal count exceeded", "WITHDRAWAL_COUNT_EXCEEDED")],
  ["31", reason(102, "final", "Issuer Suspected Fraud", "ISSUER_SUSPECTED_FRAUD")],
  ["32", reason(122, "data", "AVS Declined", "AVS_DECLINED")],
  ["33", reason(119, "final", "Card requires online pin", "PIN_REQUIRED")],
  ["34", reason(114, "final", "No checking account available on Card", "NO_CHECKING_ACCOUNT")],
  ["35", reason(114, "final", "No savings account available on Card", "NO_SAVINGS_ACCOUNT")],
  ["38", reason(122, "authenticate", "Authentication required", "AUTHENTICATION_REQUIRED")]
])

/** What a merchant gets for a refusal whose reason is not in the list: do not honour. */
export const otherReason: Pick<RefusalReason, "code" | "category"> = { code: 100, category: "later" }

/** Returns the code of a reason by its words; undefined if they are not in the list. */
export const codeOf = (text: string): string | undefined =>
  [...refusalReasons].find(([, reason]) => reason.text === text)?.[0]
