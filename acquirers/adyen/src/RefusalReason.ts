/**
 * Adyen's reasons of a refusal (https://docs.adyen.com/development-resources/refusal-reasons), and the action code of ISO 8583:1993 that
 * merchants get for each. The pairing is by wording.
 */

interface RefusalReason {
  /** The action code of ISO 8583:1993. */
  readonly code: number
  readonly text: string
  /** The cardholder name with which the test environment answers this reason. */
  readonly testName: string
}

const reason = (code: number, text: string, testName: string): RefusalReason => ({ code, text, testName })

/** The reasons by Adyen's `refusalReasonCode`. */
export const refusalReasons: ReadonlyMap<string, RefusalReason> = new Map([
  ["2", reason(100, "Refused", "DECLINED")],
  ["3", reason(107, "Referral", "REFERRAL")],
  ["4", reason(909, "Acquirer Error", "ERROR")],
  ["5", reason(104, "Blocked Card", "BLOCK_CARD")],
  ["6", reason(101, "Expired Card", "CARD_EXPIRED")],
  ["7", reason(110, "Invalid Amount", "INVALID_AMOUNT")],
  ["8", reason(111, "Invalid Card Number", "INVALID_CARD")],
  ["9", reason(907, "Issuer Unavailable", "ISSUER_UNAVAILABLE")],
  ["10", reason(115, "Not supported", "NOT_SUPPORTED")],
  ["11", reason(122, "3D Not Authenticated", "NOT_3D_AUTHENTICATED")],
  ["12", reason(116, "Not enough balance", "NOT_ENOUGH_BALANCE")],
  ["14", reason(102, "Acquirer Fraud", "ACQUIRER_FRAUD")],
  ["15", reason(100, "Cancelled", "CANCELLED")],
  ["16", reason(100, "Shopper Cancelled", "SHOPPER_CANCELLED")],
  ["17", reason(117, "Invalid Pin", "INVALID_PIN")],
  ["18", reason(106, "Pin tries exceeded", "PIN_TRIES_EXCEEDED")],
  ["19", reason(909, "Pin validation not possible", "PIN_VALIDATION_NOT_POSSIBLE")],
  ["20", reason(102, "FRAUD", "FRAUD")],
  ["21", reason(902, "Not Submitted", "NOT_SUBMITTED")],
  ["22", reason(102, "FRAUD-CANCELLED", "FRAUD_CANCELLED")],
  ["23", reason(119, "Transaction Not Permitted", "TRANSACTION_NOT_PERMITTED")],
  ["24", reason(122, "CVC Declined", "CVC_DECLINED")],
  ["25", reason(104, "Restricted Card", "RESTRICTED_CARD")],
  ["26", reason(104, "Revocation Of Auth", "REVOCATION_OF_AUTH")],
  ["27", reason(100, "Declined Non Generic", "DECLINED_NON_GENERIC")],
  ["28", reason(121, "Withdrawal amount exceeded", "WITHDRAWAL_AMOUNT_EXCEEDED")],
  ["29", reason(123, "Withdrawal count exceeded", "WITHDRAWAL_COUNT_EXCEEDED")],
  ["31", reason(102, "Issuer Suspected Fraud", "ISSUER_SUSPECTED_FRAUD")],
  ["32", reason(122, "AVS Declined", "AVS_DECLINED")],
  ["33", reason(117, "Card requires online pin", "PIN_REQUIRED")],
  ["34", reason(114, "No checking account available on Card", "NO_CHECKING_ACCOUNT")],
  ["35", reason(114, "No savings account available on Card", "NO_SAVINGS_ACCOUNT")],
  ["38", reason(123, "Authentication required", "AUTHENTICATION_REQUIRED")]
])
