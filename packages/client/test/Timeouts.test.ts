/** What a call reports whose time is over, and how it continues. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Client } from "../src/main.ts"
import * as Errors from "../src/main.ts"
import { type Gateway, merchant, start } from "./Gateway.ts"
import { payment as sample } from "./Samples.ts"

let gateway: Gateway
let pay: Client
beforeAll(async () => {
  gateway = await start()
  pay = gateway.client()
})
afterAll(() => gateway.close())

const withCallback = <T extends object>(fields: T) => ({ ...fields, serverCallbackUrl: gateway.callbackUrl })
const payment = () => withCallback(sample())
const never: typeof fetch = () => new Promise(() => {})

describe("a call", () => {
  it("ends at its timeout, and continues when it is called again", async () => {
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

  it("keeps what it has learned about the order at its timeout", async () => {
    const endpointId = merchant.endpoints.approval
    const { clientOrderId } = payment()
    const order = { clientOrderId, amount: "10.00", currency: "USD", accountNumber: "123456789", endpointId }
    const waiting = await pay.payOut(withCallback(order), { timeoutMs: 2_000 })
    assert(!waiting.ok && waiting.error instanceof Errors.StillUnknownError)
    const { error } = waiting
    assert.deepInclude(error.order, { clientOrderId, status: "processing", orderStage: "payout_waiting_approval" })
    assert.match(error.orderId ?? "", /^\d+$/)
    assert.strictEqual(error.orderId, error.order?.orderId)
    assert.include(
      error.message,
      `The order ${error.orderId} is processing (payout_waiting_approval): it waits until a second person`
    )
    assert.deepStrictEqual(error.evidence.map(({ operation }) => operation).slice(-2), ["PAYOUT_V4", "STATUS"])
    assert.isString(error.serialNumber)
  })

  it("lists a request that was not answered before its timeout", async () => {
    const late = gateway.client({ fetch: never })
    const ended = await late.cardSale(payment(), { timeoutMs: 50 })
    assert(!ended.ok)
    assert.match(ended.error.evidence.at(-1)?.answer ?? "", /^none before/)
  })

  it("keeps what it has learned about the order at the timeout of a status and of a bare operation", async () => {
    let isLate = false
    const shop = gateway.client({ fetch: (...request) => (isLate ? never(...request) : fetch(...request)) })
    const sale = await shop.cardSale(payment())
    assert(sale.ok, sale.error?.message)
    const { clientOrderId, orderId } = sale.order
    isLate = true
    for (const ended of [
      await shop.status(clientOrderId, { timeoutMs: 50 }),
      await shop.api.return({ clientOrderId, orderId, reason: "damaged" }, { timeoutMs: 50 })
    ]) {
      assert(!ended.ok && ended.error instanceof Errors.OutcomeUnknownError)
      assert.deepInclude(ended.error.order, { clientOrderId, orderId, status: "approved" })
      assert.strictEqual(ended.error.orderId, orderId)
      assert.match(ended.error.evidence.at(-1)?.answer ?? "", /Deadline|DEADLINE/)
    }
  })
})
