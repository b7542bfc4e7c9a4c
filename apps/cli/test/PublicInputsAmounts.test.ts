/** Reports about amounts as people type them (docs/decisions/public-reports-inputs.md), at the command line. */
import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import { flags, pay, secrets } from "./Pay.ts"
import { sha1 } from "./SigningMerchant.ts"
import * as TestGateway from "./TestGateway.ts"

const alice = TestGateway.as("alice")

const sale = {
  ...Sample.request(PayApi.operations.SALE),
  credit_card_number: secrets.cardNumber,
  expire_month: "12",
  expire_year: "2030",
  cvv2: "123"
}

const merchant = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const env = yield* TestGateway.merchant
  const result = yield* Effect.promise(() => pay([...args, "--json"], { env }))
  yield* (yield* Scheduler).settled
  return result
})

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("an amount at the command line", (it) => {
  it.effect("is refused by name if it is no plain decimal number, and nothing is booked", () =>
    Effect.gen(function* () {
      const sold = yield* merchant("call", "sale", ...flags({ ...sale, client_orderid: "T1", amount: "3000.00" }))
      const orderid = String(JSON.parse(sold.out).answer["paynet-order-id"])
      const { PAY_ENDPOINT_ID } = yield* TestGateway.merchant
      const posting = { reference: "T1", merchant: "sandbox-merchant", endpoint: PAY_ENDPOINT_ID }
      const before = JSON.parse((yield* merchant("status", "T1")).out).answer
      for (const amount of ["6,95", "6,95 €", "2.614", "2.614,50", "2,614.50", "2 614.50", "1'000.00"]) {
        const refund = yield* merchant(
          ...["call", "return"],
          ...flags({ client_orderid: "T1", orderid, amount, currency: "USD" })
        )
        assert.notStrictEqual(refund.code, 0, amount)
        assert.include(refund.out + refund.err, "Parameter amount ", amount)
        const posted = yield* alice(["balance", "add", ...flags(posting), "--amount", amount, "--json"])
        assert.notStrictEqual(posted.code, 0, amount)
        assert.include(posted.out + posted.err, "amount", amount)
      }
      const after = JSON.parse((yield* merchant("status", "T1")).out).answer
      for (const name of ["status", "returned-amount", "captured-amount"])
        assert.strictEqual(after[name], before[name], name)
      const refund = flags({ client_orderid: "T1", orderid, amount: "6.950", currency: "USD" })
      assert.strictEqual((yield* merchant("call", "return", ...refund)).code, 0)
      assert.include((yield* merchant("status", "T1")).out, `"returned-amount":"6.95"`)
    })
  )

  it.effect("is explained if it was signed over cents that a float cut off", () =>
    Effect.gen(function* () {
      const env = { ...(yield* TestGateway.merchant), PAY_CONTROL_KEY: secrets.controlKey }
      for (const [amount, cut, mistake] of [
        ["8.20", "819", "amount-float"],
        ["8.20", "819.9999999999999", "amount-float"],
        ["1001.10", "100109", "amount-float"],
        ["8.20", "800", "amount-whole"]
      ] as const) {
        const fields = { client_orderid: "T2", amount, currency: "USD", email: "a@b.example" }
        const control = sha1(`${env.PAY_ENDPOINT_ID}T2${cut}a@b.example${secrets.controlKey}`)
        const { code, out } = yield* Effect.promise(() =>
          pay(["explain", "sale", ...flags(fields), "--received", control], { env })
        )
        assert.strictEqual(code, 1, out)
        assert.include(out, `mistake  ${mistake}`)
      }
    })
  )
})
