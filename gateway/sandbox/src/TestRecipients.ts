/**
 * Recipients of payouts, also as cards that receive transfers, for everything that a rail can do. Each row has one number of each
 * kind. Any other recipient is paid at once.
 */
import type { Destination } from "@pay/gateway/PayoutRail"
import * as Card from "@pay/schema/Card"
import { type Decline, declines } from "@pay/schema/Decline"
import { decline, type RailKind, type Scenario } from "./Outcome.ts"

/** Numbers with a fixed behaviour of the simulated rail. `result` describes the behaviour for documents. */
export interface TestRecipient {
  /** The name that the rail's books have instead of the number. */
  readonly name: string
  readonly result: string
  readonly scenarios: { readonly [K in RailKind]?: Scenario }
  readonly numbers: Readonly<Record<Destination.Kind, string>>
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

const refusedAfter = (afterMs: number, { code, message }: Decline): Scenario => ({
  lateRefusal: { afterMs, code, message }
})

const rows: ReadonlyArray<Omit<TestRecipient, "numbers">> = [
  { name: "ordinary", result: "paid at once", scenarios: {} },
  {
    name: "no-account",
    result: "refused by the check and by the payment: no such account (114)",
    scenarios: {
      check: { verdict: decline(declines.noSuchAccount) },
      pay: { verdict: decline(declines.noSuchAccount) }
    }
  },
  {
    name: "pay-refused",
    result: "passes the check; the payment is refused: restricted (104)",
    scenarios: { pay: { verdict: decline(declines.restrictedCard) } }
  },
  {
    name: "slow",
    result: "all requests are answered after 5 s",
    scenarios: { check: { latencyMs: 5 * second }, pay: { latencyMs: 5 * second } }
  },
  {
    name: "answer-lost",
    result: "paid, but the answer is lost",
    scenarios: { pay: { delivery: { _tag: "AnswerLost" } } }
  },
  {
    name: "undecided",
    result: "paid; for 60 s an inquiry returns no outcome",
    scenarios: { pay: { delivery: { _tag: "Undecided", forMs: minute } } }
  },
  {
    name: "never-decided",
    result: "the outcome is unknown until an operator resolves it",
    scenarios: { pay: { delivery: { _tag: "Undecided" } } }
  },
  {
    name: "arrives-late",
    result: "the payment arrives 20 s late; before that, an inquiry does not find it",
    scenarios: { pay: { delivery: { _tag: "ArrivesLate", afterMs: 20 * second } } }
  },
  {
    name: "arrives-twice",
    result: "the payment reaches the rail twice; it is booked once",
    scenarios: { pay: { delivery: { _tag: "ArrivesTwice" } } }
  },
  {
    name: "lost-once",
    result: "the first payment request is lost on its way; a repeat arrives",
    scenarios: { pay: { delivery: { _tag: "NeverArrives", times: 1 } } }
  },
  {
    name: "never-arrives",
    result: "every payment request is lost on its way, also repeats",
    scenarios: { pay: { delivery: { _tag: "NeverArrives" } } }
  },
  {
    name: "not-sent-twice",
    result: "the rail is unreachable for two attempts, then reachable",
    scenarios: { pay: { delivery: { _tag: "NotSent", times: 2 } } }
  },
  {
    name: "not-sent",
    result: "the rail is unreachable for the payment",
    scenarios: { pay: { delivery: { _tag: "NotSent" } } }
  },
  {
    name: "check-lost",
    result: "the answer to the first check is lost; a repeat is answered",
    scenarios: { check: { delivery: { _tag: "NeverArrives", times: 1 } } }
  },
  {
    name: "check-never",
    result: "the check is never answered",
    scenarios: { check: { delivery: { _tag: "NeverArrives" } } }
  },
  {
    name: "refused-after-hour",
    result: "paid, and refused an hour later: no such account (114)",
    scenarios: { pay: refusedAfter(hour, declines.noSuchAccount) }
  },
  {
    name: "refused-after-days",
    result: "paid, and refused two days later: restricted (104)",
    scenarios: { pay: refusedAfter(48 * hour, declines.restrictedCard) }
  }
]

/** Appends the check digit that makes the text a card number. */
const cardOf = (number: string): string => {
  const digit = [..."0123456789"].find((digit) => Card.luhn(number + digit)) ?? "0"
  return number + digit
}

/** Returns a German IBAN with its check digits (ISO/IEC 7064, MOD 97-10). */
const ibanOf = (account: string): string => {
  const digits = 98n - (BigInt(`${account}131400`) % 97n)
  return `DE${String(digits).padStart(2, "0")}${account}`
}

/** Returns the numbers of the row with this position in the table. */
const numbersOf = (place: number, name: string): TestRecipient["numbers"] => {
  const two = String(place).padStart(2, "0")
  return {
    card: cardOf(`4444030${two}000000`),
    account: ibanOf(`3704004405320130${two}`),
    wallet: `wallet-${name}`,
    phone: `+120255501${two}`
  }
}

/** The table of test recipients. */
export const recipients: ReadonlyArray<TestRecipient> = rows.map((row, place) => ({
  ...row,
  numbers: numbersOf(place, row.name)
}))

const byNumber: ReadonlyMap<string, TestRecipient> = new Map(
  recipients.flatMap((recipient) => Object.values(recipient.numbers).map((number) => [number, recipient] as const))
)
const byNames: ReadonlyMap<string, TestRecipient> = new Map(
  recipients.map((recipient) => [recipient.name, recipient] as const)
)

export const find = (number: string): TestRecipient | undefined => byNumber.get(number)

export const byName = (name: string): TestRecipient | undefined => byNames.get(name)
