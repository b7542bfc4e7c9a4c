/** Tests whether the amounts of an order show that a request with a lost answer was done. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Amounts, authorizedOrder, captured, type Name, outcome, paths } from "./Amounts.ts"

const { capturedAmount: _captured, ...withoutCaptured } = authorizedOrder
const capturedWithoutAmount = { ...withoutCaptured, transactionType: "capture" }
const { currency: _currency, ...bare } = captured
const empty = { ...bare, capturedAmount: "0.00" }
const yen = { ...authorizedOrder, currency: "JPY", authorizedAmount: "10" }

const rows: ReadonlyArray<
  readonly [what: string, name: Name, amount: string | undefined, before: Amounts, after: Amounts, end: string]
> = [
  [
    "a partial capture, and its amount is captured",
    "CAPTURE",
    "4.00",
    authorizedOrder,
    { ...authorizedOrder, capturedAmount: "4.00" },
    "approved"
  ],
  [
    "a partial capture, and another amount is captured",
    "CAPTURE",
    "4.00",
    authorizedOrder,
    { ...authorizedOrder, capturedAmount: "5.00" },
    "NeedsAPerson"
  ],
  [
    "a partial capture, and money was refunded meanwhile",
    "CAPTURE",
    "4.00",
    authorizedOrder,
    { ...authorizedOrder, capturedAmount: "4.00", returnedAmount: "1.00" },
    "NeedsAPerson"
  ],
  [
    "a second partial capture, and its amount is captured",
    "CAPTURE",
    "4.00",
    { ...authorizedOrder, capturedAmount: "2.00" },
    { ...authorizedOrder, capturedAmount: "6.00" },
    "approved"
  ],
  ["a partial capture, and no amount changed", "CAPTURE", "4.00", authorizedOrder, authorizedOrder, "sent again"],
  [
    "a partial capture of a hold without amounts, and nothing changed",
    "CAPTURE",
    "4.00",
    withoutCaptured,
    withoutCaptured,
    "sent again"
  ],
  [
    "a partial capture, and the gateway shows no captured amount",
    "CAPTURE",
    "4.00",
    capturedWithoutAmount,
    capturedWithoutAmount,
    "NeedsAPerson"
  ],
  [
    "a full capture, and the gateway showed no captured amount before",
    "CAPTURE",
    undefined,
    capturedWithoutAmount,
    captured,
    "NeedsAPerson"
  ],
  ["a partial capture, and the gateway shows zero without a currency", "CAPTURE", "4.00", empty, empty, "NeedsAPerson"],
  [
    "a partial capture, and the gateway shows an amount without a currency",
    "CAPTURE",
    "4.00",
    authorizedOrder,
    { ...bare, capturedAmount: "4.00" },
    "NeedsAPerson"
  ],
  ["a full capture, and the whole amount is captured", "CAPTURE", undefined, authorizedOrder, captured, "approved"],
  [
    "a full capture, and a part is captured",
    "CAPTURE",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, capturedAmount: "6.00" },
    "NeedsAPerson"
  ],
  [
    "a full capture, and the hold ended without amounts",
    "CAPTURE",
    undefined,
    authorizedOrder,
    { transactionType: "capture" },
    "approved"
  ],
  [
    "a partial capture, and the hold ended without amounts",
    "CAPTURE",
    "4.00",
    authorizedOrder,
    { transactionType: "capture" },
    "NeedsAPerson"
  ],
  [
    "a full capture, and the hold ended with nothing captured",
    "CAPTURE",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, transactionType: "capture" },
    "NeedsAPerson"
  ],
  [
    "a full capture, and the hold was voided meanwhile",
    "CAPTURE",
    undefined,
    authorizedOrder,
    { transactionType: "cancel" },
    "NeedsAPerson"
  ],
  [
    "a partial capture in a currency without decimals, and its amount is captured",
    "CAPTURE",
    "4",
    { ...yen, capturedAmount: "0.00" },
    { ...yen, capturedAmount: "4" },
    "approved"
  ],
  [
    "a partial refund, and its amount is refunded",
    "RETURN",
    "4.00",
    captured,
    { ...captured, returnedAmount: "4.00" },
    "approved"
  ],
  [
    "a partial refund, and another amount is refunded",
    "RETURN",
    "4.00",
    captured,
    { ...captured, returnedAmount: "5.00" },
    "NeedsAPerson"
  ],
  [
    "a full refund, and the whole amount is refunded",
    "RETURN",
    undefined,
    captured,
    { ...captured, returnedAmount: "10.00" },
    "approved"
  ],
  [
    "a full refund, and a part is refunded",
    "RETURN",
    undefined,
    captured,
    { ...captured, returnedAmount: "6.00" },
    "NeedsAPerson"
  ],
  [
    "a full refund of a hold, and the hold is voided",
    "RETURN",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, transactionType: "cancel" },
    "approved"
  ],
  [
    "a partial refund of a hold, and the hold is voided",
    "RETURN",
    "4.00",
    authorizedOrder,
    { ...authorizedOrder, transactionType: "cancel" },
    "NeedsAPerson"
  ],
  [
    "a full refund of a hold, and the hold was captured",
    "RETURN",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, transactionType: "capture" },
    "NeedsAPerson"
  ],
  [
    "a full refund of a partly captured hold, and the captured part is refunded",
    "RETURN",
    undefined,
    { ...captured, capturedAmount: "6.00" },
    { ...captured, capturedAmount: "6.00", returnedAmount: "6.00" },
    "approved"
  ],
  ["a partial refund, and no amount changed", "RETURN", "4.00", captured, captured, "sent again"],
  [
    "a void, and the hold is voided",
    "VOID",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, transactionType: "cancel" },
    "approved"
  ],
  ["a void, and nothing changed", "VOID", undefined, authorizedOrder, authorizedOrder, "sent again"],
  [
    "a void, and the hold was captured",
    "VOID",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, transactionType: "capture" },
    "NeedsAPerson"
  ],
  ["a void of the rest after a capture, and nothing changed", "VOID", undefined, captured, captured, "NeedsAPerson"],
  [
    "a void, and money was refunded",
    "VOID",
    undefined,
    authorizedOrder,
    { ...authorizedOrder, transactionType: "cancel", returnedAmount: "1.00" },
    "NeedsAPerson"
  ]
]

describe("a request whose answer was lost", () => {
  for (const [what, name, amount, before, after, end] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const { requests, end: ended } = yield* outcome(name, amount, before, after)
        const isSentAgain = requests.filter((path) => path === paths[name]).length > 1
        assert.strictEqual(isSentAgain ? "sent again" : ended, end)
      })
    )
})
