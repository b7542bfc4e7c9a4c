import { assert, describe, it } from "@effect/vitest"
import * as CardRules from "@pay/schema/Card"
import { Redacted } from "effect"
import { brandOf } from "../../src/http/pages/CardBrands.ts"
import * as CardEntry from "../../src/http/pages/CardEntry.ts"

const nowMs = Date.UTC(2026, 10, 21)
const good = { number: "4444 3333 2222 1111", expiry: "12 / 30", code: "123", holder: "Jane Doe" }
const check = (changes: Partial<typeof good>) => {
  const typed = { ...good, ...changes }
  return CardEntry.check((name) => (name === "receiver" ? "" : typed[name]), nowMs, false)
}

describe("the receiver's card of a transfer, as typed", () => {
  const receiver = (number: string) =>
    CardEntry.check((name) => (name === "receiver" ? number : good[name]), nowMs, true)
  it("is read as a second card number", () => {
    const checked = receiver("4444 5555 6666 1111")
    assert(checked._tag === "Entered" && checked.entry.receiver !== undefined)
    assert.strictEqual(Redacted.value(checked.entry.receiver), "4444555566661111")
    assert.strictEqual(Redacted.value(checked.entry.pan), "4444333322221111")
  })
  it.each([
    ["", "numberMissing"],
    ["4444 5555 6666 1112", "numberWrong"]
  ])("is refused: %j: %s", (number, flaw) => {
    const checked = receiver(number)
    assert(checked._tag === "Flawed")
    assert.deepStrictEqual<object>(checked.flaws, { receiver: flaw })
  })
})

describe("a card as the customer typed it", () => {
  const fine: ReadonlyArray<readonly [changes: Partial<typeof good>, month: number, year: number]> = [
    [{}, 12, 2030],
    [{ expiry: "12/30" }, 12, 2030],
    [{ expiry: "1230" }, 12, 2030],
    [{ expiry: "8/2029" }, 8, 2029],
    [{ expiry: "08 / 29" }, 8, 2029],
    [{ expiry: "1/35" }, 1, 2035],
    [{ expiry: "01 / 2035" }, 1, 2035],
    [{ expiry: "12035" }, 1, 2035],
    [{ expiry: "2035-01" }, 1, 2035],
    [{ expiry: "۱/۳۵", code: "۱۲۳" }, 1, 2035],
    [{ expiry: "１２／３０", number: "４４４４　３３３３　２２２２　１１１１", code: "１２３" }, 12, 2030],
    [{ number: "my card 4444 3333 2222 1111" }, 12, 2030],
    [{ number: "4444–3333 2222.1111" }, 12, 2030],
    [{ expiry: "11/26" }, 11, 2026],
    [{ number: "4444-3333-2222-1111" }, 12, 2030],
    [{ number: "٤٤٤٤ ٣٣٣٣ ٢٢٢٢ ١١١١", expiry: "١٢/٣٠", code: "١٢٣" }, 12, 2030]
  ]
  for (const [changes, month, year] of fine) {
    it(`is accepted: ${JSON.stringify(changes)}`, () => {
      const checked = check(changes)
      assert.strictEqual(checked._tag, "Entered")
      if (checked._tag !== "Entered") return
      assert.strictEqual(Redacted.value(checked.entry.pan), "4444333322221111")
      assert.strictEqual(Redacted.value(checked.entry.cvv), "123")
      assert.deepInclude(checked.entry, { expireMonth: month, expireYear: year, cardholder: "Jane Doe" })
      assert.notInclude(JSON.stringify(checked), "4444333322221111")
    })
  }

  const flawed: ReadonlyArray<readonly [changes: Partial<typeof good>, flaws: CardEntry.Flaws]> = [
    [{ number: "" }, { number: "numberMissing" }],
    [{ number: "4444333322221112" }, { number: "numberWrong" }],
    [{ number: "1234" }, { number: "numberWrong" }],
    [{ number: "4444x333322221111" }, { number: "numberWrong" }],
    [{ expiry: "" }, { expiry: "expiryMissing" }],
    [{ expiry: "13/30" }, { expiry: "expiryWrong" }],
    [{ expiry: "00/30" }, { expiry: "expiryWrong" }],
    [{ expiry: "12/1930" }, { expiry: "expiryWrong" }],
    [{ expiry: "soon" }, { expiry: "expiryWrong" }],
    [{ expiry: "10/26" }, { expiry: "expiryPast" }],
    [{ code: "" }, { code: "codeMissing" }],
    [{ code: "12" }, { code: "codeWrong" }],
    [{ code: "12345" }, { code: "codeWrong" }],
    [{ code: "1234" }, { code: "codeThree" }],
    [{ number: "378282246310005" }, { code: "codeFour" }],
    [{ holder: "  " }, { holder: "holderMissing" }],
    [{ holder: "J".repeat(129) }, { holder: "holderWrong" }],
    [{ holder: "Jane\u0000Doe" }, { holder: "holderWrong" }],
    [{ holder: "4444 3333 2222 1111" }, { holder: "holderWrong" }],
    [{ holder: "4444.3333.2222.1111" }, { holder: "holderWrong" }],
    [{ holder: "Jane 4444/3333/2222/1111 Doe" }, { holder: "holderWrong" }],
    [{ holder: "٤٤٤٤٣٣٣٣٢٢٢٢١١١١" }, { holder: "holderWrong" }],
    [{ holder: "123" }, { holder: "holderWrong" }],
    [{ holder: "1-2 3" }, { holder: "holderWrong" }],
    [{ number: "0000 0000 0000 0000" }, { number: "numberWrong" }],
    [
      { number: "", expiry: "", code: "", holder: "" },
      { number: "numberMissing", expiry: "expiryMissing", code: "codeMissing", holder: "holderMissing" }
    ]
  ]
  for (const [changes, flaws] of flawed) {
    it(`is refused: ${JSON.stringify(changes)}`, () => {
      const checked = check(changes)
      assert.deepStrictEqual(checked._tag === "Flawed" ? checked.flaws : undefined, flaws)
    })
  }

  it("is shown again without its number and security code", () => {
    const kept = (changes: Partial<typeof good>) => {
      const checked = check({ code: "", ...changes })
      return checked._tag === "Flawed" ? checked.kept : undefined
    }
    assert.deepStrictEqual(kept({}), { expiry: "12 / 30", holder: "Jane Doe" })
    assert.deepStrictEqual(kept({ code: "123", holder: "123" }), { expiry: "12 / 30", holder: "" })
    assert.deepStrictEqual(kept({ holder: "4444 3333 2222 1111" }), { expiry: "12 / 30", holder: "" })
    assert.deepStrictEqual(kept({ expiry: "4444333322221111" }), { expiry: "", holder: "Jane Doe" })
  })
})

describe("the card brand that is shown while typing", () => {
  const names: Readonly<Record<string, string>> = {
    Amex: "AMERICAN EXPRESS",
    "Diners Club": "DINERS CLUB"
  }
  const rows = [
    "4444333322221111",
    "5555555555554444",
    "2223003122003222",
    "2720999999999996",
    "378282246310005",
    "371449635398431",
    "36227206271667",
    "30569309025904",
    "6011111111111117",
    "6445644564456445",
    "3530111333300000",
    "2200000000000004",
    "6200000000000005",
    "6759649826438453",
    "5018000000000009",
    "6304000000000000",
    "493698000000000005"
  ]
  for (const number of rows) {
    it(`is the brand of the order: ${number.slice(0, 6)}…`, () => {
      const displayed = brandOf(number)?.name ?? ""
      assert.strictEqual(names[displayed] ?? displayed.toUpperCase(), CardRules.brand(number))
    })
  }
})
