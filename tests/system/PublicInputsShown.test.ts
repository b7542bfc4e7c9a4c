/** A report about shown amounts (docs/decisions/public-reports-inputs.md): everywhere the same sum, with the decimals of ISO 4217. */
import { assert, layer } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as Currency from "@pay/schema/Currency"
import { Effect, Layer } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Inbox from "../harness/Inbox.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const gateway = TestGateway.layer({
  merchants: Merchants.both({ [TestGateway.endpoints.usd]: { currencies: ["USD", ...Currency.codes] } }),
  settings: { sessionRate: { perSecond: 0, burst: 0 } }
}).pipe(Layer.provideMerge(Inbox.layer))

const sums = [
  ["2000", "ISK"],
  ["1000", "JPY"],
  ["5", "UGX"],
  ["100.50", "HUF"],
  ["100.50", "TWD"],
  ["100.50", "COP"],
  ["100.50", "LAK"],
  ["0.05", "RSD"],
  ["12.345", "IQD"],
  ["1.2345", "CLF"]
] as const

const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, "")

/** The digits of each amount on a page: beside a currency's code or sign. */
const shown = (body: string) =>
  [
    /<p class="amount"><span[^>]*>[^<]*<\/span><bdi>([^<]*)<\/bdi>/,
    /<button[^>]*value="pay"[^>]*>(.*?)<\/button>/s
  ].map((part) => digitsOf((part.exec(body)?.[1] ?? "").replace(/<[^>]*>/g, "")))

layer(gateway, { excludeTestServices: true })("a sum is the same everywhere", (it) => {
  it.effect.each(sums)("%s %s", ([amount, currency]) =>
    Effect.gen(function* () {
      const inbox = yield* Inbox.Inbox
      const fields = { amount, currency, server_callback_url: inbox.url }
      const { names, url } = yield* HostedPage.open(TestMerchant.freshId(), fields)
      const digits = digitsOf(amount)
      for (const language of ["en", "de", "ar"]) {
        const { body } = yield* HostedPage.browse(`${url}?lang=${language}`)
        assert.deepStrictEqual([language, ...shown(body)], [language, digits, digits])
      }
      yield* HostedPage.pay(url)
      yield* TestMerchant.settled
      const after = yield* HostedPage.browse(url)
      assert.include(after.body, "Payment successful")
      assert.strictEqual(shown(after.body)[0], digits)
      const status = yield* TestMerchant.status(names)
      assert.deepInclude(status, { amount, currency, "captured-amount": amount })
      assert.deepInclude(inbox.about(names.orderid)[0], { amount, currency })
      const { books } = yield* SandboxControl
      const [booking] = yield* books.ofOrder(names.orderid)
      assert.strictEqual(booking?.request.amountMinor, Number(digits))
    })
  )
})
