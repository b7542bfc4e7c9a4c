/**
 * The security codes that determine the bank's answer. The codes up to 209 and their results are public. That a payment without
 * a code (the cardholder is absent) is approved is a choice of this project (docs/assumptions.md#sandbox).
 */
import type { Hint } from "@pay/gateway/ThreeDSServer"
import { declines } from "@pay/schema/Decline"
import { approve, decline, type Outcome, ordinary, type Scenario } from "./Outcome.ts"

/** A security code with its result. `result` describes the behaviour for documents. */
export interface Row {
  readonly cvv: string
  readonly result: string
  readonly scenario: Scenario
  /** What the issuer does on an endpoint with 3-D Secure, unless the card number determines it. */
  readonly hint?: Hint
}

const declined = (cvv: string, reason: { readonly code: number; readonly message: string }): Row => ({
  cvv,
  result: `declined: ${reason.code} ${reason.message}`,
  scenario: { verdict: decline(reason) }
})

/** The table of security codes. */
export const rows: ReadonlyArray<Row> = [
  { cvv: "123", result: "approved", scenario: { verdict: approve } },
  { cvv: "1234", result: "approved", scenario: { verdict: approve } },
  {
    cvv: "321",
    result: "approved; on an endpoint with 3-D Secure, after a challenge",
    scenario: { verdict: approve },
    hint: "challenge"
  },
  {
    cvv: "111",
    result: "approved; on an endpoint with 3-D Secure, without a challenge",
    scenario: { verdict: approve },
    hint: "none"
  },
  {
    cvv: "217",
    result: "unknown: the answer is lost, and inquiries return no outcome",
    scenario: { verdict: approve, delivery: { _tag: "Undecided" } }
  },
  declined("101", declines.expiredCard),
  declined("116", declines.notSufficientFunds),
  declined("119", declines.notPermittedToCardholder),
  declined("209", declines.stolenCard)
]

/** The row for all codes that are not in the table. */
export const other = declined("any other", declines.doNotHonour)

/** The row for a payment without a code. */
export const none: Row = { cvv: "none", result: "approved", scenario: { verdict: approve } }

const byCvv: ReadonlyMap<string, Row> = new Map(rows.map((row) => [row.cvv, row]))

/** The codes that determine what the issuer does. */
export const hints: ReadonlyMap<string, Hint> = new Map(
  rows.flatMap(({ cvv, hint }) => (hint === undefined ? [] : [[cvv, hint] as const]))
)

/** Returns the outcome of an authorisation with this security code. */
export const outcome = (cvv: string | undefined): Outcome => ({
  ...ordinary,
  ...(cvv === undefined ? none : (byCvv.get(cvv) ?? other)).scenario
})
