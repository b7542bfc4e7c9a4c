/** Whether a request whose answer was lost has happened, by what has moved with its order. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { captured, heldOrder, type Moved, type Name, outcome, paths } from "./Amounts.ts"

const { capturedAmount: _held, ...untold } = heldOrder
const untoldAfter = { ...untold, transactionType: "capture" }
const { currency: _currency, ...bare } = captured
const empty = { ...bare, capturedAmount: "0.00" }
const yen = { ...heldOrder, currency: "JPY", authorizedAmount: "10" }

const rows: ReadonlyArray<
  readonly [what: string, name: Name, amount: string | undefined, before: Moved, after: Moved, end: string]
> = [
  ["a capture moved its amount", "CAPTURE", "4.00", heldOrder, { ...heldOrder, capturedAmount: "4.00" }, "approved"],
  [
    "a capture moved another amount",
    "CAPTURE",
    "4.00",
    heldOrder,
    { ...heldOrder, capturedAmount: "5.00" },
    "NeedsAPerson"
  ],
  [
    "money went back while a part was captured",
    "CAPTURE",
    "4.00",
    heldOrder,
    { ...heldOrder, capturedAmount: "4.00", returnedAmount: "1.00" },
    "NeedsAPerson"
  ],
  [
    "a second capture moved its amount",
    "CAPTURE",
    "4.00",
    { ...heldOrder, capturedAmount: "2.00" },
    { ...heldOrder, capturedAmount: "6.00" },
    "approved"
  ],
  ["a capture moved nothing", "CAPTURE", "4.00", heldOrder, heldOrder, "sent again"],
  [
    "a capture of what is only reserved, of which nothing is told, moved nothing",
    "CAPTURE",
    "4.00",
    untold,
    untold,
    "sent again"
  ],
  ["nobody tells what was captured", "CAPTURE", "4.00", untoldAfter, untoldAfter, "NeedsAPerson"],
  ["nobody told what was captured before", "CAPTURE", undefined, untoldAfter, captured, "NeedsAPerson"],
  ["nobody tells the currency of nothing", "CAPTURE", "4.00", empty, empty, "NeedsAPerson"],
  ["nobody tells the currency", "CAPTURE", "4.00", heldOrder, { ...bare, capturedAmount: "4.00" }, "NeedsAPerson"],
  ["a capture of all moved all", "CAPTURE", undefined, heldOrder, captured, "approved"],
  [
    "a capture of all moved a part",
    "CAPTURE",
    undefined,
    heldOrder,
    { ...heldOrder, capturedAmount: "6.00" },
    "NeedsAPerson"
  ],
  [
    "a capture of all ended the hold, and nobody tells how much",
    "CAPTURE",
    undefined,
    heldOrder,
    { transactionType: "capture" },
    "approved"
  ],
  [
    "a capture of an amount ended the hold, and nobody tells how much",
    "CAPTURE",
    "4.00",
    heldOrder,
    { transactionType: "capture" },
    "NeedsAPerson"
  ],
  [
    "a capture of all ended the hold, and moved nothing",
    "CAPTURE",
    undefined,
    heldOrder,
    { ...heldOrder, transactionType: "capture" },
    "NeedsAPerson"
  ],
  ["the hold was released meanwhile", "CAPTURE", undefined, heldOrder, { transactionType: "cancel" }, "NeedsAPerson"],
  [
    "a capture moved its amount of a currency without decimals",
    "CAPTURE",
    "4",
    { ...yen, capturedAmount: "0.00" },
    { ...yen, capturedAmount: "4" },
    "approved"
  ],
  ["a return moved its amount", "RETURN", "4.00", captured, { ...captured, returnedAmount: "4.00" }, "approved"],
  [
    "a return moved another amount",
    "RETURN",
    "4.00",
    captured,
    { ...captured, returnedAmount: "5.00" },
    "NeedsAPerson"
  ],
  ["a return of all moved all", "RETURN", undefined, captured, { ...captured, returnedAmount: "10.00" }, "approved"],
  [
    "a return of all moved a part",
    "RETURN",
    undefined,
    captured,
    { ...captured, returnedAmount: "6.00" },
    "NeedsAPerson"
  ],
  [
    "a return of all ended the hold",
    "RETURN",
    undefined,
    heldOrder,
    { ...heldOrder, transactionType: "cancel" },
    "approved"
  ],
  [
    "a return of an amount ended the hold",
    "RETURN",
    "4.00",
    heldOrder,
    { ...heldOrder, transactionType: "cancel" },
    "NeedsAPerson"
  ],
  [
    "a return of all met a capture",
    "RETURN",
    undefined,
    heldOrder,
    { ...heldOrder, transactionType: "capture" },
    "NeedsAPerson"
  ],
  [
    "a return of all moved all of the part that was captured",
    "RETURN",
    undefined,
    { ...captured, capturedAmount: "6.00" },
    { ...captured, capturedAmount: "6.00", returnedAmount: "6.00" },
    "approved"
  ],
  ["a return moved nothing", "RETURN", "4.00", captured, captured, "sent again"],
  ["a void ended the hold", "VOID", undefined, heldOrder, { ...heldOrder, transactionType: "cancel" }, "approved"],
  ["a void moved nothing", "VOID", undefined, heldOrder, heldOrder, "sent again"],
  ["a void met a capture", "VOID", undefined, heldOrder, { ...heldOrder, transactionType: "capture" }, "NeedsAPerson"],
  ["a void of the rest after a capture tells nothing", "VOID", undefined, captured, captured, "NeedsAPerson"],
  [
    "money went back instead of a void",
    "VOID",
    undefined,
    heldOrder,
    { ...heldOrder, transactionType: "cancel", returnedAmount: "1.00" },
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
