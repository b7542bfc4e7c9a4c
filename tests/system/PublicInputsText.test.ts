/** Reports about text that customers type (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import { Effect, Schema } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { SALE } = PayApi.operations

/** Every field of a sale that is free text and not an identifier. */
const inEachText = (text: string): TestMerchant.Fields => ({
  order_desc: text,
  card_printed_name: text,
  first_name: text,
  last_name: text,
  address1: text,
  city: text,
  purpose: text,
  merchant_data: text
})

const orderRow = Effect.fnUntraced(function* (orderid: string) {
  const store = yield* Store
  const row = yield* store.load(Order, [orderid])
  assert(row !== undefined)
  return row
})

const words = ["O’Connor", "Müller", "Łódź"]

/** A body whose text is in another encoding: each character beyond ASCII is one byte. */
const windows1252 = (body: string, escaped: boolean): Uint8Array => {
  const bytes: Record<string, number> = { "’": 0x92, ü: 0xfc, Ł: 0xa3, ó: 0xf3, ź: 0x9f }
  const chars = [...body].map((char) => {
    const byte = bytes[char]
    if (byte === undefined) return char
    return escaped ? `%${byte.toString(16)}` : String.fromCharCode(byte)
  })
  return Buffer.from(chars.join(""), "latin1")
}

layer(TestGateway.layer(), { excludeTestServices: true })("text beyond ASCII", (it) => {
  for (const word of words) {
    it.effect(`${word} is stored and returned as it was sent, and its decomposed form is a replay`, () =>
      Effect.gen(function* () {
        const client_orderid = TestMerchant.freshId()
        const order = yield* TestMerchant.order("SALE", { client_orderid, ...inEachText(word) })
        const status = yield* TestMerchant.status(order)
        assert.deepInclude(status, { status: "approved", name: word, merchantdata: word })
        const { cardholder, description } = yield* orderRow(order.orderid)
        assert.deepStrictEqual([cardholder, description], [word, word])
        const again = yield* TestMerchant.create("SALE", { client_orderid, ...inEachText(word.normalize("NFD")) })
        TestMerchant.assertReplay(again, order)
      })
    )

    for (const [how, escaped, charset, expected] of [
      ["as escapes of windows-1252", true, "", "windows-1252"],
      ["as bytes of windows-1252", false, "", "windows-1252"],
      ["with charset=windows-1252", true, "; charset=windows-1252", "charset windows-1252"],
      ["with charset=ISO-8859-1", false, "; charset=ISO-8859-1", "charset iso-8859-1"]
    ] as const) {
      it.effect(`${word} ${how} is refused, and the message names the encoding`, () =>
        Effect.gen(function* () {
          const client_orderid = TestMerchant.freshId()
          const fields = TestGateway.controlled(SALE, { ...TestGateway.saleFields, client_orderid })
          const body = `${Form.write(Object.entries(fields))}&first_name=${word}`
          const reply = yield* TestGateway.raw({
            path: `${SALE.path}/${TestGateway.endpoints.usd}`,
            headers: { ...TestGateway.standardHeaders, "content-type": `application/x-www-form-urlencoded${charset}` },
            body: windows1252(body, escaped)
          })
          assert.include([400, 415], reply.status)
          assert.include(TestMerchant.text(reply, "error-message"), expected)
          yield* TestMerchant.assertFree(client_orderid)
        })
      )
    }
  }
})

const names = [
  "Wu",
  "O",
  "李",
  "J. R.",
  "O'Neil-Smith",
  "Nguyễn Thị Ánh",
  "محمد",
  "José 😀",
  "-",
  "a".repeat(128),
  "😀".repeat(128)
]

layer(TestGateway.layer(), { excludeTestServices: true })("a customer", (it) => {
  it.effect.each(names)("is accepted by the name %s, which is shown unchanged", (name) =>
    Effect.gen(function* () {
      const people = [{ card_printed_name: name }, { first_name: name, last_name: name }, { first_name: name }]
      for (const person of people) {
        const order = yield* TestMerchant.order("SALE", person)
        const status = yield* TestMerchant.status(order)
        assert.deepInclude(status, { status: "approved", name: person.card_printed_name ?? "JOHN SMITH" })
      }
      const page = yield* HostedPage.open(TestMerchant.freshId(), { first_name: name })
      yield* HostedPage.pay(page.url, { holder: name })
      yield* TestMerchant.settled
      assert.deepInclude(yield* TestMerchant.status(page.names), { status: "approved", name })
    })
  )

  it.effect.each([["a".repeat(129)], ["😀".repeat(129)]])(
    "is refused by a name of more than 128 characters",
    ([name]) =>
      Effect.gen(function* () {
        for (const field of ["first_name", "last_name", "card_printed_name"])
          TestMerchant.assertRefused(
            yield* TestMerchant.create("SALE", { [field]: name ?? "" }),
            "parameterTooLong",
            field
          )
      })
  )
})

/** E-mail addresses; those of one line are one customer. */
const customers: ReadonlyArray<ReadonlyArray<string>> = [
  ["a+b@shop.example"],
  ["A.B@Shop.Example", "A.B@shop.example"],
  ["o'neil@shop.example"],
  [
    "x@bücher.example",
    "x@xn--bcher-kva.example",
    "x@BÜCHER.example",
    "x@XN--BCHER-KVA.example",
    "x@bu\u0308cher.example"
  ],
  ["ü@shop.example", "u\u0308@shop.example"]
]

const perAddress = Schema.decodeUnknownSync(Directory.Config)([
  {
    login: TestGateway.login,
    controlKeys: [TestGateway.controlKey],
    endpoints: [
      {
        id: TestGateway.endpoints.usd,
        currencies: ["USD"],
        threeds: "off",
        risk: { velocity: [{ per: "email", withinSeconds: 3600, count: 1 }], block: { emails: ["@m\u00fcll.example"] } }
      }
    ]
  }
])

layer(TestGateway.layer({ merchants: perAddress }), { excludeTestServices: true })("an e-mail address", (it) => {
  for (const [first = "", ...others] of customers) {
    it.effect(`${first} is stored as it was sent, and its other spellings are replays and the same customer`, () =>
      Effect.gen(function* () {
        const client_orderid = TestMerchant.freshId()
        const order = yield* TestMerchant.order("SALE", { client_orderid, email: first })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", email: first })
        for (const email of [first, ...others]) {
          const again = yield* TestMerchant.create("SALE", { client_orderid, email })
          TestMerchant.assertReplay(again, order, email)
          const second = yield* TestMerchant.order("SALE", { email })
          assert.deepInclude(yield* TestMerchant.status(second), { status: "filtered", email }, email)
        }
        const form = yield* HostedPage.open(TestMerchant.freshId(), { email: first })
        assert.deepInclude(yield* TestMerchant.status(form.names), { status: "processing", email: first })
      })
    )
  }

  it.effect("of a blocked domain is blocked in each spelling of the domain", () =>
    Effect.gen(function* () {
      for (const email of ["y@MÜLL.example", "y@xn--mll-hoa.example"]) {
        const order = yield* TestMerchant.order("SALE", { email })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "filtered", "error-code": "94" }, email)
      }
    })
  )

  it.effect("with blanks at its ends is signed without them or with them, and is stored without them", () =>
    Effect.gen(function* () {
      for (const blank of [" ", "\n", "\r\n", "\u00a0"]) {
        const email = `z${blank.length}${blank.charCodeAt(0)}@shop.example`
        const change = (fields: TestMerchant.Fields) => ({ ...fields, email: `${email}${blank}` })
        const order = yield* TestMerchant.order("SALE", { email }, { change })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "approved", email })
        const values = { endpointId: TestGateway.endpoints.usd, client_orderid: TestMerchant.freshId(), amount: "1042" }
        const control = Control.sign(
          Control.recipes.sale,
          { ...values, email: `${email}${blank}` },
          TestGateway.controlKey
        )
        const { client_orderid } = values
        const spaced = (fields: TestMerchant.Fields) => ({ ...fields, email: `${email}${blank}`, control })
        const padded = yield* TestMerchant.order("SALE", { client_orderid }, { change: spaced })
        // The endpoint lets one payment of an address through: both are of the same address.
        assert.deepInclude(yield* TestMerchant.status(padded), { status: "filtered", "error-code": "93", email })
      }
    })
  )

  it.effect.each(["a b@shop.example", "a@b@shop.example", "@shop.example", "a@", "a", "a@\u200bshop.example"])(
    "%s is refused by name",
    (email) =>
      Effect.gen(function* () {
        TestMerchant.assertRefused(yield* TestMerchant.create("SALE", { email }), "parameterInvalid", "email")
      })
  )
})
