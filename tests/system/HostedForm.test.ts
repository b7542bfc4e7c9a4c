import { assert, layer } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import { SandboxClock } from "@pay/sandbox/SandboxClock"
import * as PayApi from "@pay/schema/PayApi"
import * as Callback from "@pay/signing/Callback"
import * as PayClient from "@pay/transport/PayClient"
import { Effect } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"

const { PREAUTHFORM } = PayApi.operations

/** The page without the ribbon of the test mode, which names codes that decline. */
const own = (body: string): string => body.replace(/<aside class="test".*?<\/aside>/s, "")

/** Once the bank has answered. */
const settledPage = Effect.fnUntraced(function* (url: string) {
  const scheduler = yield* Scheduler
  yield* scheduler.settled
  return yield* HostedPage.browse(url)
})

layer(TestGateway.layer({ settings: { sessionRate: { perSecond: 0, burst: 0 } } }), { excludeTestServices: true })(
  "a hosted payment page",
  (it) => {
    it.effect("takes a card, waits for the bank and returns to the shop with a signed outcome", () =>
      Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        const { names, reply, url } = yield* HostedPage.open("form-1", {
          redirect_url: "https://shop.example/back?a=1&b=2"
        })
        assert.deepInclude(reply.body, { type: "async-form-response", status: "processing" })
        const fresh = yield* client.status(names)
        assert.deepInclude(fresh, { status: "processing", "transaction-type": "sale" })
        assert.notProperty(fresh, "bin")

        const form = yield* HostedPage.browse(url)
        assert.deepInclude(form, { status: 200, title: "Pay to Sandbox merchant", action: undefined })
        // The sandbox's address begins with http://.
        assert.match(form.body, /class="secure"><span>Your card details are never shown to the shop\.</)
        yield* HostedPage.pay(url)
        const over = yield* settledPage(url)
        assert.deepInclude(over, { title: "Payment successful", action: "https://shop.example/back?a=1&b=2" })
        const { control = "", ...report } = over.hidden
        assert.deepInclude(report, { status: "approved", ...names, merchant_order: "form-1" })
        assert.isTrue(Callback.verify(Object.entries({ ...report, control }), [TestGateway.controlKey]).ok)
        assert.deepInclude(yield* client.status(names), {
          status: "approved",
          bin: "444433",
          "captured-amount": "10.42"
        })
      })
    )

    it.effect("allows three attempts with a record of each, and declines the order at the last", () =>
      Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        const store = yield* Store
        const { names, url } = yield* HostedPage.open("form-declined")
        const titles: Array<string> = []
        for (const attempts of ["0", "1", "2"]) {
          yield* HostedPage.pay(url, { code: "116", attempts })
          const page = yield* settledPage(url)
          titles.push(page.title)
          assert.notInclude(own(page.body).replace(/<input type="hidden"[^>]*>/g, ""), "116")
          if (attempts !== "2") {
            assert.include(page.body, attempts === "0" ? "You can try 2 more times" : "You can try once more")
            assert.deepInclude(yield* client.status(names), { status: "processing" })
          }
        }
        assert.deepStrictEqual(titles, ["Pay to Sandbox merchant", "Pay to Sandbox merchant", "Payment declined"])
        assert.deepInclude(yield* client.status(names), { status: "declined", "error-code": "116" })
        const records = yield* store.find(OrderRequest, "order", { equals: [names.orderid], limit: 10 })
        assert.deepStrictEqual(
          records.map(({ operation, progress, sequence }) => [operation, sequence, progress]).sort(),
          [
            ["HOSTED_ATTEMPT", 1, "declined"],
            ["HOSTED_ATTEMPT", 2, "declined"],
            ["HOSTED_ATTEMPT", 3, "declined"],
            ["SALEFORM", 3, "declined"]
          ]
        )
      })
    )

    it.effect("pays once if the button is pressed several times, and not again from an outdated page", () =>
      Effect.gen(function* () {
        const store = yield* Store
        const { names, url } = yield* HostedPage.open("form-double")
        yield* Effect.all(
          ["1", "2", "3", "4"].map(() => HostedPage.pay(url, { code: "116" })),
          { concurrency: "unbounded" }
        )
        yield* settledPage(url)
        yield* HostedPage.pay(url)
        const page = yield* settledPage(url)
        assert.include(page.body, "You can try 2 more times")
        const records = yield* store.find(OrderRequest, "order", { equals: [names.orderid], limit: 10 })
        assert.strictEqual(records.filter(({ operation }) => operation === "HOSTED_ATTEMPT").length, 1)
        yield* HostedPage.pay(url, { attempts: "1" })
        yield* settledPage(url)
        const again = yield* HostedPage.pay(url, { attempts: "2" })
        assert.strictEqual(again.title, "Payment successful")
        assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
      })
    )

    it.effect("captures a preauth of the second attempt under the reference that the bank approved", () =>
      Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        const scheduler = yield* Scheduler
        const { names, url } = yield* HostedPage.open("form-preauth", {}, PREAUTHFORM)
        yield* HostedPage.pay(url, { code: "116" })
        yield* settledPage(url)
        yield* HostedPage.pay(url, { attempts: "1" })
        assert.strictEqual((yield* settledPage(url)).title, "Payment successful")
        assert.deepInclude(yield* client.status(names), { status: "approved", "transaction-type": "preauth" })
        yield* client.capture(names)
        yield* scheduler.settled
        assert.deepInclude(yield* client.status(names), { status: "approved", "transaction-type": "capture" })
        assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
      })
    )

    it.effect("returns a customer who cancels to the shop, and declines the order with the reason", () =>
      Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        const { names, url } = yield* HostedPage.open("form-cancelled", {
          redirect_success_url: "https://shop.example/thanks",
          redirect_fail_url: "https://shop.example/sorry"
        })
        const page = yield* HostedPage.browse(url, { form: { action: "cancel" } })
        assert.deepInclude(page, { title: "Payment cancelled", action: "https://shop.example/sorry" })
        assert.deepInclude(page.hidden, { status: "declined", error_code: "99", type: "sale", amount: "10.42" })
        assert.doesNotHaveAnyKeys(page.hidden, ["bin", "processor-tx-id", "approval-code"])
        assert.deepInclude(yield* client.status(names), { status: "declined", "order-stage": "sale_cancelled" })
        assert.strictEqual((yield* HostedPage.pay(url)).title, "Payment cancelled")
      })
    )

    it.effect("answers each guessed token with the same page", () =>
      Effect.gen(function* () {
        const base = yield* HostedPage.baseUrl
        const { url } = yield* HostedPage.open("form-guessed")
        const without = (page: { readonly body: string }) => page.body.replace(/nonce="[^"]*"/g, "")
        const pages = yield* Effect.forEach(
          [`${url}x`, `${base}/pay/a`, `${base}/pay/`, `${base}/3ds/${"b".repeat(32)}`, `${url}/other`],
          (address) => HostedPage.visit(address)
        )
        assert.deepStrictEqual(
          pages.map(({ status }) => status),
          [404, 404, 404, 404, 404]
        )
        assert.strictEqual(new Set(pages.map(without)).size, 1)
      })
    )

    it.effect("lets the customer leave while the bank does not answer, and is not charged again", () =>
      Effect.gen(function* () {
        const clock = yield* SandboxClock
        const { url } = yield* HostedPage.open("form-lost", { redirect_url: "https://shop.example/back" })
        yield* HostedPage.pay(url, { number: "4444 0103 0000 0002" })
        const page = yield* settledPage(url)
        assert.deepInclude(page, { title: "Your bank has not answered yet", action: "https://shop.example/back" })
        assert.deepInclude(page.hidden, { status: "unknown" })
        assert.strictEqual((yield* HostedPage.pay(url, { attempts: "1" })).title, "Your bank has not answered yet")
        yield* clock.advance("6 seconds", yield* Scheduler)
        assert.strictEqual((yield* settledPage(url)).title, "Payment successful")
      })
    )

    it.effect("expires after half an hour", () =>
      Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        const clock = yield* SandboxClock
        const { names, url } = yield* HostedPage.open("form-expired")
        yield* clock.advance("31 minutes", yield* Scheduler)
        const page = yield* settledPage(url)
        assert.strictEqual(page.title, "Time is up")
        assert.deepInclude(yield* client.status(names), {
          status: "declined",
          "error-code": "91",
          "order-stage": "sale_expired"
        })
        assert.strictEqual((yield* HostedPage.pay(url)).title, "Time is up")
      })
    )
  }
)

layer(TestGateway.layer({ settings: { sessionRate: { perSecond: 0.001, burst: 3 } } }), { excludeTestServices: true })(
  "a hosted payment page with a limit of requests",
  (it) => {
    it.effect("answers 429 above the limit of one session", () =>
      Effect.gen(function* () {
        const { url } = yield* HostedPage.open("form-crowded")
        const pages = yield* Effect.forEach(["1", "2", "3", "4"], () => HostedPage.visit(url))
        assert.deepStrictEqual(
          pages.map(({ status }) => status),
          [200, 200, 200, 429]
        )
        assert.strictEqual(pages[3]?.headers["retry-after"], "60")
      })
    )
  }
)

layer(
  TestGateway.layer({
    settings: { sessionRate: { perSecond: 0, burst: 0 }, attemptRate: { perSecond: 0.001, burst: 2 } }
  }),
  { excludeTestServices: true }
)("hosted payment pages with a limit of attempts", (it) => {
  it.effect("answer 429 above the limit of one address over all sessions", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const opened = yield* Effect.forEach(["cards-1", "cards-2", "cards-3"], (name) => HostedPage.open(name))
      const pages = yield* Effect.forEach(opened, ({ url }) => HostedPage.pay(url, { code: "116" }))
      assert.deepStrictEqual(
        pages.map(({ status }) => status),
        [200, 200, 429]
      )
      const last = yield* store.find(OrderRequest, "order", { equals: [opened[2]?.names.orderid ?? ""], limit: 10 })
      assert.deepStrictEqual(
        last.map(({ operation }) => operation),
        ["SALEFORM"]
      )
    })
  )
})
