import { assert, describe, it } from "@effect/vitest"
import * as RequestLog from "../../src/http/RequestLog.ts"
import { refuse } from "../../src/kernel/Answer.ts"

const answer = { status: 200, headers: {}, fields: {} }

const filled = (count: number) => {
  let nowMs = 1000
  const log = RequestLog.make(() => nowMs)
  for (let n = 1; n <= count; n++) {
    const observed = log.begin("192.0.2.7")
    observed.operation = n % 2 === 0 ? "STATUS" : "SALE"
    observed.orderId = String(n)
    nowMs += 1
    log.end(observed, answer, undefined)
  }
  return log
}

const orders = ({ entries }: RequestLog.LogPage) => entries.map(({ orderId }) => orderId)

describe("the request log", () => {
  it("returns the newest requests, the oldest of them first", () =>
    assert.deepStrictEqual(orders(filled(5).read({ limit: 3 })), ["3", "4", "5"]))

  it("can be followed page by page, and a filter skips no request", () => {
    const log = filled(7)
    const begin = 1_000_000
    const first = log.read({ limit: 2, after: begin, operation: "SALE" })
    assert.deepStrictEqual([orders(first), first.missed], [["1", "3"], 0])
    const second = log.read({ limit: 10, after: first.next, operation: "SALE" })
    assert.deepStrictEqual(orders(second), ["5", "7"])
    assert.deepStrictEqual(orders(log.read({ limit: 10, after: second.next })), [])
  })

  it("is bounded, and gives a reader the number of requests that it missed", () => {
    const log = filled(RequestLog.most + 10)
    const page = log.read({ limit: 1, after: 1_000_005 })
    assert.deepStrictEqual([orders(page), page.missed], [["11"], 5])
    assert.strictEqual(log.read({ limit: 10_000 }).entries.length, RequestLog.most)
  })

  it("continues where the previous process of the gateway ended", () => {
    const before = filled(3)
    const later = RequestLog.make(() => 2000)
    later.end(later.begin("192.0.2.7"), answer, undefined)
    const page = later.read({ limit: 10, after: before.read({ limit: 1 }).next })
    assert.deepStrictEqual([page.entries.length, page.missed], [1, 0])
  })

  it("shows the order that an answer created, and masks numbers that may be card numbers", () => {
    const log = RequestLog.make(() => 1000)
    const created = log.begin("192.0.2.7")
    created.clientOrderId = "paid by 4444 3333 2222 1111"
    log.end(created, { ...answer, fields: { type: "async-response", "paynet-order-id": "42" } }, undefined)
    log.end(
      log.begin("192.0.2.7"),
      { ...answer, status: 400 },
      refuse("amountNotExact", { field: "amount 4444333322221111" })
    )
    const [first, second] = log.read({ limit: 10 }).entries
    assert.deepStrictEqual([first?.orderId, first?.clientOrderId], ["42", "paid by [number]"])
    assert.strictEqual(second?.fields, "amount [number]")
  })

  it.each([
    ["118262250657296384", "118262250657296384"],
    ["4444333322221111", "[number]"],
    ["633333333333333335", "[number]"]
  ])("shows the order number %s as %s", (number, expected) => {
    const log = RequestLog.make(() => Date.UTC(2026, 11, 1))
    const observed = log.begin("192.0.2.7")
    observed.orderId = number
    log.end(observed, answer, undefined)
    assert.strictEqual(log.read({ limit: 1 }).entries[0]?.orderId, expected)
  })
})
