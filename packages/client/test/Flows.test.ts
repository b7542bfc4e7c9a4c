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

/** An address at which no server listens. */
const closedPort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`
}

const redirectUrl = "https://shop.example/back"

describe("the client", () => {
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

  it.each([
    ["usd", "USD", "10000000.00"],
    ["jpy", "JPY", "12500000"],
    ["kwd", "KWD", "1234567.890"]
  ] as const)(
    "captures and refunds the amounts of an order as it prints them: %s %s %s",
    async (at, currency, amount) => {
      const pay = gateway.client({ endpointId: merchant.endpoints[at] })
      const hold = await pay.authorize({ ...payment(), amount, currency })
      assert(hold.ok, hold.error?.message)
      const captured = await pay.capture(
        hold.order,
        withCallback({ name: "all", amount: hold.order.remainingAmount ?? "" })
      )
      assert(captured.ok, captured.error?.message)
      const { capturedAmount = "" } = captured.order
      const refund = await pay.refund(captured.order, withCallback({ name: "all", amount: capturedAmount }))
      assert(refund.ok, refund.error?.message)
      assert.strictEqual(refund.order.returnedAmount, amount)
    }
  )

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

  it("creates a subscription, charges it and pauses it", async () => {
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

  it("returns the address of a hosted page, and the same one for a repeat", async () => {
    const order = { clientOrderId: freshId(), amount: "48.00", currency: "USD", customer, redirectUrl }
    const page = await pay.hosted.sale(order)
    assert(page.ok, page.error?.message)
    assert.strictEqual((await fetch(page.url)).status, 200)
    const again = await pay.hosted.sale(order)
    assert(again.ok, again.error?.message)
    assert.deepStrictEqual([again.url, again.orderId], [page.url, page.orderId])
  })
})

describe("a call that does not succeed", () => {
  it("returns a declined payment as a value", async () => {
    const sale = await pay.cardSale({ ...payment(), card: { ...card, cvv: "116" } })
    assert(!sale.ok && sale.error instanceof Errors.DeclinedError)
    const { clientOrderId, code, errorCode, order, retryable } = sale.error
    assert.deepStrictEqual([code, errorCode, retryable, order?.status], ["Declined", 116, false, "declined"])
    assert.strictEqual(order?.clientOrderId, clientOrderId)
  })

  it("returns an unreachable gateway as a value", async () => {
    const unreachable = gateway.client({ baseUrl: await closedPort() })
    const sale = await unreachable.cardSale(payment())
    assert(!sale.ok && sale.error instanceof Errors.UnreachableError)
    assert.isTrue(sale.error.retryable)
    assert.include(sale.error.message, "ECONNREFUSED")
  })

  it("returns a refusal for a wrong control key as a value", async () => {
    const wrongKey = gateway.client({ controlKey: "another" })
    const sale = await wrongKey.cardSale(payment())
    assert(!sale.ok && sale.error instanceof Errors.RefusedError)
    assert.match(String(sale.error.serialNumber), /^[0-9a-f-]{36}$/)
  })

  it("says what to do if a bare operation is not sent or not answered", async () => {
    const sale = { ...payment(), orderDesc: "Two tickets" }
    const unreachable = await gateway.client({ baseUrl: await closedPort() }).api.sale(sale)
    assert(!unreachable.ok && unreachable.error instanceof Errors.NotSentError)
    assert.include(unreachable.error.message, "(ECONNREFUSED)")
    assert.include(unreachable.error.message, "check the host and the port of baseUrl. Nothing was sent: call again")
    const fetch = async () => new Response("<h1>It works!</h1>", { status: 404 })
    const proxied = await gateway.client({ fetch }).api.sale(sale)
    assert(!proxied.ok && proxied.error instanceof Errors.OutcomeUnknownError)
    assert.match(
      proxied.error.message,
      /received a page \(HTML\): wrong path, .*\. Ask for the status before you call again$/
    )
    const status = await gateway.client({ fetch }).status("INV-1")
    assert(!status.ok)
    assert.match(status.error.message, /wrong path, .*\. Call again$/)
  })

  it("says that the outcome is unknown if the answer to an acting call has no end", async () => {
    const fetch = async () => new Response(new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(65_536)) }))
    const sale = await gateway.client({ fetch }).api.sale({ ...payment(), orderDesc: "Two tickets" })
    assert(!sale.ok && sale.error instanceof Errors.OutcomeUnknownError)
    assert.include(sale.error.message, "ANSWER_TOO_LARGE")
  })

  it("says at once that the security code is missing, and continues an existing order without it", async () => {
    const { card: withCode, ...order } = payment()
    const { cvv: _, ...card } = withCode
    let paths: ReadonlyArray<string> = []
    const recording: typeof fetch = (input, init) => {
      paths = [...paths, new URL(String(input)).pathname.split("/").at(-2) ?? ""]
      return fetch(input, init)
    }
    const shop = gateway.client({ fetch: recording })
    const forgotten = await shop.cardSale({ ...order, card })
    assert(!forgotten.ok && forgotten.error instanceof Errors.InvalidInputError)
    assert.include(forgotten.error.message, "Parameter card.cvv is required")
    assert.deepStrictEqual(
      forgotten.error.problems.map(({ field }) => field),
      ["card.cvv"]
    )
    assert.deepStrictEqual(paths, ["status"])
    assert((await shop.cardSale({ ...order, card: withCode })).ok)
    const continued = await gateway.client().cardSale({ ...order, card })
    assert(continued.ok, continued.error?.message)
  })

  it("reports an order number that names another payment by a code of its own", async () => {
    const order = payment()
    assert((await pay.cardSale(order)).ok)
    const again = await pay.cardSale({ ...order, amount: "99.00" })
    assert(!again.ok && again.error instanceof Errors.PayloadDiffersError)
    assert.include(again.error.message, "give the new one a name of its own")
    // Another client does not know the first call. The gateway does.
    const other = await gateway.client().cardSale({ ...order, amount: "99.00" })
    assert(!other.ok && other.error instanceof Errors.RefusedError)
    assert.strictEqual(other.error.errorCode, 51)
    assert.include(other.error.message, "Give another payment a clientOrderId of its own")
    const bare = await pay.api.sale({ ...order, orderDesc: "x", amount: "99.00" })
    assert(!bare.ok)
    assert.include(bare.error.message, "Give another payment a clientOrderId of its own")
  })

  it.each([
    ["a line feed", (text: string) => `${text}\n`],
    ["a line feed of Windows", (text: string) => `${text}\r\n`],
    ["blanks", (text: string) => ` ${text}\u00a0`],
    ["a byte order mark", (text: string) => `\uFEFF${text}`]
  ] as const)("works with %s around its settings, as files and environment variables have them", async (_, padded) => {
    const { controlKey, endpoints, login } = merchant
    const texts = { login: padded(login), controlKey: padded(controlKey), endpointId: padded(endpoints.usd) }
    const shop = gateway.client({ ...texts, baseUrl: padded(gateway.baseUrl) })
    const sale = await shop.cardSale(payment())
    assert(sale.ok, sale.error?.message)
  })

  it("names a missing field as the client names it", async () => {
    const sale = await pay.cardSale({ ...payment(), endpointId: merchant.endpoints.threeds3dsGateway })
    assert(!sale.ok && sale.error instanceof Errors.RefusedError)
    assert.include(sale.error.message, "Parameter redirectUrl is required")
  })

  it("throws the reason of its abort signal", async () => {
    const stopped = AbortSignal.abort(new Error("the shop closes"))
    const ended = await pay.cardSale(payment(), { signal: stopped }).catch((error: Error) => error.message)
    assert.strictEqual(ended, "the shop closes")
  })
})

describe("the status of an order", () => {
  it("is read by the merchant's order number, and watched until it is final", async () => {
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
  it("takes the same fields as a flow, and returns the gateway's answer", async () => {
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
