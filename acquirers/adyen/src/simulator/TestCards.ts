/**
 * How Adyen's test environment decides, as its documentation says: by the cardholder's name and the security code, and for 3-D Secure by
 * the number of the card (https://docs.adyen.com/development-resources/testing).
 */
import { refusalReasons } from "../RefusalReason.ts"

/** A refusal, or undefined: the payment is authorised. */
export interface Refusal {
  readonly code: string
  readonly text: string
  /** The issuer's own code and words, as `additionalData.refusalReasonRaw` has them. */
  readonly raw: string
}

/** The code of the issuer in the raw reason of a refusal, where a scheme has one. */
const rawCodes: Readonly<Record<string, string>> = { "2": "05", "6": "54", "12": "51", "24": "N7", "38": "1A" }

const byName: ReadonlyMap<string, Refusal> = new Map(
  [...refusalReasons].map(([code, { testName, text }]) => [
    testName,
    { code, text, raw: `${rawCodes[code] ?? "05"} : ${text}` }
  ])
)

const refusalOf = (testName: string): Refusal | undefined => byName.get(testName)

/** The security codes of test cards: 737, and 7373 for American Express. */
const rightCodes: ReadonlySet<string> = new Set(["737", "7373"])

interface TestCard {
  readonly number: string
  readonly cvc?: string | undefined
  readonly holderName?: string | undefined
}

export const decide = ({ cvc, holderName = "" }: TestCard): Refusal | undefined =>
  refusalOf(holderName.trim().toUpperCase()) ??
  (cvc === undefined || rightCodes.has(cvc) ? undefined : refusalOf("CVC_DECLINED"))

/** What the issuer of a card does when its holder is to be authenticated. */
export type Issuer =
  /** The card takes no part. */
  | "notEnrolled"
  | "frictionless"
  /** Without a method step: the issuer decides about the first message. */
  | "frictionlessAtOnce"
  | "refused"
  | "challenge"
  | "challengeAtOnce"

/** The cards of the test environment whose issuers are documented. */
const documented: ReadonlyArray<readonly [number: string, issuer: Issuer]> = [
  ["4212345678910006", "challenge"],
  ["4917610000000000", "challenge"],
  ["5201281505129736", "frictionless"]
]

/** Returns the issuers by card number. A test may add cards; every other card takes no part. */
export const issuers = (): Map<string, Issuer> => new Map(documented)

/** Returns the brand as Adyen names it. */
export const brandOf = (number: string): string => (/^4/.test(number) ? "visa" : /^3[47]/.test(number) ? "amex" : "mc")
