/** Everything that a page says, once per language: a missing or an extra one does not compile. */
export interface Texts {
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
  readonly waitingTitle: string
  readonly waiting: string
  readonly bankTitle: string
  readonly bank: string
  readonly bankContinue: string
  readonly unknownTitle: string
  readonly unknown: string
  readonly approvedTitle: string
  readonly approved: string
  readonly verifiedTitle: string
  readonly verified: string
  readonly refusedTitle: string
  readonly refused: string
  readonly cancelledTitle: string
  readonly cancelled: string
  readonly expiredTitle: string
  readonly expired: string
  readonly failedTitle: string
  readonly failed: string
  readonly back: (merchant: string) => string

  readonly missingTitle: string
  readonly missing: string
  readonly crowdedTitle: string
  readonly crowded: string
  readonly brokenTitle: string
  readonly broken: string
}
