import { assert, layer } from "@effect/vitest"
import type * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect } from "effect"
import * as Play from "./Play.ts"
import * as Socket from "./Socket.ts"
import * as TestGateway from "./TestGateway.ts"

const start = "POST /api/v2/sale/1001 HTTP/1.1\r\nHost: gateway\r\n"
const accept = "Accept: application/vnd.pay+json\r\nContent-Type: application/x-www-form-urlencoded\r\n"
const kib = (count: number): string => "x".repeat(count * 1024)
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

const rows: ReadonlyArray<readonly [name: string, bytes: string, error: ErrorCode.Name]> = [
  ["no HTTP", "pay me\r\n\r\n", "malformedForm"],
  ["a TLS greeting", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", "malformedForm"],
  ["a header without a colon", `${start}Nonsense\r\n\r\n`, "malformedForm"],
  ["a header with a NUL", `${start}X: a\u0000b\r\n\r\n`, "malformedForm"],
  [
    "no Host",
    `POST /api/v2/sale/1001 HTTP/1.1\r\n${accept}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    "malformedForm"
  ],
  ["two lengths", `${start}${accept}Content-Length: 3\r\nContent-Length: 4\r\n\r\na=b`, "malformedForm"],
  ["a length that is none", `${start}${accept}Content-Length: 1x\r\n\r\na=b`, "malformedForm"],
  [
    "length and chunks",
    `${start}${accept}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    "malformedForm"
  ],
  ["an unknown transfer encoding", `${start}${accept}Transfer-Encoding: nonsense\r\n\r\na=b`, "malformedForm"],
  ["a broken chunk", `${start}${accept}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, "malformedForm"],
  [
    "an expectation",
    `${start}${accept}Expect: miracles\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    "malformedForm"
  ],
  ["headers of 20 KiB", `${start}X: ${kib(20)}\r\n\r\n`, "bodyTooLarge"],
  ["a long address", `POST /${kib(20)} HTTP/1.1\r\nHost: gateway\r\n\r\n`, "bodyTooLarge"],
  ["the announcement of 257 KiB", `${start}${accept}Content-Length: ${257 * 1024}\r\n\r\n`, "bodyTooLarge"],
  ["the announcement of 2^63 bytes", `${start}${accept}Content-Length: 9223372036854775808\r\n\r\n`, "bodyTooLarge"],
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

layer(TestGateway.layer(impatient), { excludeTestServices: true })("on the bare socket", (it) => {
  for (const [name, bytes, error] of rows) {
    it.effect(`${name}: ${error}, and the next request is served`, () =>
      Effect.gen(function* () {
        Play.assertRefused(yield* Socket.exchange(bytes), error)
        Play.assertAccepted(yield* Play.create("SALE"))
      })
    )
  }
})

layer(TestGateway.layer(), { excludeTestServices: true })("a body of 256 KiB", (it) => {
  it.effect("is taken, one byte more is not", () =>
    Effect.gen(function* () {
      const padding = (form: Play.Fields, size: number) => {
        const length = new URLSearchParams(form).toString().replaceAll("+", "%20").length + "&padding=".length
        return { ...form, padding: "x".repeat(size - length) }
      }
      const taken = yield* Play.create("SALE", {}, { change: (form) => padding(form, 256 * 1024 - 100) })
      Play.assertAccepted(taken)
      const refused = yield* Play.create("SALE", {}, { change: (form) => padding(form, 256 * 1024 + 100) })
      Play.assertRefused(refused, "bodyTooLarge")
      assert.strictEqual(refused.headers.connection, "close")
    })
  )
})
