import { once } from "node:events"
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Client } from "../src/main.ts"
import * as Errors from "../src/main.ts"
import { type Gateway, merchant, start } from "./Gateway.ts"
import { card, customer, freshId, payment as sample } from "./Samples.ts"

let gateway: Gateway
let pay: Client
beforeAll(async () => {
  gateway = await start()
  pay = gateway.client()
})
afterAll(() => gateway.close())

const withCallback = <T extends object>(fields: T) => ({ ...fields, serverCallbackUrl: gateway.callbackUrl })
const payment = () => withCallback(sample())

/** An address at which nobody listens. */
const closedPort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
}

const redirectUrl = "https://shop.example/back"

describe("each flow", () => {
  it("charges a card, and refunds a part of it once under one name", async () => {
    const sale = await pay.cardSale(payment())
    assert(sale.ok, sale.error?.message)
    assert.strictEqual(sale.order.status, "approved")
    const part = withCallback({ name: "slip-17", amount: "2.00", reason: "damaged" })
    for (const refund of [await pay.refund(sale.order, part), await pay.refund(sale.order, part)]) {
      assert(refund.ok, refund.error?.message)
      assert.strictEqual(refund.order.returnedAmount, "2.00")
    }
  })

  it("authorizes, captures a part and voids the rest", async () => {
    const hold = await pay.authorize(payment())
    assert(hold.ok, hold.error?.message)
    const captured = await pay.capture(hold.order, withCallback({ name: "parcel-1", amount: "6.00" }))
    assert(captured.ok, captured.error?.message)
    assert.strictEqual(captured.order.capturedAmount, "6.00")
    const voided = await pay.void(hold.order, withCallback({}))
    assert(voided.ok, voided.error?.message)
  })

  it("stores a card and charges it", async () => {
    const checked = await pay.verifyCard(withCallback({ clientOrderId: freshId(), card, customer }))
    assert(checked.ok, checked.error?.message)
    const stored = await pay.storeCard(checked.order)
    assert(stored.ok, stored.error?.message)
    const { cardRefId } = stored
    const { ipAddress } = customer
    const charge = { clientOrderId: freshId(), amount: "3.00", currency: "USD", cardRefId, customer: { ipAddress } }
    const charged = await pay.rebill(withCallback(charge))
    assert(charged.ok, charged.error?.message)
    assert.strictEqual(charged.order.status, "approved")
  })

  it("begins a subscription, charges it and pauses it", async () => {
    const begun = await pay.subscribe({ ...payment(), period: "monthly", interval: 1 })
    assert(begun.ok, begun.error?.message)
    const { recurringPaymentId } = begun
    const charged = await pay.chargeSubscription(withCallback({ clientOrderId: freshId(), recurringPaymentId }))
    assert(charged.ok, charged.error?.message)
    const paused = await pay.changeSubscription({ recurringPaymentId, name: "holiday", change: "pause" })
    assert(paused.ok, paused.error?.message)
    assert.strictEqual(paused.status, "paused")
  })

  it("pays out in two steps", async () => {
    const accountNumber = "DE89370400440532013000"
    const checked = await pay.checkPayOut(
      withCallback({ clientOrderId: freshId(), amount: "5.00", currency: "USD", accountNumber })
    )
    assert(checked.ok, checked.error?.message)
    const paid = await pay.payChecked(checked.order, withCallback({}))
    assert(paid.ok, paid.error?.message)
    assert.strictEqual(paid.order.status, "approved")
  })

  it("gives the address of a page", async () => {
    const order = { clientOrderId: freshId(), amount: "48.00", currency: "USD", customer, redirectUrl }
    const page = await pay.hosted.sale(order)
    assert(page.ok, page.error?.message)
    assert.strictEqual((await fetch(page.url)).status, 200)
    const again = await pay.hosted.sale(order)
    assert(again.ok, again.error?.message)
    assert.deepStrictEqual([again.url, again.orderId], [page.url, page.orderId])
  })
})

describe("an outcome that is no success", () => {
  it("is a value: declined", async () => {
    const sale = await pay.cardSale({ ...payment(), card: { ...card, cvv: "116" } })
    assert(!sale.ok && sale.error instanceof Errors.DeclinedError)
    const { clientOrderId, code, errorCode, order, retryable } = sale.error
    assert.deepStrictEqual([code, errorCode, retryable, order?.status], ["Declined", 116, false, "declined"])
    assert.strictEqual(order?.clientOrderId, clientOrderId)
  })

  it("is a value: nobody is there", async () => {
    const nowhere = gateway.client({ baseUrl: await closedPort() })
    const sale = await nowhere.cardSale(payment())
    assert(!sale.ok && sale.error instanceof Errors.UnreachableError)
    assert.isTrue(sale.error.retryable)
    assert.include(sale.error.message, "ECONNREFUSED")
  })

  it("is a value: the key is another one", async () => {
    const stranger = gateway.client({ controlKey: "another" })
    const sale = await stranger.cardSale(payment())
    assert(!sale.ok && sale.error instanceof Errors.RefusedError)
    assert.match(String(sale.error.serialNumber), /^[0-9a-f-]{36}$/)
  })

  it("says what to do: one operation is not answered, or by something else", async () => {
    const sale = { ...payment(), orderDesc: "Two tickets" }
    const nowhere = await gateway.client({ baseUrl: await closedPort() }).api.sale(sale)
    assert(!nowhere.ok && nowhere.error instanceof Errors.NotSentError)
    assert.include(nowhere.error.message, "Nothing was sent: check baseUrl and the network, then call again")
    const fetch = async () => new Response("<h1>It works!</h1>", { status: 404 })
    const strange = await gateway.client({ fetch }).api.sale(sale)
    assert(!strange.ok && strange.error instanceof Errors.OutcomeUnknownError)
    assert.match(
      strange.error.message,
      /check that baseUrl is the gateway's. Ask for the status before you call again$/
    )
    const status = await gateway.client({ fetch }).status("INV-1")
    assert(!status.ok)
    assert.match(status.error.message, /check that baseUrl is the gateway's. Call again$/)
  })

  it("names fields as the client does: a page to come back to is missing", async () => {
    const sale = await pay.cardSale({ ...payment(), endpointId: merchant.endpoints.threeds3dsGateway })
    assert(!sale.ok && sale.error instanceof Errors.RefusedError)
    assert.include(sale.error.message, "Parameter redirectUrl is required")
  })

  it("ends in time, and continues when it is called again", async () => {
    const never: typeof fetch = () => new Promise(() => {})
    let isLate = true
    const late = gateway.client({ fetch: (...request) => (isLate ? never(...request) : fetch(...request)) })
    const order = payment()
    const first = await late.cardSale(order, { timeoutMs: 50 })
    assert(!first.ok && first.error instanceof Errors.StillUnknownError)
    assert.deepStrictEqual([first.error.retryable, first.error.clientOrderId], [true, order.clientOrderId])
    isLate = false
    const second = await gateway.client().cardSale(order)
    assert(second.ok, second.error?.message)
  })

  it("ends with the reason of a signal", async () => {
    const stopped = AbortSignal.abort(new Error("the shop closes"))
    const ended = await pay.cardSale(payment(), { signal: stopped }).catch((error: Error) => error.message)
    assert.strictEqual(ended, "the shop closes")
  })
})

describe("how an order stands", () => {
  it("is read by its name, and watched until it is final", async () => {
    const sale = await pay.cardSale(payment())
    assert(sale.ok, sale.error?.message)
    const { clientOrderId } = sale.order
    const status = await pay.status(clientOrderId)
    assert(status.ok && status.order.status === "approved")
    const watched: Array<string> = []
    for await (const order of pay.watch(clientOrderId)) watched.push(order.status)
    assert.deepStrictEqual(watched, ["approved"])
    const missing = await pay.status("no such order")
    assert(!missing.ok && missing.error instanceof Errors.RefusedError)
  })
})

describe("a bare operation", () => {
  it("takes the same fields and gives its answer", async () => {
    const { clientOrderId, ...order } = payment()
    const made = await pay.api.sale({ ...order, clientOrderId, orderDesc: "Two tickets" })
    assert(made.ok, made.error?.message)
    assert.match(made.answer.paynetOrderId, /^\d+$/)
    assert.strictEqual(made.answer.merchantOrderId, clientOrderId)
    const refused = await pay.api.capture(
      { clientOrderId, orderId: made.answer.paynetOrderId },
      { endpointId: merchant.endpoints.usd }
    )
    assert(!refused.ok && refused.error instanceof Errors.RefusedError)
  })
})
