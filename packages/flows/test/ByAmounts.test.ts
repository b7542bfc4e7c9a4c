/** Tests whether the amounts of an order show that a request with a lost answer was done. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import { type Amounts, authorizedOrder, captured, type Name, outcome, paths } from "./Amounts.ts"

const { capturedAmount: _captured, ...withoutCaptured } = authorizedOrder
const { currency: _currency, ...bare } = captured

const orders: Readonly<Record<string, Amounts>> = {
  hold: authorizedOrder,
  captured,
  holdUntold: withoutCaptured,
  capturedUntold: { ...withoutCaptured, transactionType: "capture" },
  capturedBare: bare,
  zeroBare: { ...bare, capturedAmount: "0.00" },
  yenHold: { ...authorizedOrder, currency: "JPY", authorizedAmount: "10" },
  none: {}
}
const fields: Readonly<Record<string, keyof Amounts>> = {
  captured: "capturedAmount",
  returned: "returnedAmount",
  type: "transactionType"
}

/** The amounts of an order, then what differs: `hold, captured 4.00`. */
const amountsOf = (cell: string): Amounts => {
  const [name = "", ...changes] = cell.split(", ")
  const order = orders[name]
  assert(order !== undefined, cell)
  const different = changes.map((change) => {
    const [field = "", value] = change.split(" ")
    const key = fields[field]
    assert(key !== undefined, cell)
    return [key, value] as const
  })
  return { ...order, ...Object.fromEntries(different) }
}

/** The request whose answer is lost, and the order of 10.00 before and after it. */
const table = `
case                                                                         | request      | before                  | after                                  | end
a partial capture, and its amount is captured                                | CAPTURE 4.00 | hold                    | hold, captured 4.00                    | approved
a partial capture, and another amount is captured                            | CAPTURE 4.00 | hold                    | hold, captured 5.00                    | NeedsAPerson
a partial capture, and money was refunded meanwhile                          | CAPTURE 4.00 | hold                    | hold, captured 4.00, returned 1.00     | NeedsAPerson
a second partial capture, and its amount is captured                         | CAPTURE 4.00 | hold, captured 2.00     | hold, captured 6.00                    | approved
a partial capture, and no amount changed                                     | CAPTURE 4.00 | hold                    | hold                                   | sent again
a partial capture of a hold without amounts, and nothing changed             | CAPTURE 4.00 | holdUntold              | holdUntold                             | sent again
a partial capture, and the gateway shows no captured amount                  | CAPTURE 4.00 | capturedUntold          | capturedUntold                         | NeedsAPerson
a full capture, and the gateway showed no captured amount before             | CAPTURE      | capturedUntold          | captured                               | NeedsAPerson
a partial capture, and the gateway shows zero without a currency             | CAPTURE 4.00 | zeroBare                | zeroBare                               | NeedsAPerson
a partial capture, and the gateway shows an amount without a currency        | CAPTURE 4.00 | hold                    | capturedBare, captured 4.00            | NeedsAPerson
a full capture, and the whole amount is captured                             | CAPTURE      | hold                    | captured                               | approved
a full capture, and a part is captured                                       | CAPTURE      | hold                    | hold, captured 6.00                    | NeedsAPerson
a full capture, and the hold ended without amounts                           | CAPTURE      | hold                    | none, type capture                     | approved
a partial capture, and the hold ended without amounts                        | CAPTURE 4.00 | hold                    | none, type capture                     | NeedsAPerson
a full capture, and the hold ended with nothing captured                     | CAPTURE      | hold                    | hold, type capture                     | NeedsAPerson
a full capture, and the hold was voided meanwhile                            | CAPTURE      | hold                    | none, type cancel                      | NeedsAPerson
a partial capture in a currency without decimals, and its amount is captured | CAPTURE 4    | yenHold, captured 0.00  | yenHold, captured 4                    | approved
a partial refund, and its amount is refunded                                 | RETURN 4.00  | captured                | captured, returned 4.00                | approved
a partial refund, and another amount is refunded                             | RETURN 4.00  | captured                | captured, returned 5.00                | NeedsAPerson
a full refund, and the whole amount is refunded                              | RETURN       | captured                | captured, returned 10.00               | approved
a full refund, and a part is refunded                                        | RETURN       | captured                | captured, returned 6.00                | NeedsAPerson
a full refund of a hold, and the hold is voided                              | RETURN       | hold                    | hold, type cancel                      | approved
a partial refund of a hold, and the hold is voided                           | RETURN 4.00  | hold                    | hold, type cancel                      | NeedsAPerson
a full refund of a hold, and the hold was captured                           | RETURN       | hold                    | hold, type capture                     | NeedsAPerson
a full refund of a partly captured hold, and the captured part is refunded   | RETURN       | captured, captured 6.00 | captured, captured 6.00, returned 6.00 | approved
a partial refund, and no amount changed                                      | RETURN 4.00  | captured                | captured                               | sent again
a void, and the hold is voided                                               | VOID         | hold                    | hold, type cancel                      | approved
a void, and nothing changed                                                  | VOID         | hold                    | hold                                   | sent again
a void, and the hold was captured                                            | VOID         | hold                    | hold, type capture                     | NeedsAPerson
a void of the rest after a capture, and nothing changed                      | VOID         | captured                | captured                               | NeedsAPerson
a void, and money was refunded                                               | VOID         | hold                    | hold, type cancel, returned 1.00       | NeedsAPerson
`
const [, ...rows] = TextTable.rows(table)
const isName = (text: string): text is Name => text in paths

describe("a request whose answer was lost", () => {
  for (const [what, request = "", before = "", after = "", end] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const [name = "", amount] = request.split(" ")
        assert(isName(name), name)
        const { requests, end: ended } = yield* outcome(name, amount, amountsOf(before), amountsOf(after))
        const isSentAgain = requests.filter((path) => path === paths[name]).length > 1
        assert.strictEqual(isSentAgain ? "sent again" : ended, end)
      })
    )
})
