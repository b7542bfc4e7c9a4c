import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { CardSale } from "@pay/flows/CardPayment"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import * as WebCustomerBrowserRoute from "@pay/flows/WebCustomerBrowserRoute"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer, HttpServerResponse } from "effect/http"
import type { Page } from "playwright-core"
import { endpoints } from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import * as Views from "./Views.ts"

const { SALE } = PayApi.operations

/** The outcomes of ended payments, by their order. */
class Outcomes extends Context.Service<Outcomes, Map<string, string>>()("tests/browser/Outcomes") {}

/** A merchant's web server with the customer's addresses, and a page for each order that shows its outcome. */
const shop = Layer.unwrap(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const outcomes = yield* Outcomes
    const ended = (id: string) => Effect.sync(() => (outcomes.has(id) ? `/order/${outcomes.get(id)}` : undefined))
    const url = `http://127.0.0.1:${"port" in address ? address.port : 0}/pay`
    const orders = HttpRouter.add("GET", "/order/:outcome", () =>
      Effect.map(HttpRouter.params, ({ outcome }) =>
        HttpServerResponse.html(
          `<!doctype html><html lang="en"><title>Order</title><link rel="icon" href="data:,"><h1>${outcome}</h1></html>`
        )
      )
    )
    return HttpRouter.serve(Layer.merge(WebCustomerBrowserRoute.layer("/pay"), orders), {
      disableListenLog: true,
      disableLogger: true
    }).pipe(Layer.provideMerge(WebCustomerBrowser.layer({ url, secret: Redacted.make("of the shop"), ended })))
  })
).pipe(
  Layer.provide(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(Layer.sync(Outcomes, () => new Map<string, string>()))
)

const purchase = Effect.fnUntraced(function* (number: string) {
  const client_orderid = TestMerchant.freshId()
  const { backUrl, goUrl } = yield* WebCustomerBrowser.WebCustomerBrowser
  const redirect_url = backUrl(client_orderid)
  const outcomes = yield* Outcomes
  const fields = { ...Sample.request(SALE), client_orderid, redirect_url, credit_card_number: number }
  const payment = yield* Effect.fromResult(FlowPayload.decode(CardSale, fields))
  yield* CardSale.execute({ ...payment, endpointId: endpoints.threedsMerchant }).pipe(
    Effect.match({ onSuccess: ({ status }) => status, onFailure: (error) => ("_tag" in error ? error._tag : "?") }),
    Effect.tap((outcome) => Effect.sync(() => outcomes.set(client_orderid, outcome))),
    Effect.forkScoped
  )
  return goUrl(client_orderid)
})

const confirm = async (page: Page) => {
  await PaymentPage.heading(page, "Confirm your payment")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Confirm" }).click()
}

/** The heading of the order's page. */
const isApproved = (page: Page) => PaymentPage.heading(page, "approved")

layer(shop.pipe(Layer.provideMerge(FlowEngine.layerMemory), Layer.provideMerge(PaymentPage.layer)), {
  concurrent: true,
  excludeTestServices: true
})("a customer of a merchant's web server", (it) => {
  for (const [name, number] of [
    ["a password at the issuer", "4444000011118888"],
    ["the hidden method page and a password", "4444000022224444"],
    ["a password in version 1.0.2", "4444024000000006"]
  ] as const) {
    it.effect(`reaches the order's page after ${name}`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* purchase(number)
        yield* at(page, async () => {
          await page.goto(url)
          await confirm(page)
          await isApproved(page)
        })
      })
    )
  }

  for (const [name, number] of [
    ["the hidden method page alone", "4444020700000007"],
    ["no action at the issuer", "4444020100000003"]
  ] as const) {
    it.effect(`reaches the order's page after ${name}`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* purchase(number)
        yield* at(page, async () => {
          await page.goto(url)
          await isApproved(page)
        })
      })
    )
  }

  it.effect("leaves the challenge, opens the address again, and pays once", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const url = yield* purchase("4444000011118888")
      yield* at(page, async () => {
        await page.goto(url)
        await PaymentPage.heading(page, "Confirm your payment")
        await page.goto(url)
        await confirm(page)
        await isApproved(page)
        await page.goto(url)
        await isApproved(page)
      })
      assert.isTrue(page.url().endsWith("/order/approved"))
    })
  )

  it.effect("finds an accessible page at an unknown address, on each screen", () =>
    Effect.gen(function* () {
      const page = yield* customer({}, 404)
      const { goUrl } = yield* WebCustomerBrowser.WebCustomerBrowser
      yield* at(page, () => page.goto(`${goUrl("nobody")}x`))
      yield* at(page, () => PaymentPage.heading(page, "There is nothing here."))
      const views = (["light", "dark"] as const).flatMap((colorScheme) =>
        [1280, 375, 320].map((width) => ({ width, colorScheme }))
      )
      assert.deepStrictEqual(yield* at(page, () => Views.flawsIn(page, "web-missing", views)), [])
    })
  )

  it.effect("pays without JavaScript, by buttons alone", () =>
    Effect.gen(function* () {
      const page = yield* customer({ javaScriptEnabled: false })
      const url = yield* purchase("4444000011118888")
      yield* at(page, async () => {
        await page.goto(url)
        // The form with the data of the browser, then the form that leads to the issuer.
        await page.getByRole("button", { name: "Continue" }).click()
        await page.getByRole("button", { name: "Continue" }).click()
        await confirm(page)
        await page.getByRole("button", { name: "Continue" }).click()
        await isApproved(page)
      })
    })
  )
})
