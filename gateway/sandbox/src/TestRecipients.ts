/**
 * Recipients of payouts, also as cards that receive transfers, for everything that a rail can do. Each row has one number of each
 * kind. Any other recipient is paid at once.
 */
import type { Destination } from "@pay/gateway/PayoutRail"
import * as Card from "@pay/schema/Card"
import { type Decline, declines } from "@pay/schema/Decline"
import { type Delivery, decline, type RailKind, type Scenario } from "./Outcome.ts"

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

type Row = Omit<TestRecipient, "numbers">

const row = (name: string, result: string, scenarios: Row["scenarios"]): Row => ({ name, result, scenarios })

const pays = (delivery: Delivery): Row["scenarios"] => ({ pay: { delivery } })

const rows: ReadonlyArray<Row> = [
  row("ordinary", "paid at once", {}),
  row("no-account", "refused by the check and by the payment: no such account (114)", {
    check: { verdict: decline(declines.noSuchAccount) },
    pay: { verdict: decline(declines.noSuchAccount) }
  }),
  row("pay-refused", "passes the check; the payment is refused: restricted (104)", {
    pay: { verdict: decline(declines.restrictedCard) }
  }),
  row("slow", "all requests are answered after 5 s", {
    check: { latencyMs: 5 * second },
    pay: { latencyMs: 5 * second }
  }),
  row("answer-lost", "paid, but the answer is lost", pays({ _tag: "AnswerLost" })),
  row("undecided", "paid; for 60 s an inquiry returns no outcome", pays({ _tag: "Undecided", forMs: minute })),
  row("never-decided", "the outcome is unknown until an operator resolves it", pays({ _tag: "Undecided" })),
  row(
    "arrives-late",
    "the payment arrives 20 s late; before that, an inquiry does not find it",
    pays({ _tag: "ArrivesLate", afterMs: 20 * second })
  ),
  row("arrives-twice", "the payment reaches the rail twice; it is booked once", pays({ _tag: "ArrivesTwice" })),
  row(
    "lost-once",
    "the first payment request is lost on its way; a repeat arrives",
    pays({ _tag: "NeverArrives", times: 1 })
  ),
  row("never-arrives", "every payment request is lost on its way, also repeats", pays({ _tag: "NeverArrives" })),
  row(
    "not-sent-twice",
    "the rail is unreachable for two attempts, then reachable",
    pays({ _tag: "NotSent", times: 2 })
  ),
  row("not-sent", "the rail is unreachable for the payment", pays({ _tag: "NotSent" })),
  row("check-lost", "the answer to the first check is lost; a repeat is answered", {
    check: { delivery: { _tag: "NeverArrives", times: 1 } }
  }),
  row("check-never", "the check is never answered", { check: { delivery: { _tag: "NeverArrives" } } }),
  row("refused-after-hour", "paid, and refused an hour later: no such account (114)", {
    pay: refusedAfter(hour, declines.noSuchAccount)
  }),
  row("refused-after-days", "paid, and refused two days later: restricted (104)", {
    pay: refusedAfter(48 * hour, declines.restrictedCard)
  })
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
