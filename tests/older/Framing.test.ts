/** What the listener refuses before a handler sees it: in the dialect that the head asks for, as soon as the head is there. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Socket from "../harness/Socket.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Older from "./OlderClient.ts"

const impatient = { headersTimeoutMs: 200, bodyTimeoutMs: 200, publicBaseUrl: Older.publicBaseUrl }

const start = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: gateway\r\nContent-Type: application/x-www-form-urlencoded\r\n`
const sale = start("/paynet/api/v2/sale/4001")

const inPairs: ReadonlyArray<readonly [what: string, bytes: string, code: number]> = [
  ["a body that never ends", `${sale}Content-Length: 100\r\n\r\nclient_orderid=1`, 82],
  ["a chunk that never ends", `${sale}Transfer-Encoding: chunked\r\n\r\nff\r\nclient_orderid=1`, 82],
  ["a broken chunk", `${sale}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 22],
  ["a declared length of 257 KiB", `${sale}Content-Length: ${257 * 1024}\r\n\r\n`, 24],
  ["129 headers", `${sale}${"X: 1\r\n".repeat(125)}Content-Length: 0\r\nConnection: close\r\n\r\n`, 24],
  ["a header twice", `${sale}Host: gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`, 22]
]

const accepting = `${sale}Accept: application/vnd.pay+json\r\n`
const unfinished = "Content-Length: 100\r\n\r\nclient_orderid=1"
const first = `${sale}Content-Length: 3\r\n\r\na=b`

const inJson: ReadonlyArray<readonly [what: string, bytes: string, status: number, code: number]> = [
  ["a body that never ends, of JSON mode", `${accepting}${unfinished}`, 408, 82],
  ["a broken chunk of JSON mode", `${accepting}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`, 400, 22],
  ["a body of version 4 that never ends", `${start("/paynet/api/v4/sale/4001")}${unfinished}`, 408, 82],
  ["a body of no operation that never ends", `${start("/paynet/elsewhere")}${unfinished}`, 408, 82],
  ["a head that never ends", sale, 408, 82],
  ["a head of 131 headers", `${sale}${"X: 1\r\n".repeat(127)}Content-Length: 0\r\nConnection: close\r\n\r\n`, 413, 24],
  ["a head that is too large", `${sale}X: ${"x".repeat(20 * 1024)}\r\n\r\n`, 413, 24]
]

/** The last answer of the connection. */
const answerTo = (bytes: string) =>
  Effect.map(Socket.received(bytes), (text) => {
    const answer = text.slice(text.lastIndexOf("HTTP/1.1 "))
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    const contentType = /^content-type: (.*)$/im.exec(head)?.[1]?.trim() ?? ""
    return { status: Number(head.split(" ")[1]), contentType, text: body, fields: Older.parse(body) }
  })

layer(TestGateway.layer({ settings: impatient }), { excludeTestServices: true })(
  "a malformed request on the socket in the older dialect",
  (it) => {
    it.effect.each(inPairs)("is refused in pairs: %s", ([, bytes, code]) =>
      Effect.gen(function* () {
        Older.assertRefused(yield* answerTo(bytes), code)
      })
    )

    it.effect.each(inJson)("is refused in JSON: %s", ([, bytes, status, code]) =>
      Effect.gen(function* () {
        const reply = yield* answerTo(bytes)
        assert.deepStrictEqual([reply.status, reply.contentType], [status, "application/vnd.pay+json; charset=utf-8"])
        assert.include(reply.text, `"error-code":"${code}"`)
      })
    )

    it.effect("does not take the format of an earlier request of its connection", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* answerTo(`${first}${sale}`)).status, 408)
        assert.strictEqual((yield* answerTo(`${first}nonsense\r\n\r\n`)).status, 400)
      })
    )
  }
)
