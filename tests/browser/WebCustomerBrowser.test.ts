import { createServer } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { CardSale } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { HostedSale } from "@pay/flows/HostedCheckout"
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
import * as Accessible from "./Accessible.ts"
import { at, customer } from "./Browser.ts"
import * as Journey from "./Journey.ts"
import * as Pictures from "./Pictures.ts"

const { SALE, SALEFORM } = PayApi.operations

/** How payments have ended, by their order. */
class Book extends Context.Service<Book, Map<string, string>>()("tests/browser/Book") {}

/** A merchant's web server: the customer's addresses, and a page for each order that says how it ended. */
const shop = Layer.unwrap(
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const book = yield* Book
    const ended = (id: string) => Effect.sync(() => (book.has(id) ? `/order/${book.get(id)}` : undefined))
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
  Layer.provideMerge(Layer.sync(Book, () => new Map<string, string>()))
)

const purchase = Effect.fnUntraced(function* (number: string) {
  const client_orderid = TestMerchant.freshId()
  const { backUrl, goUrl } = yield* WebCustomerBrowser.WebCustomerBrowser
  const redirect_url = backUrl(client_orderid)
  const book = yield* Book
  const flow =
    number === "hosted"
      ? Effect.flatMap(
          Effect.fromResult(
            FlowPayload.decode(HostedSale, { ...Sample.request(SALEFORM), client_orderid, redirect_url })
          ),
          (payment) => Flow.run(HostedSale, { ...payment, endpointId: endpoints.threeds3dsGateway })
        )
      : Effect.flatMap(
          Effect.fromResult(
            FlowPayload.decode(CardSale, {
              ...Sample.request(SALE),
              client_orderid,
              redirect_url,
              credit_card_number: number
            })
          ),
          (payment) => Flow.run(CardSale, { ...payment, endpointId: endpoints.threedsMerchant })
        )
  yield* flow.pipe(
    Effect.match({ onSuccess: ({ status }) => status, onFailure: (error) => ("_tag" in error ? error._tag : "?") }),
    Effect.tap((outcome) => Effect.sync(() => book.set(client_orderid, outcome))),
    Effect.forkScoped
  )
  return goUrl(client_orderid)
})

const confirm = async (page: Page) => {
  await Journey.heading(page, "Confirm your payment")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Confirm" }).click()
}

const stands = (page: Page, outcome: string) => Journey.heading(page, outcome)

layer(shop.pipe(Layer.provideMerge(Journey.layer)), { concurrent: true, excludeTestServices: true })(
  "a shopper at a web server",
  (it) => {
    for (const [name, number] of [
      ["the password at the bank", "4444000011118888"],
      ["the hidden method page, then the password", "4444000022224444"],
      ["the password of version 1.0.2", "4444024000000006"]
    ] as const) {
      it.effect(`pays with ${name}, and comes to the order's page`, () =>
        Effect.gen(function* () {
          const page = yield* customer()
          const url = yield* purchase(number)
          yield* at(page, async () => {
            await page.goto(url)
            await confirm(page)
            await stands(page, "approved")
          })
        })
      )
    }

    for (const [name, number] of [
      ["the hidden method page only", "4444020700000007"],
      ["nothing to do", "4444020100000003"]
    ] as const) {
      it.effect(`pays with ${name}`, () =>
        Effect.gen(function* () {
          const page = yield* customer()
          const url = yield* purchase(number)
          yield* at(page, async () => {
            await page.goto(url)
            await stands(page, "approved")
          })
        })
      )
    }

    it.effect("pays on the gateway's page", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* purchase("hosted")
        yield* at(page, async () => {
          await page.goto(url)
          await page.getByLabel("Expiry date").waitFor()
          await Journey.pay(page, { number: "4444000011118888" })
          await confirm(page)
          await stands(page, "approved")
        })
      })
    )

    it.effect("leaves the bank and opens the address again, and once more when all is over: it is one payment", () =>
      Effect.gen(function* () {
        const page = yield* customer()
        const url = yield* purchase("4444000011118888")
        yield* at(page, async () => {
          await page.goto(url)
          await Journey.heading(page, "Confirm your payment")
          await page.goto(url)
          await confirm(page)
          await stands(page, "approved")
          await page.goto(url)
          await stands(page, "approved")
        })
        assert.isTrue(page.url().endsWith("/order/approved"))
      })
    )

    it.effect("can use the shop's own pages between shop and issuer, on any screen", () =>
      Effect.gen(function* () {
        const page = yield* customer({}, 404)
        const { goUrl } = yield* WebCustomerBrowser.WebCustomerBrowser
        yield* at(page, () => page.goto(`${goUrl("nobody")}x`))
        yield* at(page, () => Journey.heading(page, "There is nothing here."))
        for (const colorScheme of ["light", "dark"] as const)
          for (const width of [1280, 375, 320]) {
            const view = `web-missing-${width}-${colorScheme}`
            yield* at(page, () => page.emulateMedia({ colorScheme }))
            yield* at(page, () => page.setViewportSize({ width, height: 800 }))
            yield* at(page, () => Pictures.take(page, view))
            const violations = yield* at(page, Accessible.violations)
            const tooWide = yield* at(page, () =>
              page.evaluate<number>("document.documentElement.scrollWidth - innerWidth")
            )
            assert.deepStrictEqual([view, violations.map(({ id }) => id), tooWide], [view, [], 0])
          }
      })
    )

    it.effect("pays without JavaScript, by buttons alone", () =>
      Effect.gen(function* () {
        const page = yield* customer({ javaScriptEnabled: false })
        const url = yield* purchase("4444000011118888")
        yield* at(page, async () => {
          await page.goto(url)
          // What the browser says of itself, then the way to the issuer.
          await page.getByRole("button", { name: "Continue" }).click()
          await page.getByRole("button", { name: "Continue" }).click()
          await confirm(page)
          await page.getByRole("button", { name: "Continue" }).click()
          await stands(page, "approved")
        })
      })
    )
  }
)
