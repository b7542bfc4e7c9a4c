/** The suite reports each fault of a gateway with a message that names it, and finishes its run. */
import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect } from "effect"
import type { Check } from "../../tools/conformance/src/Check.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import { type Answer, at, before, type Fault, replaced } from "./FaultyGateway.ts"
import * as TestRun from "./TestRun.ts"

const status = (change: (body: string) => string): Fault =>
  at("status", (answer) => (answer.status === 200 ? { ...answer, body: change(answer.body) } : answer))

const http = (head: string, body = ""): ReturnType<Fault> => {
  const bytes = `HTTP/1.1 200 OK\r\ncontent-type: application/vnd.pay+json\r\n${head}\r\n${body}`
  return (socket) => void socket.write(bytes, () => socket.end())
}

/** Answers `status` of an order that waits with this page, which the proxy serves itself at `/page`. */
const page =
  (answer: (own: string) => ReturnType<Fault>): Fault =>
  (exchange) => {
    if (exchange.operation.startsWith("/page")) return answer(exchange.own)
    const body = exchange.answer.body.replace(/"redirect-to":"[^"]*"/, `"redirect-to":"${exchange.own}/page"`)
    return { ...exchange.answer, body }
  }

const redirect = (location: string): Answer => ({ status: 302, headers: { location }, body: "" })

const sale = /^outcome\/sale-approved$/
const threeds = /^threeds\/gateway\/challenge$/

/** The fault, the checks that run, and what the report must say about each of them. */
const faults: ReadonlyArray<readonly [name: string, fault: Fault, checks: RegExp, says: RegExp]> = [
  [
    "status in another currency",
    status((body) => body.replace('"USD"', '"EUR"')),
    sale,
    /currency of status is "EUR", expected "USD"/
  ],
  [
    "status with another amount",
    status((body) => body.replace('"amount":"10.42"', '"amount":"10.43"')),
    sale,
    /amount of status is "10.43", expected "10.42"/
  ],
  [
    "status of another order",
    status((body) => body.replace(/"paynet-order-id":"\d+"/, '"paynet-order-id":"7"')),
    sale,
    /paynet-order-id of status is "7"/
  ],
  [
    "status of another client_orderid",
    status((body) => body.replace(/"merchant-order-id":"[^"]*"/, '"merchant-order-id":"x"')),
    sale,
    /merchant-order-id of status is "x"/
  ],
  [
    "status of another card",
    status((body) => body.replace(/"last-four-digits":"\d+"/, '"last-four-digits":"0000"')),
    sale,
    /last-four-digits of status is "0000"/
  ],
  [
    "the connection is reset",
    at("sale", () => (socket) => void socket.resetAndDestroy()),
    sale,
    /no answer: the connection was reset \(ECONNRESET\)/
  ],
  [
    "the connection is closed",
    at("sale", () => (socket) => void socket.end()),
    sale,
    /no answer: the connection was (reset|closed)/
  ],
  [
    "a redirect to a file",
    at("sale", () => redirect("file:///etc/passwd")),
    sale,
    /HTTP 302 to file:\/\/\/etc\/passwd, which is not followed/
  ],
  [
    "a redirect to another host",
    at("sale", () => redirect("https://elsewhere.example/")),
    sale,
    /HTTP 302 to https:\/\/elsewhere.example\/, which is not followed/
  ],
  [
    "a redirect to itself",
    at("sale", (_, { own }) => redirect(`${own}/api/v2/sale/1001`)),
    sale,
    /HTTP 302 to http.*, which is not followed/
  ],
  [
    "a page",
    at("sale", () => replaced({ headers: { "content-type": "text/html" }, body: "<html>Welcome</html>" })),
    sale,
    /HTTP 200, a page \(text\/html\): <html>Welcome/
  ],
  ["an empty answer", at("sale", () => replaced({})), sale, /HTTP 200, an empty answer/],
  [
    "an answer that is cut off",
    at("sale", () => http("content-length: 100\r\n", '{"type":')),
    sale,
    /no answer: the connection was closed before the end of the answer/
  ],
  [
    "a cut chunk",
    at("sale", () => http("transfer-encoding: chunked\r\n", "40\r\n{")),
    sale,
    /no answer: the connection was closed before the end of the answer/
  ],
  [
    "half a JSON object",
    at("sale", () => replaced({ body: '{"type":"async' })),
    sale,
    /HTTP 200, text that is not of this protocol: \{"type":"async/
  ],
  [
    "compressed bytes",
    at("sale", () => replaced({ headers: { "content-encoding": "gzip" }, body: "\u001f\u008b\u0000" })),
    sale,
    /HTTP 200 with Content-Encoding gzip, which the request does not accept/
  ],
  [
    "not HTTP",
    at("sale", () => (socket) => void socket.end("SSH-2.0-OpenSSH\r\n")),
    sale,
    /no answer: the answer is not HTTP/
  ],
  [
    "an endless answer",
    at("sale", () => replaced({ body: "x".repeat(5 * 1024 * 1024) })),
    sale,
    /no answer: the answer is longer than 4 MiB/
  ],
  [
    "a page that redirects to a file",
    page(() => redirect("file:///etc/passwd")),
    threeds,
    /the customer is sent to file:\/\/\/etc\/passwd, which is not a page/
  ],
  [
    "a page that redirects to no address",
    page(() => redirect("http://[")),
    threeds,
    /the customer is sent to http:\/\/\[, which is not a page/
  ],
  [
    "a page that redirects to itself",
    page((own) => redirect(`${own}/page`)),
    threeds,
    /a page redirects more than 5 times/
  ],
  [
    "a page that redirects to another host that is not there",
    page(() => redirect("http://127.0.0.1:1/")),
    threeds,
    /no answer: nothing listens at the address/
  ],
  [
    "a page whose form has no address",
    page(() => ({
      status: 200,
      headers: {},
      body: '<form action="http://["><input type="hidden" name="a" value="b"></form>'
    })),
    threeds,
    /the customer is sent to http:\/\/\[, which is not a page/
  ],
  [
    "a page whose form runs a script",
    page(() => ({
      status: 200,
      headers: {},
      body: '<form action="javascript:x"><input type="hidden" name="a" value="b"></form>'
    })),
    threeds,
    /the customer is sent to javascript:x, which is not a page/
  ],
  ["a page that is reset", page(() => (socket) => socket.destroy()), threeds, /no answer: the connection was/]
]

/** Faults that are found by the time limit, which is short for them. */
const silent: typeof faults = [
  [
    "an answer that never ends",
    at("sale", () => (socket) => void socket.write("HTTP/1.1 200 OK\r\n\r\n{")),
    sale,
    /took longer than 0.2 s: no answer yet to POST \/api\/v2\/sale\/1001/
  ],
  [
    "no answer at all",
    at("sale", () => () => undefined),
    sale,
    /took longer than 0.2 s: no answer yet to POST \/api\/v2\/sale\/1001/
  ]
]

const only = (ids: RegExp) => ({ isWanted: ({ id }: Check) => ids.test(id) })

const gateway = TestGateway.layer({ merchants: Merchants.both() })

layer(gateway, { excludeTestServices: true })("the suite at a gateway with a fault", (it) => {
  const run = (limitSeconds: number) =>
    Effect.fnUntraced(function* ([, fault, ids, says]: (typeof faults)[number]) {
      const baseUrl = yield* before((yield* NodeServer).publicBaseUrl, fault)
      const { results } = yield* TestRun.at(baseUrl, { ...only(ids), limitSeconds })
      assert.isNotEmpty(results)
      for (const { check, outcome } of results)
        assert.match(outcome._tag === "Failed" ? outcome.message : outcome._tag, says, check.id)
    })
  it.effect.each(faults)("names it: %s", run(1))
  it.effect.each(silent)("names it: %s", run(0.2))
})
