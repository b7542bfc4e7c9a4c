/** Reports about telephones and addresses of customers (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Schema } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Older from "../older/OlderClient.ts"

type Fields = TestMerchant.Fields
const named = (fields: Fields) => JSON.stringify(fields).replaceAll('"', "")

const places: Readonly<Record<string, Fields>> = {
  DE: { country: "DE", state: "", zip_code: "10115" },
  FR: { country: "FR", state: "", zip_code: "75001" },
  IT: { country: "IT", state: "", zip_code: "00100" },
  US: { country: "US", state: "NY", zip_code: "10001" }
}

/** A country, spellings of one number, and how it is stored: in E.164, or as it was written. */
const phones: ReadonlyArray<readonly [country: string, spellings: ReadonlyArray<string>, stored?: string]> = [
  [
    "DE",
    ["0171/1234567", "+49 (0)171 1234567", "0049 171 1234567", "０１７１ １２３４５６７", "٠١٧١ ١٢٣٤٥٦٧"],
    "+491711234567"
  ],
  ["DE", ["030 123 45 67", "030/1234567", "+49 30 1234567"], "+49301234567"],
  ["DE", ["+49 (0)171 2345678", "0049 171 2345678"], "+491712345678"],
  ["FR", ["06 97 11 24 04", "+33 (0)6 97 11 24 04", "06.97.11.24.04"], "+33697112404"],
  ["IT", ["06 698 12345", "+39 06 698 12345"], "+390669812345"],
  ["US", ["(212) 555-0123 x5", "+1 212-555-0123", "212.555.0123"], "+12125550123"],
  ["DE", ["n/a"]],
  ["DE", ["keine"]]
]

layer(TestGateway.layer(), { excludeTestServices: true })("the telephone of a customer", (it) => {
  const stored = Effect.fnUntraced(function* ({ orderid }: { readonly orderid: string }) {
    return (yield* (yield* Store).load(Order, [orderid]))?.phone
  })

  for (const [country, spellings, number] of phones) {
    it.effect(`in ${country} stops no payment: ${spellings.join(", ")}`, () =>
      Effect.gen(function* () {
        const client_orderid = TestMerchant.freshId()
        const place = places[country]
        const orders = new Set<string>()
        for (const phone of spellings) {
          const one = yield* TestMerchant.order("SALE", { ...place, client_orderid, phone })
          orders.add(one.orderid)
          assert.strictEqual(yield* stored(one), number ?? phone)
          const own = yield* TestMerchant.order("SALE", { ...place, phone, cell_phone: phone })
          assert.strictEqual((yield* TestMerchant.status(own)).status, "approved", phone)
          const form = yield* HostedPage.open(TestMerchant.freshId(), { ...place, phone })
          TestMerchant.assertAccepted(form.reply)
          assert.strictEqual(yield* stored(form.names), number ?? phone)
        }
        assert.strictEqual(orders.size, 1, "each spelling is the same request")
      })
    )
  }

  it.effect("may be missing", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("SALE", { ...places.DE, phone: "", cell_phone: "" })
      assert.deepInclude(yield* TestMerchant.status(order), { status: "approved" })
      TestMerchant.assertAccepted((yield* HostedPage.open(TestMerchant.freshId(), { ...places.DE, phone: "" })).reply)
    })
  )
})

/** Addresses at which every payment is accepted. `""`: the field is not sent. */
const accepted: ReadonlyArray<Fields> = [
  { country: "XK", state: "", zip_code: "" },
  { country: "xk", state: "", zip_code: "10000" },
  { country: "gb", state: "", zip_code: "SW1A1AA" },
  { country: "GB", state: "Greater Manchester", zip_code: "sw1a 1aa" },
  ...["HYOGO", "Hyōgo", "28", "JP-28", "兵庫県"].map((state) => ({ country: "JP", state, zip_code: "651-0087" })),
  { country: "ID", state: "Jawa barat", zip_code: "40111" },
  { country: "ES", state: "A Coruña", zip_code: "15001" },
  { country: "IN", state: "KA", zip_code: "560001" },
  { country: "IN", state: "Karnataka", zip_code: "560001" },
  { country: "MX", state: "CMX", zip_code: "06000" },
  { country: "BR", state: "Minas Gerais", zip_code: "01310-100" },
  { country: "AR", state: "AR-X", zip_code: "X5000" },
  { country: "AR", state: "X", zip_code: "5000" },
  { country: "US", state: "CA", zip_code: "90210-1234" },
  { country: "US", state: "US-CA", zip_code: "90210" },
  { country: "us", state: "ca", zip_code: "90210" },
  { country: "CA", state: "QC", zip_code: "K1A 0B1" },
  { country: "AU", state: "NSW", zip_code: "2000" },
  ...["HK", "AE", "IE", "PA", "AO", "QA"].flatMap((country) => [
    { country, state: "", zip_code: "" },
    { country, state: "", zip_code: "-" }
  ]),
  { country: "NL", state: "", zip_code: "1012 AB" },
  { country: "LT", state: "", zip_code: "LT-01100" },
  { country: "JP", state: "", zip_code: "〒100-0001" },
  { country: "JP", state: "", zip_code: "１００−０００１" }
]

const refused: ReadonlyArray<readonly [fields: Fields, field: string, says: RegExp]> = [
  [{ country: "UK", state: "", zip_code: "SW1A 1AA" }, "country", /: use GB$/],
  [{ country: "EL", state: "", zip_code: "10431" }, "country", /: use GR$/],
  [{ country: "GBR", state: "", zip_code: "SW1A 1AA" }, "country", /: use GB$/],
  [{ country: "Germany", state: "", zip_code: "10115" }, "country", /: use DE$/],
  [{ country: "ZZ", state: "", zip_code: "1" }, "country", /two letters like GB$/],
  [{ country: "QZ", state: "", zip_code: "1" }, "country", /two letters like GB$/],
  [{ country: "US", state: "California", zip_code: "90210" }, "state", /of a state of US/],
  [{ country: "US", state: "XX", zip_code: "90210" }, "state", /of a state of US/],
  [{ country: "US", state: "", zip_code: "90210" }, "state", /is required/],
  [{ country: "US", state: "CA", zip_code: "" }, "zip_code", /is required/]
]

layer(Older.gateway, { excludeTestServices: true })("the address of a customer", (it) => {
  const reply = {
    sale: (fields: Fields) => TestMerchant.create("SALE", fields),
    form: (fields: Fields) => Effect.map(HostedPage.open(TestMerchant.freshId(), fields), ({ reply }) => reply),
    recurring: (fields: Fields) => Recurring.create(fields)
  }
  const older = (fields: Fields) => {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""))
    const { zip_code: _, ...payment } = Older.payment(Older.freshId())
    return Older.post(`sale/${Older.endpoints.usd}`, Older.signedPayment(Older.endpoints.usd, { ...payment, ...given }))
  }

  it.effect.each(accepted)("stops no payment: %j", (fields) =>
    Effect.gen(function* () {
      for (const send of Object.values(reply)) TestMerchant.assertAccepted(yield* send(fields))
      Older.assertHas(yield* older(fields), "async-response", "paynet-order-id")
    })
  )

  it.effect.each(refused)("is refused by the name of the field: %j", ([fields, field, says]) =>
    Effect.gen(function* () {
      for (const send of Object.values(reply)) {
        const answer = yield* send(fields)
        assert.strictEqual(answer.status, 400, named(fields))
        assert.match(TestMerchant.text(answer, "error-message"), new RegExp(`Parameter ${field} `))
        assert.match(TestMerchant.text(answer, "error-message"), says)
      }
      // Modules of the older dialect send no states, or any.
      if (field !== "state") assert.strictEqual((yield* older(fields)).fields.type, "validation-error")
    })
  )

  it.effect("is a replay in another spelling of country and state", () =>
    Effect.gen(function* () {
      for (const [first, ...others] of [
        [
          { country: "US", state: "CA" },
          { country: "us", state: "US-CA" },
          { country: "US", state: "ca" }
        ],
        [
          { country: "JP", state: "28" },
          { country: "jp", state: "JP-28" }
        ]
      ] as const) {
        const client_orderid = TestMerchant.freshId()
        const order = yield* TestMerchant.order("SALE", { client_orderid, zip_code: "90210", ...first })
        for (const other of others) {
          const again = yield* TestMerchant.create("SALE", { client_orderid, zip_code: "90210", ...other })
          TestMerchant.assertReplay(again, order, named(other))
        }
        const another = yield* TestMerchant.create("SALE", { client_orderid, zip_code: "90210", country: "XK" })
        TestMerchant.assertRefused(another, "contentDiffers")
      }
    })
  )

  it.effect("of a payout may be in Kosovo, and is read by the same rule", () =>
    Effect.gen(function* () {
      yield* TestPayouts.made("PAYOUT", { ...TestPayouts.plain, country: "XK" })
      for (const country of ["UK", "EL", "GBR", "Germany", "ZZ", "QZ"]) {
        const answer = yield* TestPayouts.send("PAYOUT", { ...TestPayouts.plain, country })
        TestMerchant.assertRefused(answer, "parameterInvalid", "country")
      }
    })
  )
})

const rules = (countries: ReadonlyArray<string>) =>
  Schema.decodeUnknownSync(Directory.Config)([
    {
      login: TestGateway.login,
      controlKeys: [TestGateway.controlKey],
      endpoints: [
        { id: TestGateway.endpoints.usd, currencies: ["USD"], threeds: "off", risk: { block: { countries } } }
      ]
    }
  ])

layer(TestGateway.layer({ merchants: rules(["xk", "GB"]) }), { excludeTestServices: true })(
  "a blocked country",
  (it) => {
    it.effect.each(["XK", "xk", "GB", "gb", " Gb "])("is blocked as %s", (country) =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order("SALE", { country, state: "", zip_code: "SW1A 1AA" })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "filtered", "error-code": "94" })
      })
    )

    it("is named by its code of ISO 3166-1", () => {
      for (const country of ["UK", "EL", "GBR", "Germany", "ZZ", "QZ"]) assert.throws(() => rules([country]), /country/)
    })
  }
)
