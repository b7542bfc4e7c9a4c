/**
 * The security code decides what the bank says. The codes up to 209 and their results are public; that a payment without
 * a code (the cardholder is absent) is approved is our choice, docs/assumptions.md.
 */
import type { Hint } from "@pay/gateway/ThreeDSServer"
import { declines } from "@pay/schema/Decline"
import { approve, decline, type Outcome, ordinary, type Plan } from "./Outcome.ts"

export interface Row {
  readonly cvv: string
  readonly result: string
  readonly plan: Plan
  /** What it asks of the issuer on an endpoint with 3-D Secure, unless the card number asks for something else. */
  readonly hint?: Hint
}

const declined = (cvv: string, reason: { readonly code: number; readonly message: string }): Row => ({
  cvv,
  result: `declined: ${reason.code} ${reason.message}`,
  plan: { verdict: decline(reason) }
})

export const rows: ReadonlyArray<Row> = [
  { cvv: "123", result: "approved", plan: { verdict: approve } },
  { cvv: "1234", result: "approved", plan: { verdict: approve } },
  {
    cvv: "321",
    result: "approved; on an endpoint with 3-D Secure, after a challenge",
    plan: { verdict: approve },
    hint: "challenge"
  },
  {
    cvv: "111",
    result: "approved; on an endpoint with 3-D Secure, without a challenge",
    plan: { verdict: approve },
    hint: "none"
  },
  {
    cvv: "217",
    result: "unknown: the answer is lost and the bank cannot say what it did",
    plan: { verdict: approve, journey: { _tag: "Undecided" } }
  },
  declined("101", declines.expiredCard),
  declined("116", declines.notSufficientFunds),
  declined("119", declines.notPermittedToCardholder),
  declined("209", declines.stolenCard)
]

/** What every code says that is not in the table. */
export const other = declined("any other", declines.doNotHonour)

/** What is said where there is no code. */
export const none: Row = { cvv: "none", result: "approved", plan: { verdict: approve } }

const byCvv: ReadonlyMap<string, Row> = new Map(rows.map((row) => [row.cvv, row]))

/** The codes that ask something of the issuer. */
export const hints: ReadonlyMap<string, Hint> = new Map(
  rows.flatMap(({ cvv, hint }) => (hint === undefined ? [] : [[cvv, hint] as const]))
)

/** What the bank does with an authorisation, as far as the security code says. */
export const outcome = (cvv: string | undefined): Outcome => ({
  ...ordinary,
  ...(cvv === undefined ? none : (byCvv.get(cvv) ?? other)).plan
})
