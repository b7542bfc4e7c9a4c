import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Socket from "../harness/Socket.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { SALE } = PayApi.operations
const start = "POST /api/v2/sale/1001 HTTP/1.1\r\nHost: gateway\r\n"
const accept = "Accept: application/vnd.pay+json\r\nContent-Type: application/x-www-form-urlencoded\r\n"
const kib = (count: number): string => "x".repeat(count * 1024)
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** A whole request without a body; the gateway is to close the connection behind its answer. */
const head = (lines: string, others = accept): string =>
  `POST /api/v2/sale/1001 HTTP/1.1\r\n${lines}\r\n${others}Content-Length: 0\r\nConnection: close\r\n\r\n`

const rows: ReadonlyArray<readonly [name: string, bytes: string, error: ErrorCode.Name]> = [
  ["bytes that are not HTTP", "pay me\r\n\r\n", "malformedForm"],
  ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", "malformedForm"],
  ["a header without a colon", `${start}Nonsense\r\n\r\n`, "malformedForm"],
  ["a header with a NUL", `${start}X: a\u0000b\r\n\r\n`, "malformedForm"],
  [
    "no Host",
    `POST /api/v2/sale/1001 HTTP/1.1\r\n${accept}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    "malformedForm"
  ],
  ["two lengths", `${start}${accept}Content-Length: 3\r\nContent-Length: 4\r\n\r\na=b`, "malformedForm"],
  ["a length that is no number", `${start}${accept}Content-Length: 1x\r\n\r\na=b`, "malformedForm"],
  [
    "length and chunks",
    `${start}${accept}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "malformedForm"
  ],
  [
    "an unknown transfer encoding",
    `${start}${accept}Transfer-Encoding: nonsense\r\n\r\na=b`,
    "transferCodingUnsupported"
  ],
  [
    "a transfer encoding before chunks",
    `${start}${accept}Transfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`,
    "transferCodingUnsupported"
  ],
  [
    "chunks twice",
    `${start}${accept}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    "transferCodingUnsupported"
  ],
  ["an empty Host", head("Host: "), "malformedForm"],
  ["a malformed Host", head("Host: a b"), "malformedForm"],
  ["a Host with a user name", head("Host: user@gateway"), "malformedForm"],
  ["two Hosts", head("Host: gateway\r\nHost: gateway"), "malformedForm"],
  ["two Authorizations", head("Host: gateway\r\nAuthorization: OAuth a\r\nauthorization: OAuth b"), "malformedForm"],
  ["two Content-Types", head("Host: gateway\r\nContent-Type: text/plain"), "malformedForm"],
  ["two Idempotency-Keys", head("Host: gateway\r\nIdempotency-Key: a\r\nIdempotency-Key: a"), "malformedForm"],
  ["a Content-Encoding", head("Host: gateway\r\nContent-Encoding: gzip"), "encodingUnsupported"],
  [
    "another charset",
    head("Host: gateway", accept.replace("urlencoded", 'urlencoded; charset="iso-8859-1"')),
    "encodingUnsupported"
  ],
  [
    "an absolute address of another host",
    head("Host: gateway").replace("POST /", "POST http://elsewhere.example/"),
    "notFound"
  ],
  ["a broken chunk", `${start}${accept}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, "malformedForm"],
  [
    "an expectation",
    `${start}${accept}Expect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    "malformedForm"
  ],
  ["headers of 20 KiB", `${start}X: ${kib(20)}\r\n\r\n`, "bodyTooLarge"],
  ["129 headers", head(`Host: gateway\r\n${"X: 1\r\n".repeat(123)}X: 2`), "bodyTooLarge"],
  ["a long address", `POST /${kib(20)} HTTP/1.1\r\nHost: gateway\r\n\r\n`, "bodyTooLarge"],
  ["a declared length of 257 KiB", `${start}${accept}Content-Length: ${257 * 1024}\r\n\r\n`, "bodyTooLarge"],
  ["a declared length of 2^63 bytes", `${start}${accept}Content-Length: 9223372036854775808\r\n\r\n`, "bodyTooLarge"],
  [
    "257 KiB in chunks",
    `${start}${accept}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk(kib(200))}${chunk(kib(57))}0\r\n\r\n`,
    "bodyTooLarge"
  ],
  ["headers that never end", `${start}${accept}`, "requestTimeout"],
  ["a body that never ends", `${start}${accept}Content-Length: 100\r\n\r\nclient_orderid=1`, "requestTimeout"],
  [
    "a chunk that never ends",
    `${start}${accept}Transfer-Encoding: chunked\r\n\r\nff\r\nclient_orderid=1`,
    "requestTimeout"
  ]
]

const impatient = { settings: { headersTimeoutMs: 200, bodyTimeoutMs: 200 } }

layer(TestGateway.layer(impatient), { excludeTestServices: true })("a malformed request on the socket", (it) => {
  for (const [name, bytes, error] of rows) {
    it.effect(`${name}: refused with ${error}, and the next request is served`, () =>
      Effect.gen(function* () {
        TestMerchant.assertRefused(yield* Socket.exchange(bytes), error)
        TestMerchant.assertAccepted(yield* TestMerchant.create("SALE"))
      })
    )
  }
})

layer(TestGateway.layer(), { excludeTestServices: true })("an unusual but valid request head", (it) => {
  const form = new URLSearchParams(TestGateway.controlled(SALE, { ...TestGateway.saleFields, client_orderid: "1" }))
  const body = form.toString().replaceAll("+", "%20")
  const sale = (target: string, lines: string, type = "") =>
    `POST ${target} HTTP/1.1\r\n${lines}\r\n${accept.replace("urlencoded", `urlencoded${type}`)}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
  const path = "/api/v2/sale/1001"
  const cases: ReadonlyArray<readonly [string, (host: string) => string]> = [
    ["an absolute address of the gateway", (host) => sale(`http://${host}${path}`, `Host: ${host}`)],
    ["the same address in another case", (host) => sale(`HTTP://${host}${path}`, "Host: gateway")],
    ["an IPv6 Host", () => sale(path, "Host: [::1]:8080")],
    ["a charset of UTF-8", () => sale(path, "Host: gateway", '; charset="utf-8"')],
    ["the Content-Encoding identity", () => sale(path, "Host: gateway\r\nContent-Encoding: identity")],
    ["128 headers", () => sale(path, `Host: gateway\r\n${"X: 1\r\n".repeat(122)}X: 2`)],
    ["an unknown header twice", () => sale(path, "Host: gateway\r\nX-A: 1\r\nX-A: 2")]
  ]
  for (const [name, request] of cases) {
    it.effect(`${name}: accepted`, () =>
      Effect.gen(function* () {
        const { host, port } = yield* NodeServer
        TestMerchant.assertAccepted(yield* Socket.exchange(request(`${host}:${port}`)))
      })
    )
  }
})

layer(TestGateway.layer(), { excludeTestServices: true })("a body of 256 KiB", (it) => {
  it.effect("is accepted, and one more byte is refused", () =>
    Effect.gen(function* () {
      const padding = (form: TestMerchant.Fields, size: number) => {
        const length = new URLSearchParams(form).toString().replaceAll("+", "%20").length + "&padding=".length
        return { ...form, padding: "x".repeat(size - length) }
      }
      const taken = yield* TestMerchant.create("SALE", {}, { change: (form) => padding(form, 256 * 1024 - 100) })
      TestMerchant.assertAccepted(taken)
      const refused = yield* TestMerchant.create("SALE", {}, { change: (form) => padding(form, 256 * 1024 + 100) })
      TestMerchant.assertRefused(refused, "bodyTooLarge")
      assert.strictEqual(refused.headers.connection, "close")
    })
  )
})
