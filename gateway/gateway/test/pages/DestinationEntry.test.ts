import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as DestinationEntry from "../../src/http/pages/DestinationEntry.ts"
import * as Destination from "../../src/recipients/Destination.ts"

type Typed = { readonly [F in DestinationEntry.FieldName]?: string }
const payout = { client_orderid: "order-1", amount: "10.42", currency: "USD" }
const check = (typed: Typed, offered: ReadonlyArray<Destination.Kind> = Destination.kinds) =>
  DestinationEntry.check((name) => typed[name] ?? "", offered, payout)

const name = { recipient: "Jane Doe" }

describe("a payout destination as the recipient typed it", () => {
  const fine: ReadonlyArray<readonly [typed: Typed, fields: Readonly<Record<string, string>>]> = [
    [
      { way: "card", number: "4444 5555 6666 1111" },
      { credit_card_number: "4444555566661111", card_printed_name: "Jane Doe" }
    ],
    [
      { way: "card", number: "٤٤٤٤ ٥٥٥٥ ٦٦٦٦ ١١١١" },
      { credit_card_number: "4444555566661111", card_printed_name: "Jane Doe" }
    ],
    [
      { way: "account", account: "de89 3704 0044 0532 0130 00" },
      { account_number: "DE89370400440532013000", account_name: "Jane Doe" }
    ],
    [
      { way: "account", account: "123412341234" },
      { account_number: "123412341234", account_name: "Jane Doe" }
    ],
    [
      { way: "phone", phone: "+49 (170) 123-4567" },
      { phone: "+491701234567", account_name: "Jane Doe" }
    ],
    [
      { way: "phone", phone: "٠٠٤٩١٧٠١٢٣٤٥٦٧" },
      { phone: "+491701234567", account_name: "Jane Doe" }
    ],
    [
      { way: "phone", phone: "+44 (0)7700 900123" },
      { phone: "+447700900123", account_name: "Jane Doe" }
    ],
    [
      { way: "account", account: "IBAN: gb82-west\u200b-1234-5698-7654-32" },
      { account_number: "GB82WEST12345698765432", account_name: "Jane Doe" }
    ],
    [
      { way: "wallet", wallet: " wallet-17 " },
      { ewallet_id: "wallet-17", account_name: "Jane Doe" }
    ],
    [
      { way: "wallet", wallet: "\u200bwallet-17\u202c", recipient: "\u2068Jane\r\nDoe\u2069" },
      { ewallet_id: "wallet-17", account_name: "Jane Doe" }
    ],
    [
      { way: "card", number: "4444 5555 6666 1111", recipient: "Jane\tDoe" },
      { credit_card_number: "4444555566661111", card_printed_name: "Jane Doe" }
    ]
  ]
  for (const [typed, fields] of fine) {
    it(`is accepted: ${JSON.stringify(typed)}`, () => {
      const checked = check({ ...name, ...typed })
      assert.strictEqual(checked._tag, "Entered")
      if (checked._tag !== "Entered") return
      assert.deepStrictEqual(Redacted.value(checked.entry), fields)
      for (const secret of Object.values(fields)) assert.notInclude(JSON.stringify(checked), secret)
    })
  }

  const flawed: ReadonlyArray<readonly [typed: Typed, flaws: DestinationEntry.Flaws]> = [
    [name, { way: "wayMissing" }],
    [{ ...name, way: "cheque" }, { way: "wayMissing" }],
    [{ way: "card", number: "4444555566661111" }, { recipient: "recipientMissing" }],
    [{ ...name, way: "card" }, { number: "numberMissing" }],
    [{ ...name, way: "card", number: "4444555566661112" }, { number: "numberWrong" }],
    [{ ...name, way: "account" }, { account: "accountMissing" }],
    [{ ...name, way: "account", account: "DE89 3704 0044 0532 0130 01" }, { account: "accountWrong" }],
    [{ ...name, way: "account", account: "GB82west12345698765431" }, { account: "accountWrong" }],
    [{ ...name, way: "account", account: "D389 3704 0044 0532 0130 00" }, { account: "accountWrong" }],
    [{ ...name, way: "account", account: "a/b" }, { account: "accountWrong" }],
    [{ ...name, way: "phone" }, { phone: "phoneMissing" }],
    [{ ...name, way: "phone", phone: "+" }, { phone: "phoneMissing" }],
    [{ ...name, way: "wallet", wallet: "\u200b" }, { wallet: "walletMissing" }],
    [{ way: "wallet", wallet: "w", recipient: "\u200b" }, { recipient: "recipientMissing" }],
    [{ ...name, way: "phone", phone: "12" }, { phone: "phoneWrong" }],
    [{ ...name, way: "phone", phone: "07700 900123" }, { phone: "phoneWrong" }],
    [{ ...name, way: "phone", phone: "123456" }, { phone: "phoneWrong" }],
    [{ ...name, way: "phone", phone: "+4477009001234" }, { phone: "phoneWrong" }],
    [{ ...name, way: "wallet" }, { wallet: "walletMissing" }],
    [{ ...name, way: "wallet", wallet: "w".repeat(129) }, { wallet: "walletWrong" }],
    [{ way: "wallet", wallet: "w", recipient: "J".repeat(129) }, { recipient: "recipientWrong" }],
    [{ way: "wallet", wallet: "w", recipient: "Jane\u0000" }, { recipient: "recipientWrong" }],
    [{ way: "wallet", wallet: "w", recipient: "4444 5555 6666 1111" }, { recipient: "recipientWrong" }]
  ]
  for (const [typed, flaws] of flawed) {
    it(`is refused: ${JSON.stringify(typed).slice(0, 80)}`, () => {
      const checked = check(typed)
      assert.deepStrictEqual(checked._tag === "Flawed" ? checked.flaws : undefined, flaws)
    })
  }

  it("is refused with a payout method that is not offered", () => {
    const checked = check({ ...name, way: "wallet", wallet: "wallet-17" }, ["card", "account"])
    assert.deepStrictEqual(checked._tag === "Flawed" ? checked.flaws : undefined, { way: "wayMissing" })
  })

  it("is shown again without its card number", () => {
    const kept = (typed: Typed) => {
      const checked = check(typed)
      return checked._tag === "Flawed" ? checked.kept : undefined
    }
    assert.deepStrictEqual(kept({ ...name, way: "card", number: "1" }), { way: "card", recipient: "Jane Doe" })
    assert.deepStrictEqual(kept({ way: "card", number: "1", recipient: "4444555566661111" }), {
      way: "card",
      recipient: ""
    })
  })
})
