/** Tests the outcomes of an accepted request for the whole rest of an order. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Amounts, act, approved, authorizedOrder, captured, type Name, paths } from "./Amounts.ts"
import * as Script from "./Script.ts"

const { acknowledged } = Script
const { capturedAmount: _captured, ...untold } = captured

describe("an accepted request for the whole rest", () => {
  const sale = { ...untold, transactionType: "sale" }
  const { authorizedAmount: _unauthorized, ...unauthorized } = authorizedOrder
  /** The amounts of an order of 10.00 before and after a request for the whole rest, and the outcome of the request. */
  const wholes: ReadonlyArray<readonly [what: string, name: Name, before: Amounts, after: Amounts, end: string]> = [
    ["a refund, and a part is refunded", "RETURN", captured, { ...captured, returnedAmount: "4.00" }, "NeedsAPerson"],
    [
      "a refund, and the whole amount is refunded",
      "RETURN",
      captured,
      { ...captured, returnedAmount: "10.00" },
      "approved"
    ],
    [
      "a refund of a sale, and a part is refunded",
      "RETURN",
      sale,
      { ...sale, transactionType: "reversal", returnedAmount: "4.00" },
      "NeedsAPerson"
    ],
    [
      "a refund of a sale, and the whole amount is refunded",
      "RETURN",
      sale,
      { ...sale, transactionType: "reversal", returnedAmount: "10.00" },
      "approved"
    ],
    [
      "a refund of a hold without a captured amount, and a part is refunded",
      "RETURN",
      { ...sale, transactionType: "capture" },
      { ...sale, transactionType: "reversal", returnedAmount: "4.00" },
      "approved"
    ],
    [
      "a capture, and a part is captured",
      "CAPTURE",
      authorizedOrder,
      { ...authorizedOrder, capturedAmount: "4.00" },
      "NeedsAPerson"
    ],
    [
      "a capture of a hold without an authorized amount, and a part is captured",
      "CAPTURE",
      unauthorized,
      { ...unauthorized, capturedAmount: "4.00" },
      "approved"
    ]
  ]
  for (const [what, name, before, after, end] of wholes)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const flow = act(name, undefined, before)
        const status = [approved({ ...after, amount: "10.00" })]
        const outcome = yield* Script.run({ [paths[name]]: [acknowledged], status }, flow, {}, Script.keyless)
        assert.strictEqual(outcome.end, end)
      })
    )
})
