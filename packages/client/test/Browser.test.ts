/** Tests 3-D Secure on the pages of a shop, and the events of the client. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Browser, PayEvent, Visit } from "../src/main.ts"
import { type Gateway, merchant, start } from "./Gateway.ts"
import { card, payment } from "./Samples.ts"

let gateway: Gateway
beforeAll(async () => {
  gateway = await start()
})
afterAll(() => gateway.close())

const endpointId = merchant.endpoints.threedsMerchant
/** The issuer challenges the holder of this card, and has no method page. */
const challenged = { ...card, number: "4444000011118888" }

/** The visits of the browser, in the order in which the flow sends them. */
const visitsOf = (browser: Browser) => {
  const waiting: Array<(visit: Visit) => void> = []
  const sent: Array<Visit> = []
  return {
    browser: async (visit: Visit) => {
      await browser(visit)
      const wake = waiting.shift()
      if (wake === undefined) sent.push(visit)
      else wake(visit)
    },
    next: () => {
      const visit = sent.shift()
      return visit === undefined ? new Promise<Visit>((resume) => waiting.push(resume)) : Promise.resolve(visit)
    }
  }
}

describe("a sale with 3-D Secure", () => {
  it("sends the customer's browser to the issuer and back", async () => {
    const pay = gateway.client()
    const web = pay.web({ url: "https://shop.example/pay", secret: "only the shop knows", ended: () => undefined })
    const { browser, next } = visitsOf(web.browser)
    const order = { ...payment(), card: challenged, endpointId, serverCallbackUrl: gateway.callbackUrl }
    const { clientOrderId } = order
    const sale = pay.cardSale({ ...order, redirectUrl: web.backUrl(clientOrderId) }, { browser })
    const page = async () => (await web.handle({ url: web.goUrl(clientOrderId) })).body
    const back = (fields: Record<string, string>) => {
      const body = new URLSearchParams(fields).toString()
      return web.handle({ method: "POST", url: web.backUrl(clientOrderId), headers: { accept: "*/*" }, body })
    }
    assert.strictEqual((await next()).nextAction._tag, "BrowserData")
    assert.include(await page(), "browserJavascriptEnabled")
    await back({ browserJavascriptEnabled: "false" })
    const { nextAction, orderId } = await next()
    assert(nextAction._tag === "Challenge")
    assert.include(await page(), nextAction.creq)
    const issuerForm = await gateway.confirmed(orderId)
    assert(issuerForm._tag === "CRes")
    const returned = await back({ cres: issuerForm.cres })
    assert.deepStrictEqual([returned.status, returned.headers.location], [303, web.goUrl(clientOrderId)])
    const result = await sale
    assert(result.ok, result.error?.message)
    assert.strictEqual(result.order.verified3dStatus, "AUTHENTICATED")
  })

  it("answers 404 at a forged address of its pages", async () => {
    const web = gateway.client().web({ url: "https://shop.example/pay", secret: "x", ended: () => undefined })
    assert.strictEqual((await web.handle({ url: "/pay/go/INV-1/guessed" })).status, 404)
  })
})

describe("the events of the client", () => {
  it("report each request and each flow, without any field of the card or the payer", async () => {
    const events: Array<PayEvent> = []
    const pay = gateway.client({ onEvent: (event) => events.push(event) })
    const order = payment()
    const sale = await pay.cardSale({ ...order, serverCallbackUrl: gateway.callbackUrl })
    assert(sale.ok, sale.error?.message)
    await new Promise((resume) => setImmediate(resume))
    const names = events.map(({ name }) => name)
    assert.includeMembers(names, [
      "Flow.CardSale",
      "POST /api/v2/sale/{endpointId}",
      "POST /api/v2/status/{endpointId}"
    ])
    const flow = events.find(({ name }) => name === "Flow.CardSale")
    assert.strictEqual(flow?.attributes["pay.outcome"], "approved")
    const text = JSON.stringify(events)
    for (const secret of [order.card.number, order.card.holder, order.customer.email, order.customer.address1])
      assert.notInclude(text, secret)
  })
})
