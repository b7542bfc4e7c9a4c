import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as NormalFields from "../../src/http/NormalFields.ts"

const { PAYOUT, SALE } = PayApi.operations
const { credit_card_number: _, ...payout } = Sample.request(PAYOUT)

/** How people write it, the country of the request, and the number that is called. None: the number is not read. */
const rows: ReadonlyArray<readonly [text: string, country: string, number: string]> = [
  ["+447700900123", "", "+447700900123"],
  ["+44 (0)7700 900123", "", "+447700900123"],
  ["+44 07700 900123", "", "+447700900123"],
  ["+44-7700-900123", "", "+447700900123"],
  ["+44.7700.900123", "", "+447700900123"],
  ["+44\u00a07700\u202f900123", "", "+447700900123"],
  ["\u202a+44 7700 900123\u202c", "", "+447700900123"],
  ["＋４４ ７７００ ９００１２３", "", "+447700900123"],
  ["+٤٤٧٧٠٠٩٠٠١٢٣", "", "+447700900123"],
  ["tel:+44-7700-900123", "", "+447700900123"],
  ["Tel. +44 7700 900123", "", "+447700900123"],
  ["(+44) 7700 900123", "", "+447700900123"],
  ["+(44) 7700 900123", "", "+447700900123"],
  ["(0044) 7700 900123", "", "+447700900123"],
  ["00447700900123", "", "+447700900123"],
  ["0044 (0)7700 900123", "", "+447700900123"],
  ["00 44 7700 900123", "", "+447700900123"],
  ["00-44-7700-900123", "", "+447700900123"],
  ["0044 7700 900123", "US", "+447700900123"],
  ["00 44 7700 900123", "AU", "+447700900123"],
  ["0044 7700 900123", "JP", "+447700900123"],
  ["001 202 555 0199", "ID", "+12025550199"],
  ["0011 44 7700 900123", "AU", "+447700900123"],
  ["002 44 7700 900123", "KR", "+447700900123"],
  ["0033 6 12 34 56 78", "SG", ""],
  ["+44 (0)7700 900123", "FR", "+447700900123"],
  ["07700 900123", "GB", "+447700900123"],
  ["00447700900123", "GB", "+447700900123"],
  ["011 44 7700 900123", "US", "+447700900123"],
  ["0475/12.34.56", "BE", "+32475123456"],
  ["+32 (0) 475/12.34.56", "", "+32475123456"],
  ["(202) 555-0199", "US", "+12025550199"],
  ["1 202 555 0199", "CA", "+12025550199"],
  ["8 (999) 123-45-67", "RU", "+79991234567"],
  ["+39 06 6982 1234", "", "+390669821234"],
  ["06 6982 1234", "IT", "+390669821234"],
  ["+36 (06) 20 123 4567", "", "+36201234567"],
  ["07700 900123", "", ""],
  ["12125550123", "", ""],
  ["447700900123", "", ""],
  ["123456", "", ""],
  ["123456", "GB", ""],
  ["07700 900123", "AQ", ""],
  ["+4477009001234", "", ""],
  ["+44 7700", "", ""],
  ["+12125550123456789", "", ""],
  ["+999 123 456 789", "", ""],
  ["00 44 +7700 900123", "", ""],
  ["++447700900123", "", ""],
  ["+44 7700,900123", "", ""],
  ["+44 7700 900123 or +44 7700 900124", "", ""],
  ["call 07700 900123", "GB", ""],
  ["+", "", ""],
  ["none", "GB", ""]
]

const { state: _state, ...withoutState } = Sample.request(SALE)
const withCountry = (country: string) => (country === "" ? {} : { country })

describe("a phone number to which money goes", () => {
  for (const [phone, country, number] of rows) {
    it(`is ${number === "" ? "refused" : number} for ${JSON.stringify(phone)} ${country}`, () => {
      const { fields, problems } = NormalFields.of(PAYOUT, { ...payout, phone, ...withCountry(country) })
      assert.deepStrictEqual(
        problems.map(({ code, field }) => `${code} ${field}`),
        number === "" ? ["2 phone"] : []
      )
      if (number !== "") assert.strictEqual(fields.phone, number)
    })
  }

  it("is refused with an extension, which no payment reaches", () =>
    assert.deepStrictEqual(
      NormalFields.of(PAYOUT, { ...payout, phone: "+44 7700 900123 ext. 12" }).problems.map(({ message }) => message),
      ["Parameter phone is not a phone number of its country, without extension"]
    ))
})

describe("the phone number of a customer, or beside another destination", () => {
  const contacts = [
    ...rows,
    ["+44 20 7946 0000 ext. 12", "", "+442079460000"],
    ["020 7946 0000 x12", "GB", "+442079460000"]
  ] as const
  for (const [phone, country, number] of contacts) {
    it(`is never refused, and is ${number === "" ? "as it was written" : number} for ${JSON.stringify(phone)} ${country}`, () => {
      const sale = NormalFields.of(SALE, { ...withoutState, phone, cell_phone: phone, ...withCountry(country || "DE") })
      const beside = NormalFields.of(PAYOUT, { ...Sample.request(PAYOUT), phone, ...withCountry(country) })
      assert.deepStrictEqual([...sale.problems, ...beside.problems], [])
      if (number === "") return
      assert.deepStrictEqual([sale.fields.phone, sale.fields.cell_phone, beside.fields.phone], [number, number, number])
    })
  }
})
