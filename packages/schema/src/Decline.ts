/**
 * Why an order was not approved: `error-code` and `error-message` of `status` and callback. Codes from 100 are the
 * card issuer's, the action codes of ISO 8583:1993; 89–99 are the gateway's own reasons.
 */
export interface Decline {
  readonly code: number
  readonly message: string
  /** Whether trying again with the same card is pointless: a recurring payment suspends at once. */
  readonly hard: boolean
}

const soft = <const Code extends number>(code: Code, message: string) => ({ code, message, hard: false }) as const
const hard = <const Code extends number>(code: Code, message: string) => ({ code, message, hard: true }) as const

/** The declines by name. The code and the message are sent; the name is used in code only. */
export const declines = {
  failedAfterwards: soft(89, "The bank reported that it failed after it was approved"),
  notAuthenticated: soft(90, "The cardholder was not authenticated"),
  sessionExpired: soft(91, "The payment was not completed in time"),
  limitExceeded: soft(92, "The amount is outside the endpoint's limits"),
  velocityExceeded: soft(93, "Too many payments with this card, with this e-mail address or from this IP address"),
  blocked: hard(94, "The card, address or customer is blocked"),
  neverSent: soft(95, "The payment never reached the bank"),
  balanceTooLow: soft(96, "The balance is too low"),
  approvalRejected: soft(97, "The second approver refused"),
  lapsed: soft(98, "Nobody confirmed in time"),
  cancelledByCustomer: soft(99, "The customer cancelled"),

  doNotHonour: soft(100, "Do not honour"),
  expiredCard: soft(101, "Expired card"),
  suspectedFraud: hard(102, "Suspected fraud"),
  restrictedCard: hard(104, "Restricted card"),
  pinTriesExceeded: soft(106, "PIN tries exceeded"),
  referToIssuer: soft(107, "Refer to card issuer"),
  invalidMerchant: soft(109, "Invalid merchant"),
  invalidAmount: soft(110, "Invalid amount"),
  invalidCardNumber: hard(111, "Invalid card number"),
  noSuchAccount: hard(114, "No account of the type requested"),
  notSufficientFunds: soft(116, "Not sufficient funds"),
  noCardRecord: hard(118, "No card record"),
  notPermittedToCardholder: soft(119, "Transaction not permitted to cardholder"),
  notPermittedToTerminal: soft(120, "Transaction not permitted to terminal"),
  exceedsAmountLimit: soft(121, "Exceeds withdrawal amount limit"),
  securityViolation: soft(122, "Security violation"),
  exceedsFrequencyLimit: soft(123, "Exceeds withdrawal frequency limit"),

  pickUp: hard(200, "Do not honour, pick up card"),
  pickUpSuspectedFraud: hard(202, "Suspected fraud, pick up card"),
  lostCard: hard(208, "Lost card, pick up"),
  stolenCard: hard(209, "Stolen card, pick up"),
  issuerInoperative: soft(907, "Card issuer inoperative"),
  systemMalfunction: soft(909, "System malfunction"),
  issuerTimedOut: soft(911, "Card issuer timed out")
} as const satisfies Record<string, Decline>

export type Name = keyof typeof declines

const byCodes: ReadonlyMap<number, Decline> = new Map(
  Object.values(declines).map((decline): [number, Decline] => [decline.code, decline])
)

/** Returns the decline with this code. `undefined` if the table lacks the code, which is possible for codes from a bank. */
export const byCode = (code: number): Decline | undefined => byCodes.get(code)
