/** What a merchant reads of a bank's decline, and what the order keeps of it. */
import { assert, describe, it } from "@effect/vitest"
import * as DeclineReason from "../../src/orders/decide/DeclineReason.ts"

type Declined = DeclineReason.Declined
type Given = Omit<Declined, "_tag">

const rows: ReadonlyArray<readonly [what: string, given: Given, code: number, message: string, kept: string | null]> = [
  ["an action code of ISO 8583:1993", { code: 116, message: "No funds" }, 116, "No funds", null],
  ["an action code that the table lacks", { code: 9999, message: "Own" }, 9999, "Own", null],
  ["93, which is not the gateway's own reason", { code: 93, message: "Law" }, 100, "Law", '{"code":"93"}'],
  ["text", { code: "N7", message: "CVV" }, 100, "CVV", '{"code":"N7"}'],
  [
    "text with a reason",
    { code: "51", reason: "notSufficientFunds", message: "" },
    116,
    "Not sufficient funds",
    '{"code":"51"}'
  ],
  [
    "a number with a reason, whose words are the bank's",
    { code: 2, reason: "stolenCard", message: "Refused" },
    209,
    "Refused",
    '{"code":"2"}'
  ],
  [
    "a network's code, advice and category",
    { code: 100, message: "", networkCode: "05", advice: "03", category: "final" },
    100,
    "",
    '{"networkCode":"05","advice":"03","category":"final"}'
  ]
]

describe("a bank's decline", () => {
  it.each(rows)("by %s is read as one of ours only if it is", (_, given, code, message, kept) => {
    const declined = { _tag: "Declined", ...given } as const
    assert.deepStrictEqual(DeclineReason.of(declined), { code, message })
    assert.strictEqual(DeclineReason.detailsOf(declined), kept)
  })

  it.each([
    [{ code: 116 }, false],
    [{ code: 209 }, true],
    [{ code: "51", reason: "stolenCard" }, true],
    [{ code: 116, category: "final" }, true],
    [{ code: 116, category: "stopped" }, true],
    [{ code: 116, category: "authenticate" }, true],
    [{ code: 116, category: "later" }, false],
    [{ code: 116, category: "data" }, false]
  ] as const)("%o leaves a further try with the card pointless: %s", (given, hard) =>
    assert.strictEqual(DeclineReason.isHard({ message: "", ...given }), hard)
  )
})
