/** How an accepted request for all that is left ends where the amounts show what has moved. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { act, approved, captured, heldOrder, type Moved, type Name, paths } from "./Amounts.ts"
import * as Script from "./Script.ts"

const { taken } = Script
const { capturedAmount: _captured, ...untold } = captured

describe("a request that was accepted", () => {
  const sale = { ...untold, transactionType: "sale" }
  const { authorizedAmount: _unauthorized, ...unauthorized } = heldOrder
  /** `before` and `after` of an order of 10.00, and how a request for all that is left ends. */
  const wholes: ReadonlyArray<readonly [what: string, name: Name, before: Moved, after: Moved, end: string]> = [
    ["a return gave back a part", "RETURN", captured, { ...captured, returnedAmount: "4.00" }, "NeedsAPerson"],
    ["a return gave all back", "RETURN", captured, { ...captured, returnedAmount: "10.00" }, "approved"],
    [
      "a return of a sale gave back a part",
      "RETURN",
      sale,
      { ...sale, transactionType: "reversal", returnedAmount: "4.00" },
      "NeedsAPerson"
    ],
    [
      "a return of a sale gave all back",
      "RETURN",
      sale,
      { ...sale, transactionType: "reversal", returnedAmount: "10.00" },
      "approved"
    ],
    [
      "a return gave something back of a hold whose captured part is not told",
      "RETURN",
      { ...sale, transactionType: "capture" },
      { ...sale, transactionType: "reversal", returnedAmount: "4.00" },
      "approved"
    ],
    ["a capture took a part", "CAPTURE", heldOrder, { ...heldOrder, capturedAmount: "4.00" }, "NeedsAPerson"],
    [
      "a capture took something of a hold whose amount is not told",
      "CAPTURE",
      unauthorized,
      { ...unauthorized, capturedAmount: "4.00" },
      "approved"
    ]
  ]
  for (const [what, name, before, after, end] of wholes)
    it.effect(`for all that is left ends so where ${what}: ${end}`, () =>
      Effect.gen(function* () {
        const flow = act(name, undefined, before)
        const status = [approved({ ...after, amount: "10.00" })]
        const played = yield* Script.play({ [paths[name]]: [taken], status }, flow, {}, Script.keyless)
        assert.strictEqual(played.end, end)
      })
    )
})
