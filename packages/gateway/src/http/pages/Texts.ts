import type { Kind as Way } from "../../recipients/Destination.ts"

/** How a payment, or a payout, stands or ended. */
export interface Outcomes {
  readonly waitingTitle: string
  readonly waiting: string
  readonly unknownTitle: string
  readonly unknown: string
  readonly approvedTitle: string
  readonly approved: string
  readonly refusedTitle: string
  readonly refused: string
  readonly cancelledTitle: string
  readonly cancelled: string
  readonly expiredTitle: string
  readonly expired: string
  readonly failedTitle: string
  readonly failed: string
}

/** The texts for a card check. They do not mention a payment, because nothing is paid. */
export interface VerificationTexts
  extends Pick<
    Outcomes,
    "waitingTitle" | "unknown" | "refusedTitle" | "refused" | "cancelledTitle" | "expired" | "failedTitle"
  > {
  readonly declinedTitle: string
}

/** What a page says to somebody who is to receive money. */
export interface PayoutTexts extends Outcomes {
  readonly from: string
  readonly heading: string
  readonly ways: { readonly [W in Way]: string }
  readonly way: string
  readonly recipient: string
  readonly account: string
  readonly accountHint: string
  readonly phone: string
  readonly phoneHint: string
  readonly wallet: string
  readonly receive: (amount: string) => string
  readonly secure: string
  readonly refusedAgainTitle: string
  readonly refusedAgain: (attemptsLeft: number) => string
  /** The details are there; somebody at the merchant's still has to agree. */
  readonly receivedTitle: string
  readonly received: string
  readonly errors: {
    readonly wayMissing: string
    readonly recipientMissing: string
    readonly recipientWrong: string
    readonly accountMissing: string
    readonly accountWrong: string
    readonly phoneMissing: string
    readonly phoneWrong: string
    readonly walletMissing: string
    readonly walletWrong: string
  }
}

/** Everything that a page says, once per language: a missing or an extra one does not compile. */
export interface Texts extends Outcomes {
  /** The language's own name, for the switch. */
  readonly name: string
  readonly direction: "ltr" | "rtl"

  readonly payTo: string
  readonly amount: string
  readonly verifyCard: string
  readonly verifyNote: string
  readonly cardDetails: string
  readonly cardNumber: string
  readonly expiry: string
  readonly expiryHint: string
  readonly securityCode: string
  readonly securityCodeHint: string
  readonly securityCodeHintFour: string
  readonly holder: string
  readonly pay: (amount: string) => string
  readonly confirmCard: string
  readonly paying: string
  readonly cancel: string
  readonly secure: string
  readonly language: string

  readonly checkFields: string
  readonly errorPrefix: string
  readonly errors: {
    readonly numberMissing: string
    readonly numberWrong: string
    readonly expiryMissing: string
    readonly expiryWrong: string
    readonly expiryPast: string
    readonly codeMissing: string
    readonly codeWrong: string
    readonly holderMissing: string
    readonly holderWrong: string
  }

  readonly declinedTitle: string
  readonly declinedAgain: (attemptsLeft: number) => string
  readonly bankTitle: string
  readonly bank: string
  readonly bankContinue: string
  /** What the bank's page brought back does not count. */
  readonly resultRefusedTitle: string
  readonly resultRefused: string
  readonly tryAgain: string
  readonly verifiedTitle: string
  readonly verified: string
  readonly verification: VerificationTexts
  readonly payout: PayoutTexts
  readonly back: (merchant: string) => string

  readonly missingTitle: string
  readonly missing: string
  readonly crowdedTitle: string
  readonly crowded: string
  readonly brokenTitle: string
  readonly broken: string
}
