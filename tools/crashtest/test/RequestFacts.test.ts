import { assert, describe, it } from "@effect/vitest"
import * as RequestFacts from "../src/world/RequestFacts.ts"

const publicBaseUrl = "http://127.0.0.1:9000/paynet"

const read = (target: string, body: string) =>
  RequestFacts.read({ method: "POST", target, rawHeaders: [], headers: {}, body: Buffer.from(body) }, publicBaseUrl)

const sale = "client_orderid=a1&amount=10.5&currency=USD&credit_card_number=4444555566661111"

const rows: ReadonlyArray<readonly [what: string, target: string, body: string, question: string]> = [
  ["a form", "/api/v2/sale/1001", sale, "sale 10.5 USD client_orderid=a1"],
  ["a path with the prefix", "/paynet/api/v2/sale/4001", sale, "sale 10.5 USD client_orderid=a1"],
  ["a group", "/paynet/api/v2/sale/group/5001", sale, "sale 10.5 USD client_orderid=a1"],
  ["two slashes", "/paynet//api/v2/sale/4001", sale, "sale 10.5 USD client_orderid=a1"],
  [
    "fields in the query",
    `/paynet/api/v2/sale-form/4001?${sale.slice(0, 43)}`,
    "",
    "sale-form 10.5 USD client_orderid=a1"
  ],
  [
    "JSON",
    "/api/v2/sale/1001",
    '{"client_orderid":"a1","amount":10.5,"currency":"USD"}',
    "sale 10.5 USD client_orderid=a1"
  ],
  [
    "another spelling of the name",
    "/api/v4/payout/1001",
    "client_orderid=a1&amount=10.50&currency=USD",
    "v4/payout 10.50 USD client-order-id=a1"
  ],
  ["a number", "/api/v2/status/1001", "client_orderid=a1&orderid=12", "status client_orderid=a1 orderid=12"]
]

describe("a request is read as the gateway reads it:", () => {
  it.each(rows)("%s", (_, target, body, question) => {
    const facts = read(target, body)
    assert.strictEqual(facts?.question, question)
    assert.strictEqual(facts?.clientOrderId, "a1")
    if (body !== "" && question.includes("USD")) assert.strictEqual(facts?.amountMinor, 1050)
  })

  it.each(["/api/v2/unknown/1001", "/pages/12", "/api/v2/sale/x", "/"])("%s is no operation", (target) => {
    assert.isUndefined(read(target, sale))
  })

  it.each([
    ["10.505", "USD"],
    ["-10.50", "USD"],
    ["1e3", "USD"],
    ["10.50", "XXX"]
  ])("%s %s is no amount", (amount, currency) => {
    assert.isUndefined(read("/api/v2/sale/1001", `amount=${amount}&currency=${currency}`)?.amountMinor)
  })
})
