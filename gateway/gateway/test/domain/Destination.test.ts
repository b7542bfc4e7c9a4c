import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as Destination from "../../src/recipients/Destination.ts"

const of = (fields: Readonly<Record<string, string>>): Destination.Destination => {
  const result = Destination.of(fields)
  assert(result !== undefined)
  return result
}

const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, string]> = [
  [
    "a card",
    { credit_card_number: "4444333322221111", expire_month: "12" },
    "card 4444333322221111",
    "444433******1111"
  ],
  ["an IBAN", { account_number: "DE89370400440532013000" }, "account DE89370400440532013000", "DE****************3000"],
  ["a short account", { account_number: "12345678" }, "account 12345678", "********"],
  ["a wallet", { ewallet_id: "wallet-4711" }, "wallet wallet-4711", "*******4711"],
  ["a phone", { phone: "+12025550199" }, "phone +12025550199", "********0199"],
  ["a phone beside an account", { phone: "+12025550199", account_number: "12345678" }, "account 12345678", "********"]
]

describe("the recipient of a payout", () => {
  for (const [name, fields, expected, masked] of rows) {
    it(`is recognized, encoded and masked: ${name}`, () => {
      const result = of(fields)
      assert.strictEqual(`${result.kind} ${Redacted.value(result.number)}`, expected)
      assert.strictEqual(Destination.mask(result), masked)
      const again = Destination.fromText(Destination.toText(result))
      assert.deepStrictEqual(Redacted.value(again.number), Redacted.value(result.number))
      assert.deepStrictEqual(Redacted.value(again.details), Redacted.value(result.details))
    })
  }

  it("appears in no JSON and no printed text", () => {
    const result = of({ account_number: "DE89370400440532013000", first_name: "Jane", last_name: "Doe" })
    const printed =
      JSON.stringify([result, Destination.toText(result), Destination.identity(result)]) + String(result.number)
    for (const secret of ["DE89370400440532013000", "Jane", "Doe"]) assert.notInclude(printed, secret)
  })

  it("is missing without an account, card, phone or wallet", () =>
    assert.isUndefined(Destination.of({ email: "a@b.example" })))

  it("is identified by the kind and number of the destination alone", () => {
    const identity = (fields: Readonly<Record<string, string>>) => Redacted.value(Destination.identity(of(fields)))
    assert.strictEqual(
      identity({ account_number: "de89370400440532013000", first_name: "Jane" }),
      identity({ account_number: "DE89370400440532013000" })
    )
    assert.notStrictEqual(identity({ account_number: "12345678" }), identity({ ewallet_id: "12345678" }))
  })
})
