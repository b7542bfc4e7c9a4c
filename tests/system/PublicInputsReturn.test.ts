/** Reports about addresses of shops (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import { assert, layer } from "@effect/vitest"
import * as CallbackFields from "@pay/schema/Callback"
import * as Callback from "@pay/signing/Callback"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const addresses = [
  "https://shop.example/back?order=7&next=%2Fcart",
  "https://shop.example/back?",
  "https://shop.example/#/done?x=1",
  "https://shop.example/back?q=%2B%20+%2f",
  "https://shop.example/zurück?größe=ü",
  "https://shop.example/back?a=1&#038;b=2",
  "https://shop.example/back?a=1&amp;b=2",
  "https://shop.example/back?utm_source=mail&utm_campaign=%D0%BB",
  "https://shop.example/back?status=mine&control=mine&orderid=7",
  "https://shop.example/back?x[]=1&x[]=2&y=\"<b>'",
  "https://bücher.example/back?a=1",
  "https://xn--bcher-kva.example:8443/back?a=1"
]

const ends = {
  approved: (url: string) => HostedPage.pay(url),
  declined: (url: string) =>
    Effect.andThen(
      Effect.forEach(["0", "1"], (attempts) => HostedPage.pay(url, { code: "116", attempts })),
      HostedPage.pay(url, { code: "116", attempts: "2" })
    ),
  cancelled: (url: string) => HostedPage.browse(url, { form: { action: "cancel" } }),
  expired: (url: string) => Effect.andThen(TestMerchant.pass("31 minutes"), HostedPage.browse(url))
}

layer(TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } }), { excludeTestServices: true })(
  "a return address",
  (it) => {
    for (const [end, act] of Object.entries(ends)) {
      it.effect(`is used as it was given, with signed fields apart from its own: ${end}`, () =>
        Effect.gen(function* () {
          for (const address of addresses) {
            const other = "https://shop.example/other"
            const two = { redirect_success_url: address, redirect_fail_url: address, redirect_url: other }
            const fields = address.includes("7") ? two : { redirect_url: address }
            const { names, url } = yield* HostedPage.open(TestMerchant.freshId(), fields)
            yield* act(url)
            yield* TestMerchant.settled
            const page = yield* HostedPage.browse(url)
            assert.strictEqual(page.action, address)
            assert.deepInclude(page.hidden, { ...names, status: end === "approved" ? end : "declined" })
            const parameters = Object.entries(page.hidden)
            assert.deepStrictEqual(
              parameters.map(([name]) => name).filter((name) => !CallbackFields.names.has(name)),
              []
            )
            assert.isTrue(Callback.verify(parameters, [TestGateway.controlKey]).ok)
          }
        })
      )
    }
  }
)
