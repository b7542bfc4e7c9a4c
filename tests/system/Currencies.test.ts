import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect, Layer } from "effect"
import * as Inbox from "../harness/Inbox.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { endpoints } = TestGateway
type EndpointName = keyof typeof endpoints

/** endpoint, currency, amount sent → amount shown and minor units at the bank, or why not. */
const amounts: ReadonlyArray<
  readonly [endpoint: EndpointName, currency: string, sent: string, shown: string, minor: number]
> = [
  ["usd", "USD", "10.420000", "10.42", 1042],
  ["usd", "USD", "010.5000", "10.50", 1050],
  ["jpy", "JPY", "1000.0000", "1000", 1000],
  ["kwd", "KWD", "1.2300", "1.230", 1230],
  ["x100", "KWD", "1.2300", "1.230", 1230],
  ["x100", "KWD", "1.230", "1.230", 1230],
  ["group", "EUR", "10.42", "10.42", 1042]
]

const refusals: ReadonlyArray<
  readonly [endpoint: EndpointName, currency: string, sent: string, error: ErrorCode.Name]
> = [
  ["usd", "USD", "10.5001", "amountNotExact"],
  ["usd", "USD", ".5", "parameterInvalid"],
  ["usd", "USD", "5.", "parameterInvalid"],
  ["usd", "USD", "1,050.00", "parameterInvalid"],
  ["jpy", "JPY", "1000.5000", "amountNotExact"],
  ["kwd", "KWD", "1.2345", "amountNotExact"],
  ["x100", "KWD", "1.234", "amountNotExact"],
  ["group", "GBP", "1", "currencyNotEnabled"]
]

const chosen: Readonly<Record<string, string>> = {
  USD: endpoints.usd,
  EUR: endpoints.eur,
  JPY: endpoints.jpy,
  KWD: endpoints.kwd
}

layer(TestGateway.layer(), { excludeTestServices: true })("amounts and currencies", (it) => {
  for (const [name, currency, amount, displayed, minor] of amounts) {
    it.effect(`${name}: ${amount} ${currency} is shown as ${displayed} and booked as ${minor} minor units`, () =>
      Effect.gen(function* () {
        const endpointId = endpoints[name]
        const order = yield* TestMerchant.order("SALE", { amount, currency }, { endpointId })
        const expected = name === "group" ? chosen[currency] : endpointId
        assert.deepInclude(yield* TestMerchant.status(order, { endpointId }), {
          status: "approved",
          amount: displayed,
          currency,
          "captured-amount": displayed,
          "end-point-id": expected
        })
        const { books } = yield* SandboxControl
        const [booking] = yield* books.ofOrder(order.orderid)
        assert.deepInclude(booking?.request, { amountMinor: minor, currency })
        const back = yield* TestMerchant.done("RETURN", order, { amount, currency }, { endpointId })
        assert.strictEqual(TestMerchant.text(back, "end-point-id"), expected)
        assert.strictEqual((yield* TestMerchant.status(order))["returned-amount"], displayed)
        yield* TestMerchant.assertClean
      })
    )
  }

  for (const [name, currency, amount, error] of refusals) {
    it.effect(`${name}: ${amount} ${currency} is refused with ${error}`, () =>
      Effect.gen(function* () {
        const client_orderid = TestMerchant.freshId()
        const payment = { client_orderid, amount, currency }
        const reply = yield* TestMerchant.create("SALE", payment, { endpointId: endpoints[name] })
        TestMerchant.assertRefused(reply, error, error === "currencyNotEnabled" ? "currency" : "amount")
        yield* TestMerchant.assertFree(client_orderid)
      })
    )
  }

  it.effect("an endpoint with amounts in hundredths refuses a capture in thousandths and captures the whole", () =>
    Effect.gen(function* () {
      const options = { endpointId: endpoints.x100 }
      const order = yield* TestMerchant.order("PREAUTH", { amount: "2.50", currency: "KWD" }, options)
      const finer = yield* TestMerchant.act("CAPTURE", order, { amount: "1.234", currency: "KWD" }, options)
      TestMerchant.assertRefused(finer, "amountNotExact", "amount")
      const whole: TestMerchant.Options = { ...options, change: ({ amount: _, currency: __, ...fields }) => fields }
      TestMerchant.assertAccepted(yield* TestMerchant.act("CAPTURE", order, { amount: "2.50", currency: "KWD" }, whole))
      yield* TestMerchant.settled
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 2.500 2.500 0.000 0.000")
      yield* TestMerchant.assertClean
    })
  )

  for (const [signed, verifies] of [
    ["minor", endpoints.jpy],
    ["x100", endpoints.x100]
  ] as const) {
    it.effect(`a control over the ${signed} form of an amount is accepted only on an endpoint with that setting`, () =>
      Effect.gen(function* () {
        const wrong = verifies === endpoints.jpy ? endpoints.x100 : endpoints.jpy
        const yen = { amount: "1000", currency: "JPY" }
        TestMerchant.assertAccepted(yield* TestMerchant.create("SALE", yen, { endpointId: verifies }))
        const control = (yen: TestMerchant.Fields) => TestGateway.controlledAs(signed, yen, wrong)
        const reply = yield* TestMerchant.create("SALE", yen, { endpointId: wrong, change: control })
        TestMerchant.assertRefused(reply, "authenticationFailed")
      })
    )
  }

  it.effect("a follow-up of a group's order is accepted at each path of its merchant", () =>
    Effect.gen(function* () {
      const order = yield* TestMerchant.order("PREAUTH", { currency: "EUR" }, { endpointId: endpoints.group })
      for (const [amount, endpointId] of [
        ["1.00", endpoints.group],
        ["2.00", endpoints.eur],
        ["3.00", endpoints.usd]
      ] as const) {
        const reply = yield* TestMerchant.done("CAPTURE", order, { amount, currency: "EUR" }, { endpointId })
        assert.strictEqual(TestMerchant.text(reply, "end-point-id"), endpoints.eur)
      }
      assert.strictEqual(yield* TestMerchant.orderStatus(order), "approved capture 10.42 6.00 0.00 4.42")
      yield* TestMerchant.assertClean
    })
  )
})

layer(TestGateway.layer().pipe(Layer.provideMerge(Inbox.layer)), { excludeTestServices: true })(
  "an endpoint with a limit of 100.00",
  (it) => {
    const options = { endpointId: endpoints.limited }

    for (const currency of ["USD", "EUR"]) {
      it.effect(
        `approves 100.00 ${currency} and filters 100.01, in status and callback, without a call to the bank`,
        () =>
          Effect.gen(function* () {
            const inbox = yield* Inbox.Inbox
            const fields = { currency, server_callback_url: inbox.url }
            const within = yield* TestMerchant.order("PREAUTH", { ...fields, amount: "100.00" }, options)
            assert.strictEqual((yield* TestMerchant.status(within)).status, "approved")
            const reply = yield* TestMerchant.create("PREAUTH", { ...fields, amount: "100.01" }, options)
            TestMerchant.assertAccepted(reply)
            yield* TestMerchant.settled
            const above = TestMerchant.nameOf(reply)
            const why = { status: "filtered", "error-code": "92", "order-stage": "preauth_filtered" }
            assert.deepInclude(yield* TestMerchant.status(above), why)
            assert.deepInclude(yield* TestMerchant.outcomeOf(reply), why)
            assert.deepStrictEqual(
              inbox.about(above.orderid).map((callback) => [callback.status, callback.error_code, callback.amount]),
              [["filtered", "92", "100.01"]]
            )
            const { books } = yield* SandboxControl
            assert.deepStrictEqual(yield* books.ofOrder(above.orderid), [])
            for (const name of ["CAPTURE", "VOID", "RETURN"] as const) {
              TestMerchant.assertRefused(yield* TestMerchant.act(name, above, {}, options), "orderState")
            }
            yield* TestMerchant.assertClean
          })
      )
    }
  }
)
