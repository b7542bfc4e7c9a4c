import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as Currency from "@pay/schema/Currency"
import * as Money from "@pay/schema/Money"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { endpoints } = TestGateway
const gateway = TestGateway.layer({
  merchants: Merchants.both({ [endpoints.usd]: { currencies: ["USD", ...Currency.codes] } }),
  settings: { sessionRate: { perSecond: 0, burst: 0 } }
})

/** Currencies with each number of decimals; browsers know fewer decimals of all but the last four. */
const currencies = ["HUF", "COP", "IDR", "PKR", "IQD", "LBP", "AFN", "IRR", "SYP", "UYW", "CLF", "KWD", "JPY", "USD"]

const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, "")

/** The digits of the amount above the form, and of the amount on its button. */
const shown = (body: string) =>
  [
    /<p class="amount"><span[^>]*>[^<]*<\/span><bdi>([^<]*)<\/bdi>/,
    /<button[^>]*value="pay"[^>]*>(.*?)<\/button>/s
  ].map((part) => digitsOf((part.exec(body)?.[1] ?? "").replace(/<[^>]*>/g, "")))

layer(gateway, { excludeTestServices: true })("a hosted page shows what is charged, to the minor unit", (it) => {
  for (const currency of currencies)
    it.effect(`${currency}, in every language, above the form and on the button`, () =>
      Effect.gen(function* () {
        const decimals = Currency.digits(currency) ?? 0
        const amount = Money.fromMinor(12_346 * 10 ** Math.max(decimals - 1, 0), currency)
        const { names, url } = yield* HostedPage.open(`shown-${currency}`, { amount, currency })
        for (const language of ["en", "de", "ar"]) {
          const { body } = yield* HostedPage.browse(`${url}?lang=${language}`)
          assert.deepStrictEqual([language, ...shown(body)], [language, digitsOf(amount), digitsOf(amount)])
        }
        yield* HostedPage.pay(url)
        yield* TestMerchant.settled
        const { books } = yield* SandboxControl
        const [booking] = yield* books.ofOrder(names.orderid)
        assert.strictEqual(String(booking?.request.amountMinor), digitsOf(amount))
        assert.include(yield* TestMerchant.orderStatus(names), `approved sale ${amount} ${amount}`)
      })
    )

  it.effect("a payout, which the recipient accepts", () =>
    Effect.gen(function* () {
      const { url } = yield* PayoutPage.open({ amount: "1234.60", currency: "HUF" })
      const { body } = yield* HostedPage.browse(url)
      assert.deepStrictEqual(shown(body), ["123460", "123460"])
    })
  )
})
