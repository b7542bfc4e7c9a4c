import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import type { Page } from "playwright-core"
import * as TestGateway from "../harness/TestGateway.ts"
import { at, customer } from "./Browser.ts"
import * as PaymentPage from "./PaymentPage.ts"
import * as Views from "./Views.ts"

const { PREAUTH, SALE } = PayApi.operations
const token = "the token of ada"
const operators = [{ name: "ada", token: Redacted.make(token) }]

/** A day in a shop: approved, declined, held and unknown orders, one of them with a long number. */
const orders = Effect.fnUntraced(function* (prefix = "") {
  const rows = [
    ["INV-2041", SALE, {}],
    ["INV-2042", SALE, { cvv2: "116" }],
    ["INV-2043-with-a-number-that-is-as-long-as-the-specification-permits", PREAUTH, {}],
    ["INV-2044", SALE, { cvv2: "217" }]
  ] as const
  const ids: Array<string> = []
  for (const [client_orderid, operation, fields] of rows) {
    const { body } = yield* TestGateway.post(operation, {
      ...TestGateway.saleFields,
      server_callback_url: "http://127.0.0.1:9/callback",
      client_orderid: prefix + client_orderid,
      ...fields
    })
    ids.push(String(body["paynet-order-id"]))
  }
  yield* Effect.flatMap(Scheduler, ({ settled }) => settled)
  return ids
})

const signIn = async (page: Page, operatorUrl: string) => {
  await page.goto(`${operatorUrl}/console`)
  await page.getByLabel("Operator's token").fill(token)
  await page.getByRole("button", { name: "Sign in" }).click()
  await PaymentPage.heading(page, "Now")
}

/** What is wrong with a page of the console in every view, by its address. */
const flawsAt = async (page: Page, name: string, url: string) => {
  await page.goto(url)
  return Views.flawsIn(page, `console-${name}`)
}

layer(TestGateway.layer({ operators }), { excludeTestServices: true })("the console in a browser", (it) => {
  it.effect("is accessible and fits each screen", () =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      const [approved = "", declined = "", preauth = "", unknown = ""] = yield* orders()
      const page = yield* customer({}, 404)
      const flaws = yield* at(page, async () => {
        const all = [...(await flawsAt(page, "sign-in", `${operatorUrl}/console/sign-in`))]
        await signIn(page, operatorUrl)
        for (const [name, path] of [
          ["now", "now"],
          ["unknown-list", "unknown"],
          ["orders", "orders"],
          ["no-orders", "orders?merchant=nobody&status=declined"],
          ["approved", `orders/${approved}`],
          ["declined", `orders/${declined}`],
          ["preauth", `orders/${preauth}`],
          ["unknown", `orders/${unknown}`],
          ["missing", "nothing"]
        ] as const)
          all.push(...(await flawsAt(page, name, `${operatorUrl}/console/${path}`)))
        return all
      })
      assert.deepStrictEqual(flaws, [])
    })
  )

  it.effect("refunds an order that was found with the keyboard alone", () =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      const [approved = ""] = yield* orders()
      const page = yield* customer()
      yield* at(page, async () => {
        await signIn(page, operatorUrl)
        await page.keyboard.press("/")
        await page.keyboard.type(approved)
        await page.keyboard.press("Enter")
        await page.locator("summary", { hasText: "Refund" }).press("Enter")
        await page.getByLabel("Amount (USD)").fill("4.00")
        await page.getByLabel("Reason").first().fill("The parcel never came")
        await page.keyboard.press("Enter")
        await page.getByText("The refund was accepted").waitFor()
      })
    })
  )

  it.effect("keeps the session for a link of another site", () =>
    Effect.gen(function* () {
      const { operatorUrl, publicBaseUrl } = yield* NodeServer
      const page = yield* customer()
      yield* at(page, async () => {
        await signIn(page, operatorUrl)
        await page.goto(publicBaseUrl.replace("127.0.0.1", "localhost"))
        await page.evaluate(`location.href = ${JSON.stringify(`${operatorUrl}/console/orders`)}`)
        await PaymentPage.heading(page, "Orders")
      })
    })
  )

  it.effect("renews Now by itself", () =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      const page = yield* customer()
      const waiting = page.locator("dt", { hasText: "Callbacks waiting" }).locator("xpath=following-sibling::dd")
      const before = yield* at(page, async () => {
        await signIn(page, operatorUrl)
        return Number(await waiting.textContent())
      })
      yield* orders("live-")
      yield* at(page, async () => {
        while (Number(await waiting.textContent()) === before)
          await page.waitForEvent("requestfinished", (request) => request.url().endsWith("/events"))
      })
    })
  )

  it.effect("works without JavaScript", () =>
    Effect.gen(function* () {
      const { operatorUrl } = yield* NodeServer
      const [, , preauth = ""] = yield* orders()
      const page = yield* customer({ javaScriptEnabled: false })
      yield* at(page, async () => {
        await signIn(page, operatorUrl)
        await page.getByRole("searchbox").fill(preauth)
        await page.getByRole("button", { name: "Search" }).click()
        await page.locator("summary", { hasText: "Release the hold" }).click()
        await page.getByLabel("Reason").first().fill("No stock")
        await page.getByRole("button", { name: "Release the hold" }).click()
        await page.getByText("The release was accepted").waitFor()
        await page.getByRole("button", { name: "Sign out" }).click()
        await page.getByText("You have signed out.").waitFor()
      })
    })
  )
})
