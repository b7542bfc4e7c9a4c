/** Tests the gateway that merchants run in their own tests. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { InvalidSettingError, Pay } from "../src/main.ts"
import * as TestClock from "../src/TestClock.ts"
import { type SentCallback, type TestGateway, testGateway } from "../src/Testing.ts"
import { card, payment } from "./Samples.ts"

let gateway: TestGateway
const arrived: Array<SentCallback> = []
let answer = 200
beforeAll(async () => {
  const onCallback = (callback: SentCallback) => {
    arrived.push(callback)
    return answer
  }
  gateway = await testGateway({ onCallback })
})
afterAll(() => gateway?.close())

const serverCallbackUrl = "https://shop.example/callback?shop=7"

describe("a gateway in the process of a test", () => {
  it("approves and declines by the test card, and shows what the bank has booked", async () => {
    const sale = await gateway.pay.cardSale(payment())
    assert(sale.ok)
    const [booked, ...others] = await gateway.books(sale.order)
    const { amount, approved, captured, currency, kind } = booked ?? {}
    assert.deepStrictEqual([kind, amount, currency, approved, captured], ["authorize", "10.42", "USD", true, true])
    assert.isEmpty(others)
    const { error } = await gateway.pay.cardSale({ ...payment(), card: { ...card, cvv: "116" } })
    assert.deepStrictEqual([error?.code, error?.errorCode], ["Declined", 116])
    const all = await gateway.books()
    assert.deepStrictEqual(
      all.map(({ approved }) => approved),
      [true, false]
    )
  })

  it("lets time pass: a hold lapses, and a subscription is charged after a month", async () => {
    const hold = await gateway.pay.authorize({ ...payment(), serverCallbackUrl })
    assert(hold.ok)
    const begun = await gateway.pay.subscribe({ ...payment(), amount: "5.00", period: "monthly", interval: 1 })
    assert(begun.ok)
    await gateway.advance("8 days")
    const ofHold = (await gateway.books(hold.order)).map(({ kind }) => kind)
    assert.deepStrictEqual(ofHold, ["authorize", "void"])
    const charges = async () => (await gateway.books()).filter(({ amount }) => amount === "5.00").length
    assert.strictEqual(await charges(), 1)
    await gateway.advance("1 month")
    assert.strictEqual(await charges(), 2)
  })

  it("takes a customer through 3-D Secure without a browser", async () => {
    const { threedsMerchant: endpointId } = gateway.endpoints
    const paid = { ...payment(), card: { ...card, cvv: "321" }, endpointId, redirectUrl: "http://shop.test/back" }
    const passed = await gateway.pay.cardSale(paid, { browser: gateway.customer("pass") })
    assert(passed.ok)
    const failed = await gateway.pay.cardSale(
      { ...paid, ...payment(), card: paid.card },
      { browser: gateway.customer("fail") }
    )
    assert.strictEqual(failed.error?.code, "NotAuthenticated")
  })

  it("gives callbacks to the test, and repeats those that it does not accept", async () => {
    answer = 503
    const { clientOrderId, ...others } = payment()
    const before = arrived.length
    assert((await gateway.pay.cardSale({ ...others, clientOrderId, serverCallbackUrl })).ok)
    await gateway.settled()
    answer = 200
    await gateway.advance("2 hours")
    const received = arrived.slice(before).filter(({ url }) => url.includes(clientOrderId))
    assert.isAbove(received.length, 1)
    for (const callback of received)
      assert.strictEqual(gateway.pay.callbacks.verify(callback).clientOrderId, clientOrderId)
    assert.isAtLeast((await gateway.callbacks()).length, received.length)
  })

  it("is another gateway for each call, and is gone when it is closed", async () => {
    const other = await testGateway()
    assert.isEmpty(await other.books())
    const { PAY_BASE_URL: baseUrl = "", PAY_CONTROL_KEY: controlKey = "", PAY_LOGIN: login = "" } = other.env
    const pay = Pay.client({ baseUrl, controlKey, login, endpointId: other.endpoints.eur })
    assert((await pay.cardSale({ ...payment(), currency: "EUR" })).ok)
    assert.strictEqual((await other.books()).length, 1)
    await other.close()
    const { error } = await pay.status("order-1")
    assert.strictEqual(error?.code, "NotSent")
  })

  it("ends what still waits when it is closed, and says that it is closed", async () => {
    const refused = await Promise.resolve()
      .then(() => testGateway(JSON.parse('{ "endpoint": "1101" }')))
      .catch(String)
    assert.include(refused, "endpoint is no option. Did you mean endpointId?")
    const other = await testGateway({ endpointId: "1101" })
    const events = Promise.withResolvers<void>()
    const browser = () => events.resolve()
    const message = /^The gateway for tests is closed/
    const waiting = other.pay.cardSale({ ...payment(), redirectUrl: "http://shop.test/back" }, { browser })
    const ended = waiting.catch(String)
    await events.promise
    await Promise.all([other.close(), other.close()])
    const texts = await Promise.all(
      [ended, other.books(), other.settled(), other.advance("1 day"), other.pay.status("order-1")].map((each) =>
        each.then(String, String)
      )
    )
    for (const text of texts) assert.match(text.replace(/^Error: /, ""), message)
  })

  it("works while the test has another date", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01") })
    try {
      assert((await gateway.pay.cardSale(payment())).ok)
    } finally {
      vi.useRealTimers()
    }
  })

  it("refuses a text that is no duration", async () => {
    for (const wrong of ["", "1 fortnight", "-1 day", "1.5 days", "month"]) {
      const refused = await gateway.advance(wrong).catch((error: unknown) => error)
      assert(refused instanceof InvalidSettingError)
      assert.include(refused.message, '"1 month"')
    }
  })
})

const day = 86_400_000

it.each([
  ["30 minutes", "2030-01-31", 1_800_000],
  ["7 days", "2030-01-31", 7 * day],
  ["2weeks", "2030-01-31", 14 * day],
  ["1 month", "2030-01-15", 31 * day],
  ["1 month", "2030-01-31", 28 * day],
  ["1 year", "2028-02-29", 365 * day]
])("%s from %s on", (text, from, ms) => assert.strictEqual(TestClock.lengthMs(text, Date.parse(from)), ms))
