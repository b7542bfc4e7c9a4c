import { assert, layer } from "@effect/vitest"
import { Payout } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as TestRecipients from "@pay/sandbox/TestRecipients"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"

/** The simulated rail knows these numbers in their normal form only, and refuses to pay to them. */
const { account = "", phone = "" } = TestRecipients.byName("pay-refused")?.numbers ?? {}
const groups = account.match(/.{1,4}/g) ?? []
const national = `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`

const spellings: ReadonlyArray<TestMerchant.Fields> = [
  { account_number: account },
  { account_number: account.toLowerCase() },
  { account_number: groups.join(" ") },
  { account_number: `IBAN ${groups.join("-")}` },
  { account_number: groups.join("\u00a0").normalize("NFKD") },
  { phone },
  { phone: `+1 ${national}` },
  { phone: phone.replace("+", "00") },
  { phone: national, country: "US" }
]

const refusals: ReadonlyArray<readonly [fields: TestMerchant.Fields, field: string, says: RegExp]> = [
  [{ account_number: "de89370400440532013001" }, "account_number", /is not a valid IBAN: its check digits do not fit$/],
  [{ account_number: "GB82west12345698765431" }, "account_number", /is not a valid IBAN/],
  [{ account_number: "DE89-3704-0044-0532-0130-01" }, "account_number", /is not a valid IBAN/],
  [{ account_number: "D389370400440532013000" }, "account_number", /is not a valid IBAN/],
  [{ phone: "07700 900123" }, "phone", /must begin with \+ and the code of its country/],
  [{ phone: "123456" }, "phone", /must begin with \+ and the code of its country/],
  [{ phone: "123456", country: "GB" }, "phone", /is not a phone number of its country/],
  [{ phone: "+4477009001234" }, "phone", /is not a phone number of its country/]
]

const named = (fields: TestMerchant.Fields) => JSON.stringify(fields).replaceAll('"', "")

layer(TestGateway.layer(), { excludeTestServices: true })("the recipient of a payout", (it) => {
  const recipientOf = Effect.fnUntraced(function* ({ orderid }: TestMerchant.Order) {
    return (yield* (yield* Store).load(Payout, [orderid]))?.recipient
  })

  for (const name of ["PAYOUT", "PAYOUT_V4", "PAYOUT_V4_CHECK"] as const) {
    it.effect(`reaches the rail, the approver and the merchant in one form, however ${name} writes it`, () =>
      Effect.gen(function* () {
        const identities: Record<string, Set<unknown>> = { account_number: new Set(), phone: new Set() }
        for (const fields of spellings) {
          const order = yield* TestPayouts.made(name, { amount: "1.00", currency: "USD", ...fields })
          if (name === "PAYOUT_V4_CHECK") yield* Effect.andThen(TestPayouts.pay(order), TestMerchant.settled)
          const { destination, "error-code": code, status } = yield* TestMerchant.status(order)
          assert.deepStrictEqual([status, code], ["declined", "104"], named(fields))
          identities[fields.phone === undefined ? "account_number" : "phone"]
            ?.add(yield* recipientOf(order))
            .add(destination)
        }
        for (const texts of Object.values(identities))
          assert.strictEqual(texts.size, 2, "one fingerprint, one masked number")
        yield* TestPayouts.assertClean
      })
    )

    it.effect(`is refused by ${name} with its field if a number is wrong or says no country`, () =>
      Effect.gen(function* () {
        const before = yield* TestPayouts.balances()
        for (const [fields, field, says] of refusals) {
          const reply = yield* TestPayouts.send(name, { amount: "1.00", currency: "USD", ...fields })
          TestMerchant.assertRefused(reply, "parameterInvalid", field)
          assert.match(TestMerchant.text(reply, "error-message"), says, named(fields))
        }
        assert.deepStrictEqual(yield* TestPayouts.balances(), before)
      })
    )
  }

  it.effect("makes a replay of a payout that repeats it in another form, and no replay with another number", () =>
    Effect.gen(function* () {
      for (const [first, ...others] of [spellings.slice(0, 5), spellings.slice(5)]) {
        const id = TestMerchant.freshId()
        const send = (fields: TestMerchant.Fields = {}) =>
          TestPayouts.send("PAYOUT_V4", { client_orderid: id, amount: "1.00", currency: "USD", ...fields })
        const order = TestMerchant.nameOf(yield* send(first))
        // A country beside the number is content of its own.
        for (const fields of others.filter(({ country }) => country === undefined))
          TestMerchant.assertReplay(yield* send(fields), order, named(fields))
        TestMerchant.assertRefused(yield* send(TestPayouts.plain), "contentDiffers")
      }
    })
  )

  it.effect("lists all problems of a request at once", () =>
    Effect.gen(function* () {
      const reply = yield* TestPayouts.send("PAYOUT", { amount: "0", currency: "USD", phone: "+4477009001234" })
      const { errors } = reply.body
      assert.deepStrictEqual(
        (Array.isArray(errors) ? errors : []).map(({ field }: { readonly field: string }) => field),
        ["amount", "phone"]
      )
    })
  )

  it.effect("is entered on the hosted page under the same rules", () =>
    Effect.gen(function* () {
      for (const [{ account_number, phone: number = "" }, , ,] of refusals.filter(
        ([{ country }]) => country === undefined
      )) {
        const { order, url } = yield* PayoutPage.open()
        const way =
          account_number === undefined ? { way: "phone", phone: number } : { way: "account", account: account_number }
        const form = { attempts: "0", action: "pay", recipient: "Jane Doe", ...way }
        const page = yield* HostedPage.browse(url, { form })
        assert.strictEqual(page.status, 422, named(way))
        assert.deepInclude(yield* TestMerchant.status(order), { status: "processing" })
      }
      for (const { account_number, country, phone: number = "" } of spellings) {
        if (country !== undefined) continue
        const { order, url } = yield* PayoutPage.open()
        const way =
          account_number === undefined ? { way: "phone", phone: number } : { way: "account", account: account_number }
        yield* PayoutPage.receive(url, { recipient: "Jane Doe", ...way })
        assert.deepInclude(yield* TestMerchant.status(order), { status: "declined", "error-code": "104" }, named(way))
      }
      yield* TestPayouts.assertClean
    })
  )
})

layer(TestGateway.layer(), { excludeTestServices: true })("a sale", (it) => {
  it.effect(
    "takes a phone and a tax number as people write them, shows the normal form, and goes on without a phone",
    () =>
      Effect.gen(function* () {
        const rows = [
          ["0475/12.34.56", "BE", "+32475123456"],
          ["+44 (0)7700 900123", "BE", "+447700900123"],
          ["+32 2 123 45 67 ext. 8", "BE", "+3221234567"],
          ["12345", "BE", "12345"],
          ["ask at the door", "BE", "ask at the door"],
          ["", "BE", undefined]
        ] as const
        for (const [phone, country, shown] of rows) {
          const order = yield* TestMerchant.order("SALE", { phone, country, state: "", ssn: "123.456.789-09" })
          assert.deepStrictEqual((yield* TestMerchant.status(order)).phone, shown, phone)
        }
      })
  )

  it.effect("is a replay if it repeats phone, tax number and IP address in another form", () =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const sent = {
        ...{ client_orderid, country: "GB", state: "", phone: "+447700900123", ssn: "12345678909" },
        ipaddress: "2001:db8::1"
      }
      const order = TestMerchant.nameOf(yield* TestMerchant.create("SALE", sent))
      const again = { ...sent, phone: "07700 900123", cell_phone: "", ssn: "123.456.789-09" }
      TestMerchant.assertReplay(yield* TestMerchant.create("SALE", again), order)
      for (const ipaddress of ["2001:DB8:0:0::1", "2001:0db8::0001"])
        TestMerchant.assertReplay(yield* TestMerchant.create("SALE", { ...again, ipaddress }), order, ipaddress)
      for (const change of [{ phone: "+447700900124" }, { ipaddress: "2001:db8::2" }, { ipaddress: "::ffff:1.2.3.4" }])
        TestMerchant.assertRefused(yield* TestMerchant.create("SALE", { ...sent, ...change }), "contentDiffers")
    })
  )
})
