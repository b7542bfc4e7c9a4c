/** Reports about browsers (docs/decisions/public-reports-inputs.md), where no other test has the same input. */
import type { IncomingMessage } from "node:http"
import { assert, layer } from "@effect/vitest"
import { OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import * as Callback from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { serve } from "../../packages/schema/test/Loopback.ts"
import { controlKey } from "../harness/Credentials.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import * as SampleShop from "./SampleShop.ts"

const confirm = async (page: Page) => {
  await PaymentPage.heading(page, "Confirm your payment")
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Confirm" }).click()
}

const challenged = { number: "4444000011118888" }

const bodyOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk
  return text
}

/**
 * A shop on another site than the gateway, with a session in a cookie (`SameSite=Lax`). The browser returns to it by POST, which it
 * answers with a redirect and without a session, as documented.
 */
const sessionShop = Effect.gen(function* () {
  const log: Array<string> = []
  const port = yield* serve(async (request, response) => {
    const session = /session=(\w+)/.exec(request.headers.cookie ?? "")?.[1]
    const url = new URL(request.url ?? "/", "http://localhost")
    if (request.method === "POST") {
      const form = Form.parse(await bodyOf(request))
      const isSigned = form.ok && Callback.verify(form.parameters, [controlKey]).ok
      log.push(`POST session=${session} signed=${isSigned}`)
      response.writeHead(303, { location: `/orders${url.search}` }).end()
      return
    }
    log.push(`GET ${url.pathname}${url.search} session=${session}`)
    const headers = { "content-type": "text/html", ...(session === undefined ? lax : {}) }
    response.writeHead(200, headers).end(html(session === undefined ? "Welcome" : `Signed in as ${session}`))
  })
  return { log, url: `http://localhost:${port}` }
})

const lax = { "set-cookie": "session=ada; Path=/; HttpOnly; SameSite=Lax" }
const html = (text: string) =>
  `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>${text}</h1></html>`

/** Records each cookie that a page other than the shop's sets. */
const watchCookies = (page: Page, shop: string) => {
  const cookies: Array<string> = []
  page.on("response", async (response) => {
    if (response.url().startsWith(shop)) return
    const header = await response.headerValue("set-cookie")
    if (header !== null) cookies.push(`${response.url()} ${header}`)
  })
  return cookies
}

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("a shop with a session", (it) => {
  it.effect("gets its customer back from another site, still signed in", () =>
    Effect.gen(function* () {
      const { log, url } = yield* sessionShop
      const page = yield* customer()
      const cookies = watchCookies(page, url)
      const redirect_url = `${url}/back?order=7`
      const endpoint = TestGateway.endpoints.threeds3dsGateway
      const opened = yield* HostedPage.open(TestMerchant.freshId(), { redirect_url }, undefined, endpoint)
      yield* at(page, async () => {
        await page.goto(url)
        await page.goto(opened.url)
        await PaymentPage.pay(page, challenged)
        await confirm(page)
        await PaymentPage.heading(page, "Signed in as ada")
      })
      assert.deepStrictEqual(log, [
        "GET / session=undefined",
        "POST session=undefined signed=true",
        "GET /orders?order=7 session=ada"
      ])
      assert.deepStrictEqual(cookies, [])
    })
  )
})

layer(SampleShop.layer, { concurrent: true, excludeTestServices: true })("the sample shop on another site", (it) => {
  it.effect("keeps its customer's session when they return from the gateway's page and the issuer", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const shop = yield* SampleShop.url
      const cookies = watchCookies(page, shop)
      const session = () => at(page, async () => (await page.context().cookies(shop)).map(({ value }) => value))
      yield* at(page, () => SampleShop.choose(page, shop, "Copper watering can"))
      const before = yield* session()
      yield* at(page, async () => {
        await SampleShop.continueToPayment(page)
        await page.getByLabel("Expiry date").waitFor()
        await PaymentPage.typeCard(page, challenged)
        await page.getByRole("button", { name: "Pay $48.00" }).click()
        await confirm(page)
        await SampleShop.heading(page, "Thank you, your order is paid")
        await page.getByRole("link", { name: "Your orders" }).click()
        await page.getByText("Paid", { exact: true }).waitFor()
      })
      assert.deepStrictEqual([before.length, yield* session()], [1, before])
      assert.deepStrictEqual(cookies, [])
    }).pipe(Effect.provide(SampleShop.onOtherSite, { local: true }))
  )
})

/** The requests about an order: its creation, and each attempt to charge a card or to pay a recipient. */
const requests = Effect.fnUntraced(function* (orderid: string) {
  const store = yield* Store
  const records = yield* store.find(OrderRequest, "order", { equals: [orderid], limit: 10 })
  return records.map(({ operation }) => operation).sort()
})

/** Sends the form, and stops the browser before the gateway gets it. */
const sendAndStop = async (page: Page, url: string) => {
  await page.route(url, (route) => route.abort("aborted"), { times: 1 })
  await page.locator("#pay").dispatchEvent("click")
  await page.locator("#pay[aria-disabled]").waitFor()
}

const waitHalfAMinute = (page: Page) => page.clock.fastForward(30_000)

/** What the browser's page cache does when it shows a page again: the page is as it was left. */
const showAgain = (page: Page) =>
  page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })))

layer(PaymentPage.layer, { concurrent: true, excludeTestServices: true })("back, forward and reload", (it) => {
  it.effect("from the issuer and from the shop show the payment's state, and charge once", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      const opened = yield* PaymentPage.openSecure(page)
      yield* at(page, async () => {
        await PaymentPage.pay(page, challenged)
        await PaymentPage.heading(page, "Confirm your payment")
        await page.goBack()
        await PaymentPage.heading(page, "Confirm your payment")
        await page.reload()
        await confirm(page)
      })
      yield* PaymentPage.goBack(page, opened, "Payment successful", "approved")
      yield* at(page, async () => {
        await page.goBack()
        await PaymentPage.heading(page, "Payment successful")
        await page.goForward()
        await PaymentPage.heading(page, "Welcome back: approved")
        await page.goBack()
        await page.reload()
        await PaymentPage.heading(page, "Payment successful")
      })
      yield* PaymentPage.statusIs(opened.names, "approved")
    })
  )

  for (const [what, leave] of [
    ["was stopped before an answer", waitHalfAMinute],
    ["is shown again from the page cache", showAgain]
  ] as const) {
    it.effect(`a card form that ${what} can be sent`, () =>
      Effect.gen(function* () {
        const page = yield* customer()
        yield* at(page, () => page.clock.install())
        const opened = yield* PaymentPage.open(page)
        yield* at(page, async () => {
          await PaymentPage.typeCard(page)
          await sendAndStop(page, opened.url)
          await leave(page)
          await page.locator("#pay:not([aria-disabled])").waitFor()
          await PaymentPage.pay(page)
          await PaymentPage.heading(page, "Payment successful")
        })
        assert.deepStrictEqual(yield* requests(opened.names.orderid), ["HOSTED_ATTEMPT", "SALEFORM"])
      })
    )
  }

  it.effect("a recipient's page shows what became of the payout, or a form that works", () =>
    Effect.gen(function* () {
      const page = yield* customer()
      yield* at(page, () => page.clock.install())
      const { order, url } = yield* PayoutPage.open({ redirect_url: "http://127.0.0.1:9/back" })
      yield* at(page, async () => {
        await page.goto(url)
        await page.getByRole("radio", { name: "Bank account" }).check()
        await page.locator("#account").fill("DE89370400440532013000")
        await page.locator("#recipient").fill("Jane Doe")
        await sendAndStop(page, url)
        await waitHalfAMinute(page)
        await page.locator("#pay:not([aria-disabled])").waitFor()
        await page.locator("#pay").click()
        await PaymentPage.heading(page, "The money is on its way")
        await page.goBack()
        await PaymentPage.heading(page, "The money is on its way")
        await page.reload()
        await PaymentPage.heading(page, "The money is on its way")
      })
      assert.deepStrictEqual(yield* requests(order.orderid), ["HOSTED_ATTEMPT", "PAYOUTFORM"])
    })
  )
})

/** What follows the address of a shop's own page, and how its server sees it. */
const returns = [
  ["/back?order=7&next=%2Fcart", "/back?order=7&next=%2Fcart"],
  ["/back?", "/back?"],
  ["/#/done?x=1", "/"],
  ["/back?q=%2B%20+", "/back?q=%2B%20+"],
  ["/zurück?ü", "/zur%C3%BCck?%C3%BC"],
  ["/back?a=1&#038;b=2", "/back?a=1&"],
  ["/back?a=1&amp;b=2", "/back?a=1&amp;b=2"],
  ["/back?status=mine&control=mine", "/back?status=mine&control=mine"]
] as const

layer(PaymentPage.layer, { excludeTestServices: true })("a shop's address with a query or a fragment", (it) => {
  it.effect("is opened as it was given, with the signed fields in the body", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const port = yield* serve(async (request, response) => {
        const form = Form.parse(await bodyOf(request))
        const isSigned = form.ok && Callback.verify(form.parameters, [controlKey]).ok
        log.push(`${request.method} ${request.url} signed=${isSigned}`)
        response.writeHead(200, { "content-type": "text/html" }).end(html("Shop"))
      })
      const page = yield* customer()
      for (const [given] of returns) {
        const redirect_url = `http://127.0.0.1:${port}${given}`
        const opened = yield* HostedPage.open(TestMerchant.freshId(), { redirect_url })
        yield* at(page, async () => {
          await page.goto(opened.url)
          await page.getByRole("button", { name: "Cancel and go back" }).click()
          await page.locator("#onward button").click()
          await PaymentPage.heading(page, "Shop")
          assert.strictEqual(page.url(), new URL(redirect_url).href)
        })
      }
      assert.deepStrictEqual(
        log,
        returns.map(([, target]) => `POST ${target} signed=true`)
      )
    })
  )
})
