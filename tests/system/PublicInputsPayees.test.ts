/** Reports about the accounts and numbers of payees (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

/** Check digits that no IBAN has, letters for digits, one digit too few, and signs. */
const impossible = [
  "GB00HLFX11016111455365",
  "GB01BARC20714583608387",
  "GB2LABBY09012857201707",
  "AT32010000000173363",
  "FI@+425*000*151=0#000$0",
  "gb00 hlfx 1101 6111 4553 65",
  "IBAN GB01-BARC-2071-4583-6083-87",
  "GB99HLFX11016111455365"
]

/** The example of each country in the IBAN registry. */
const examples = `
  AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201
  AZ21NABZ00000000137010001944 BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456
  BI4210000100010000332045181 BR9700360305000010009795493P1 BY13NBRB3600900000002Z00AB00 CH9300762011623852957
  CR72012300000171549015 CY17002001280000001200527600 CZ6508000000192000145399 DE89370400440532013000
  DJ2100010000000154000100186 DK5000400440116243 DO28BAGR00000001212453611324 EE382200221020145685
  EG800002000156789012345180002 ES9121000418450200051332 FI2112345600000785 FK88SC123456789012 FO6264600001631634
  FR1420041010050500013M02606 GB29NWBK60161331926819 GE29NB0000000101904917 GI75NWBK000000007099453 GL8964710001000206
  GR1601101250000000012300695 GT82TRAJ01020000001210029690 HN88CABF00000000000250005469 HR1210010051863000160
  HU42117730161111101800000000 IE29AIBK93115212345678 IL620108000000099999999 IQ98NBIQ850123456789012
  IS140159260076545510730339 IT60X0542811101000000123456 JO15AAAA1234567890123456789012 KW81CBKU0000000000001234560101
  KZ86125KZT5004100100 LB62099900000001001901229114 LC07HEMM000100010012001200013015 LI21088100002324013AA
  LT121000011101001000 LU280019400644750000 LV80BANK0000435195001 LY83002048000020100120361 MC5811222000010123456789030
  MD24AG000225100013104168 ME25505000012345678951 MK07250120000058984 MN121234123456789123 MR1300020001010000123456753
  MT84MALT011000012345MTLCAST001S MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124 NL91ABNA0417164300
  NO9386011117947 OM810180000001299123456 PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702
  PT50000201231234567890154 QA30AAAA123456789012345678901 RO49AAAA1B31007593840000 RS35260005601001611379
  RU0304452522540817810538091310419 SA0380000000608010167519 SC18SSCB11010000000000001497USD SD8811123456789012
  SE4550000000058398257466 SI56263300012039086 SK3112000000198742637541 SM86U0322509800000000270100 SO211000001001000100141
  ST68000100010051845310112 SV62CENR00000000000000700025 TL380080012345678910157 TN5910006035183598478831
  TR330006100519786457841326 UA511234567890123456789012345 VA59001123000012345678 VG96VPVG0000012345678901
  XK051212012345678906 YE15CBYE0001018861234567891234`
  .trim()
  .split(/\s+/)

const creations = ["PAYOUT", "PAYOUT_V4", "PAYOUT_V4_CHECK"] as const

const receive = Effect.fnUntraced(function* (fields: TestMerchant.Fields) {
  const { order, url } = yield* PayoutPage.open({ amount: "1.00" })
  const form = { attempts: "0", action: "pay", recipient: "Jane Doe", ...fields }
  const { status } = yield* HostedPage.browse(url, { form })
  yield* TestMerchant.settled
  return { status, order }
})

layer(TestGateway.layer(), { excludeTestServices: true })("the account of a payout", (it) => {
  it.effect.each(impossible)("is refused by name before money is held, by API, page and client: %s", (account_number) =>
    Effect.gen(function* () {
      const before = yield* TestPayouts.balances()
      for (const name of creations) {
        const fields = { amount: "1.00", currency: "USD", account_number }
        TestMerchant.assertRefused(yield* TestPayouts.send(name, fields), "parameterInvalid", "account_number")
        assert.isDefined(PayApi.operations[name].infos.get("account_number")?.flaw(account_number))
      }
      assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      const { order, status } = yield* receive({ way: "account", account: account_number })
      assert.strictEqual(status, 422)
      assert.deepInclude(yield* TestMerchant.status(order), { status: "processing" })
    })
  )

  it.effect("may be the example of each country in the IBAN registry", () =>
    Effect.gen(function* () {
      assert.isAtLeast(examples.length, 85)
      for (const example of examples) {
        assert.isUndefined(PayApi.operations.PAYOUT.infos.get("account_number")?.flaw(example), example)
        const fields = { amount: "1.00", currency: "USD", account_number: example }
        TestMerchant.assertAccepted(yield* TestPayouts.send("PAYOUT_V4", fields))
      }
    })
  )
})

/** The digits 0 to 9 of other scripts, and a function that writes a text in them. */
const scripts = {
  "full-width": "０１２３４５６７８９",
  "Arabic-Indic": "٠١٢٣٤٥٦٧٨٩",
  Persian: "۰۱۲۳۴۵۶۷۸۹",
  Devanagari: "०१२३४५६७८९"
}
const inScript = (digits: string, text: string) => text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit)

layer(TestGateway.layer(), { excludeTestServices: true })("a payout with digits of another script", (it) => {
  for (const [script, digits] of Object.entries(scripts)) {
    it.effect(`is made to the account and the telephone on the recipient's page: ${script}`, () =>
      Effect.gen(function* () {
        for (const fields of [
          { way: "account", account: inScript(digits, "DE89 3704 0044 0532 0130 00") },
          { way: "account", account: inScript(digits, "123412341234") },
          { way: "phone", phone: inScript(digits, "+49 171 1234567") },
          { way: "card", number: inScript(digits, "4444 5555 6666 1111") }
        ]) {
          const { order, status } = yield* receive(fields)
          assert.strictEqual(status, 200, JSON.stringify(fields))
          assert.deepInclude(yield* TestMerchant.status(order), { status: "approved" }, JSON.stringify(fields))
        }
      })
    )

    it.effect(`is refused for its amount, and a sale takes its card or names the field: ${script}`, () =>
      Effect.gen(function* () {
        for (const name of creations) {
          const fields = { ...TestPayouts.plain, amount: inScript(digits, "10.42") }
          TestMerchant.assertRefused(yield* TestPayouts.send(name, fields), "parameterInvalid", "amount")
        }
        const amount = inScript(digits, "10.42")
        TestMerchant.assertRefused(yield* TestMerchant.create("SALE", { amount }), "parameterInvalid", "amount")
        const card = { credit_card_number: inScript(digits, "4444555566661111"), cvv2: inScript(digits, "123") }
        const order = yield* TestMerchant.order("SALE", card)
        assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", "last-four-digits": "1111" })
      })
    )
  }
})
