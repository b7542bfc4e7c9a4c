import { readFileSync } from "node:fs"
import type { Socket } from "node:net"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { freePort } from "../../schema/test/Loopback.ts"
import * as Wire from "../src/Wire.ts"
import * as Loopback from "./Loopback.ts"

const certificate = readFileSync(new URL("./fixtures/certificate.pem", import.meta.url), "utf8")
const key = readFileSync(new URL("./fixtures/key.pem", import.meta.url), "utf8")

const request = (url: string, timeoutMs: number): Wire.WireRequest => ({
  url,
  headers: { accept: "application/vnd.pay+json", "content-type": "application/x-www-form-urlencoded" },
  body: "a=1&b=%C3%A9",
  timeoutMs
})

const send = (url: string, timeoutMs = 20_000) =>
  Effect.flatMap(Wire.Wire, (wire) => wire.send(request(url, timeoutMs)))

const ok = "HTTP/1.1 200 OK\r\n"

const plain = (scheme: string) =>
  Effect.map(
    Loopback.http((_received, response) => response.end()),
    ({ url }) => url.replace("http", scheme)
  ).pipe(Effect.map((url) => `${url}/`))

const onConnect = (scheme: string, act: (socket: Socket) => void) =>
  Effect.map(Loopback.tcp(act), (port) => `${scheme}://127.0.0.1:${port}/`)

const onRequest = (act: (socket: Socket) => void) =>
  onConnect("http", (socket) => socket.once("data", () => act(socket)))

/** A server with a certificate that no trusted authority has signed. */
const secure = Loopback.https({ cert: certificate, key }, "over TLS")

/** Failures of a connection, and how each wire reports them. With fetch it is provable less often that nothing was sent. */
const losses = [
  ["the port is closed", Effect.map(freePort, (port) => `http://127.0.0.1:${port}/`), "NotSent", "NotSent"],
  ["the name does not exist", Effect.succeed("http://gateway.invalid/"), "NotSent", "NotSent"],
  ["TLS spoken to a plain server", plain("https"), "NotSent", "Lost"],
  ["an untrusted certificate", secure, "NotSent", "NotSent"],
  ["the socket closes before TLS is ready", onConnect("https", (socket) => socket.destroy()), "NotSent", "Lost"],
  ["reset after the first byte", onRequest((socket) => socket.resetAndDestroy()), "Lost", "Lost"],
  ["closed without an answer", onRequest((socket) => socket.end()), "Lost", "Lost"],
  ["half of the status line", onRequest((socket) => socket.end("HTTP/1.1 20")), "Lost", "Lost"],
  ["half of the body", onRequest((socket) => socket.end(`${ok}content-length: 90\r\n\r\n{`)), "Lost", "Lost"],
  [
    "half of a chunk",
    onRequest((socket) => socket.end(`${ok}transfer-encoding: chunked\r\n\r\n5\r\nab`)),
    "Lost",
    "Lost"
  ],
  ["a protocol that is not HTTP", onRequest((socket) => socket.end("220 smtp.example ready\r\n")), "Lost", "Lost"],
  [
    "an upgrade to another protocol",
    onRequest((socket) => socket.write("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n")),
    "Lost",
    "Lost"
  ]
] as const

/** Answers that never end: what the server sends first, and what it repeats. */
const endless = [
  ["its body", `${ok}\r\n`, "x".repeat(60_000)],
  ["its body in chunks of one byte", `${ok}transfer-encoding: chunked\r\n\r\n`, "1\r\nx\r\n".repeat(10_000)],
  ["its headers", ok, "x: y\r\n".repeat(1_000)],
  ["one header", `${ok}x: `, "y".repeat(60_000)]
] as const

/** The client's own pool, and what every runtime has. */
const wires = [
  ["undici", Wire.layerUndici(), 2],
  ["fetch", Wire.layerFetch(), 3]
] as const

describe.each(wires)("Wire over %s", (_name, layer, column) => {
  it.live.each(losses)("reports whether the request may have arrived: $0", (row) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(send(yield* row[1]))
      assert.strictEqual(error.reason, row[column])
      assert.notStrictEqual(error.code, "")
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.live("stops at the timeout in every stage of an answer", () =>
    Effect.gen(function* () {
      const stages = ["", "HTTP/1.1 200", `${ok}content-length: 9\r\n\r\n`, `${ok}content-length: 9\r\n\r\n{`]
      for (const stage of stages) {
        const error = yield* Effect.flip(send(yield* onRequest((socket) => socket.write(stage)), 150))
        assert.deepStrictEqual([error.reason, error.code], ["Lost", Wire.DEADLINE], stage)
      }
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.live.each(endless)("stops reading an answer that does not end: $0", ([_what, start, more]) =>
    Effect.gen(function* () {
      const url = yield* onRequest((socket) => {
        const write = () => socket.write(more, (error) => (error ? undefined : write()))
        socket.write(start, write)
      })
      assert.strictEqual((yield* Effect.flip(send(url))).reason, "Lost")
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.live("waits without limit if the timeout is infinite", () =>
    Effect.gen(function* () {
      const { url } = yield* Loopback.http((_received, response) => response.end("ok"))
      assert.strictEqual((yield* send(`${url}/`, Number.POSITIVE_INFINITY)).body, "ok")
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.live("sends the request and returns the answer unchanged", () =>
    Effect.gen(function* () {
      const values: Array<Loopback.Received> = []
      const { url } = yield* Loopback.http((received, response) => {
        values.push(received)
        response.writeHead(302, { location: "/elsewhere", "x-one": "1" }).end("é")
      })
      const answer = yield* send(`${url}/paynet/api/v2/sale/1`).pipe(Effect.withSpan("caller"))
      assert.deepStrictEqual([answer.status, answer.headers["x-one"], answer.body], [302, "1", "é"])
      assert.strictEqual(values.length, 1)
      assert.deepInclude(values[0], { method: "POST", path: "/paynet/api/v2/sale/1", body: "a=1&b=%C3%A9" })
      const headers = values[0]?.headers ?? {}
      assert.strictEqual(headers.accept, "application/vnd.pay+json")
      assert.strictEqual(headers["content-type"], "application/x-www-form-urlencoded")
      assert.doesNotHaveAnyKeys(headers, ["traceparent", "tracestate", "b3", "cookie"])
    }).pipe(Effect.provide(layer, { local: true }))
  )
})

const encodings = [
  ["gzip", gzipSync("é")],
  ["deflate", deflateSync("é")],
  ["br", brotliCompressSync("é")]
] as const

describe.each(wires)("a compressed answer over %s", (_name, layer) => {
  it.live.each(encodings)("is read, although none was asked for: $0", ([encoding, body]) =>
    Effect.gen(function* () {
      const { url } = yield* Loopback.http((_received, response) =>
        response.writeHead(200, { "content-encoding": encoding }).end(body)
      )
      assert.strictEqual((yield* send(`${url}/`)).body, "é")
    }).pipe(Effect.provide(layer, { local: true }))
  )

  it.live.each([
    ["that is not what it says", Buffer.from("{}")],
    ["that is longer than the limit after decompression", gzipSync(Buffer.alloc(100_000_000))]
  ] as const)("is lost: one $0", ([, body]) =>
    Effect.gen(function* () {
      const { url } = yield* Loopback.http((_received, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(body)
      )
      assert.strictEqual((yield* Effect.flip(send(`${url}/`))).reason, "Lost")
    }).pipe(Effect.provide(layer, { local: true }))
  )
})

describe("Wire over fetch", () => {
  it.live("stops at the size limit of a body after decompression", () =>
    Effect.gen(function* () {
      const { url } = yield* Loopback.http((_received, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(100_000_000)))
      )
      const error = yield* Effect.flip(send(`${url}/`))
      assert.deepStrictEqual([error.reason, error.code], ["Lost", "ANSWER_TOO_LARGE"])
    }).pipe(Effect.provide(Wire.layerFetch(), { local: true }))
  )
})

describe("Wire over undici", () => {
  it.live("trusts the configured certificate authority", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send(yield* secure)).body, "over TLS")
    }).pipe(Effect.provide(Wire.layerUndici({ certificateAuthority: certificate }), { local: true }))
  )

  it.live("reuses a socket, and replaces one that the server has closed", () =>
    Effect.gen(function* () {
      const sockets = new Set<Socket>()
      const { server, url } = yield* Loopback.http((_received, response) => response.end("ok"))
      server.on("connection", (socket) => sockets.add(socket))
      yield* send(`${url}/1`)
      yield* send(`${url}/2`)
      assert.strictEqual(sockets.size, 1)
      for (const socket of sockets) {
        yield* Effect.callback<void>((resume) => {
          socket.once("close", () => resume(Effect.void)).end()
        })
      }
      assert.strictEqual((yield* send(`${url}/3`)).body, "ok")
      assert.strictEqual(sockets.size, 2)
    }).pipe(Effect.provide(Wire.layerUndici({ connections: 1 }), { local: true }))
  )

  it.live("closes an idle socket at its own time, although the server offers to keep it longer", () =>
    Effect.gen(function* () {
      const { server, url } = yield* Loopback.http((_received, response) =>
        response.writeHead(200, { "keep-alive": "timeout=600" }).end("ok")
      )
      server.keepAliveTimeout = 600_000
      const closed = Effect.callback<void>((resume) => {
        server.once("connection", (socket) => socket.once("close", () => resume(Effect.void)))
      })
      const isClosed = yield* Effect.forkChild(closed, { startImmediately: true })
      yield* send(`${url}/`)
      yield* Fiber.join(isClosed)
    }).pipe(Effect.provide(Wire.layerUndici({ keepAliveMs: 20 }), { local: true }))
  )

  it.live("stops reading an answer above the size limit", () =>
    Effect.gen(function* () {
      const { url } = yield* Loopback.http((_received, response) => {
        const more = () => response.write("x".repeat(1_000), (error) => (error ? undefined : more()))
        more()
      })
      const error = yield* Effect.flip(send(`${url}/`))
      assert.deepStrictEqual([error.reason, error.code], ["Lost", "ANSWER_TOO_LARGE"])
    }).pipe(Effect.provide(Wire.layerUndici({ maxAnswerBytes: 5_000 }), { local: true }))
  )

  /** A server that answers when the test says so, and lists the requests that arrived. */
  const patient = Effect.gen(function* () {
    const arrived: Array<string> = []
    const sockets = new Set<Socket>()
    let answer: () => void = () => undefined
    const first = yield* Deferred.make<void>()
    const { server, url } = yield* Loopback.http(({ path = "" }, response) => {
      arrived.push(path)
      answer = () => response.end("ok")
      Deferred.doneUnsafe(first, Effect.void)
    })
    server.on("connection", (socket) => sockets.add(socket))
    return { arrived, sockets, url, first: Deferred.await(first), answer: () => answer() }
  })
  const startImmediately = { startImmediately: true }

  it.live("reports NotSent if no connection is free before the timeout", () =>
    Effect.gen(function* () {
      const { answer, arrived, first, sockets, url } = yield* patient
      const slow = yield* Effect.forkChild(send(`${url}/slow`), startImmediately)
      yield* first
      const late = yield* Effect.flip(send(`${url}/late`, 50))
      assert.deepStrictEqual([late.reason, late.code], ["NotSent", Wire.DEADLINE])
      const next = yield* Effect.forkChild(send(`${url}/next`), startImmediately)
      answer()
      yield* Fiber.join(slow)
      yield* Effect.repeat(Effect.yieldNow, { until: () => arrived.length === 2 })
      answer()
      assert.strictEqual((yield* Fiber.join(next)).body, "ok")
      assert.deepStrictEqual(arrived, ["/slow", "/next"])
      assert.strictEqual(sockets.size, 1)
    }).pipe(Effect.provide(Wire.layerUndici({ connections: 1 }), { local: true }))
  )

  it.live("closes the socket of an interrupted request, and never sends one that still waits", () =>
    Effect.gen(function* () {
      const { arrived, first, sockets, url } = yield* patient
      const slow = yield* Effect.forkChild(send(`${url}/slow`), startImmediately)
      yield* first
      const waiting = yield* Effect.forkChild(send(`${url}/waiting`), startImmediately)
      yield* Fiber.interrupt(waiting)
      const [socket] = sockets
      const closed = Effect.callback<void>((resume) => {
        socket?.once("close", () => resume(Effect.void))
      })
      yield* Effect.all([Fiber.interrupt(slow), closed], { concurrency: 2 })
      assert.deepStrictEqual(arrived, ["/slow"])
    }).pipe(Effect.provide(Wire.layerUndici({ connections: 1 }), { local: true }))
  )
})
