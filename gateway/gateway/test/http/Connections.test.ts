/** What connections may hold: each test sends what a client may send, and counts what the server still does or holds. */
import * as Http from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as Connections from "../../src/http/Connections.ts"
import * as RequestBody from "../../src/http/RequestBody.ts"

const limits: Connections.Options = {
  connections: 100,
  addressConnections: 100,
  idleConnectionMs: 60_000,
  unreadAnswerMs: 60_000,
  keyOf: () => undefined,
  onRefused: () => undefined
}

const get = "GET / HTTP/1.1\r\nHost: g\r\n\r\n"
const answered = (text: string): number => text.split("HTTP/1.1 200 OK").length - 1

/** A server that answers each request with so many bytes, and counts what it has begun. */
const serving = Effect.fnUntraced(function* (changes: Partial<Connections.Options> = {}, answerBytes = 2) {
  const counts = { begun: 0, refused: [] as string[] }
  const server = Http.createServer({ requestTimeout: 300, headersTimeout: 200, connectionsCheckingInterval: 50 })
  const connections = Connections.limit(server, {
    ...limits,
    onRefused: (peer) => counts.refused.push(peer),
    ...changes
  })
  server.on("request", (request, response) => {
    if (!connections.begin(request, response)) return
    counts.begun += 1
    RequestBody.read(request, 1_000_000, {
      onBody: () => {
        connections.received(request)
        response.end("x".repeat(answerBytes))
      },
      onRefused: ({ message }) => response.writeHead(413, { connection: "close" }).end(message)
    })
  })
  server.on("clientError", (_, socket: Socket) => {
    if (connections.fail(socket)) connections.end(socket, "HTTP/1.1 408 Request Timeout\r\nconnection: close\r\n\r\n")
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () => Effect.sync(() => server.close().closeAllConnections())
  )
  const address: AddressInfo | string | null = server.address()
  return { counts, port: typeof address === "object" ? (address?.port ?? 0) : 0, server }
})

const dial = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect({ host: "127.0.0.1", port, allowHalfOpen: true })
      socket.on("error", () => socket.destroy())
      socket.once("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Returns what arrives until it is enough, or until the server has ended the connection. */
const reads = (socket: Socket, isEnough: (text: string) => boolean = () => false) =>
  Effect.callback<string>((resume) => {
    let text = ""
    socket.on("data", (chunk) => {
      text += chunk
      if (isEnough(text)) resume(Effect.succeed(text))
    })
    for (const over of ["end", "close"]) socket.on(over, () => resume(Effect.succeed(text)))
  })

describe("a connection", () => {
  it.live("gets the answers to 100 requests that it sent at once, in their order", () =>
    Effect.gen(function* () {
      const { port } = yield* serving()
      const socket = yield* dial(port)
      socket.write(get.repeat(100))
      assert.strictEqual(answered(yield* reads(socket, (text) => answered(text) === 100)), 100)
    })
  )

  it.live("is destroyed when it sends thousands of requests at once, after 100 of them", () =>
    Effect.gen(function* () {
      const { counts, port } = yield* serving()
      const socket = yield* dial(port)
      socket.write(get.repeat(100_000))
      yield* reads(socket)
      assert.isAtMost(counts.begun, 100)
    })
  )

  it.live("is not read further while its client does not read its answers", () =>
    Effect.gen(function* () {
      const answerBytes = 256 * 1024
      const { counts, port } = yield* serving({}, answerBytes)
      const socket = (yield* dial(port)).pause()
      const post = `POST / HTTP/1.1\r\nHost: g\r\nContent-Length: 20000\r\n\r\n${"a".repeat(20_000)}`
      // One request at a time, until the client's side of the connection holds more than a megabyte that nobody takes.
      const write = (resume: (done: Effect.Effect<void>) => void): void => {
        if (socket.writableLength > 1_000_000 || socket.destroyed) resume(Effect.void)
        else {
          socket.write(post)
          setImmediate(write, resume)
        }
      }
      yield* Effect.callback<void>(write)
      assert.isFalse(socket.destroyed)
      // What the buffers of the system took counts as answered: some megabytes.
      assert.isBelow(counts.begun, 200)
    })
  )

  it.live("is closed with the answer to its thousandth request", () =>
    Effect.gen(function* () {
      const { port } = yield* serving()
      const socket = yield* dial(port)
      let sent = 0
      const isNext = (text: string) => {
        if (answered(text) < sent) return false
        sent += 1
        socket.write(get)
        return false
      }
      isNext("")
      const text = yield* reads(socket, isNext)
      assert.strictEqual(answered(text), 1000)
      assert.isAtMost(sent, 1001)
    })
  )

  it.live("begins no request after its thousandth", () =>
    Effect.gen(function* () {
      const { counts, port } = yield* serving()
      const socket = yield* dial(port)
      let sent = 0
      const isNext = (text: string) => {
        if (answered(text) < sent) return false
        sent += 90
        socket.write(get.repeat(90))
        return false
      }
      isNext("")
      assert.strictEqual(answered(yield* reads(socket, isNext)), 1000)
      assert.deepStrictEqual([counts.begun, sent], [1000, 1080])
    })
  )

  const idle: ReadonlyArray<readonly [string, Partial<Connections.Options>, number]> = [
    ["has no request", { idleConnectionMs: 1 }, 2],
    ["has answers that its client does not read", { unreadAnswerMs: 100 }, 64 * 1024 * 1024]
  ]
  for (const [what, changes, answerBytes] of idle) {
    it.live(`is closed after the time of its setting if it ${what}`, () =>
      Effect.gen(function* () {
        const { port, server } = yield* serving(changes, answerBytes)
        const closed = Effect.callback<void>((resume) => {
          server.once("connection", (socket) => socket.once("close", () => resume(Effect.void)))
        })
        const isClosed = yield* Effect.forkChild(closed, { startImmediately: true })
        const socket = yield* dial(port)
        socket.pause().write(get)
        yield* Fiber.join(isClosed)
      })
    )
  }

  it.live("is destroyed after its time is over, although the client keeps its side open", () =>
    Effect.gen(function* () {
      const { port, server } = yield* serving()
      const closed = Effect.callback<void>((resume) => {
        server.once("connection", (socket) => socket.once("close", () => resume(Effect.void)))
      })
      const isClosed = yield* Effect.forkChild(closed, { startImmediately: true })
      const socket = yield* dial(port)
      socket.write("POST / HTTP/1.1\r\nHost: g\r\nContent-Length: 5\r\n\r\na")
      assert.match(yield* reads(socket, (text) => text.includes("408")), /^HTTP\/1.1 408 /)
      yield* Fiber.join(isClosed)
      assert.isTrue(socket.writable, "the client has not closed it")
    })
  )
})

describe("a server", () => {
  const cases: ReadonlyArray<readonly [string, Partial<Connections.Options>, string]> = [
    ["in all", { connections: 2 }, ""],
    ["of one address", { addressConnections: 2, keyOf: (peer) => peer }, "127.0.0.1"]
  ]
  for (const [what, changes, refused] of cases) {
    it.live(`takes so many connections ${what}, refuses the next one, and takes another when one has closed`, () =>
      Effect.gen(function* () {
        const { counts, port, server } = yield* serving(changes)
        const [first] = yield* Effect.all([dial(port), dial(port)])
        const third = yield* dial(port)
        third.write(get)
        assert.strictEqual(yield* reads(third), "")
        assert.deepStrictEqual(counts.refused, [refused])
        const over = yield* Effect.forkChild(
          Effect.callback<void>((resume) => {
            const check = () => {
              server.getConnections((_, count) => {
                if (count < 2) resume(Effect.void)
                else setImmediate(check)
              })
            }
            check()
          })
        )
        first.destroy()
        yield* Fiber.join(over)
        const fourth = yield* dial(port)
        fourth.write(get)
        assert.strictEqual(answered(yield* reads(fourth, (text) => answered(text) === 1)), 1)
      })
    )
  }

  it.live("counts no connections of a peer without a key: its own proxies", () =>
    Effect.gen(function* () {
      const { counts, port } = yield* serving({ addressConnections: 1 })
      yield* Effect.all([dial(port), dial(port)])
      assert.deepStrictEqual(counts.refused, [])
    })
  )
})

describe("a body", () => {
  const chunked = (pieces: number) =>
    `POST / HTTP/1.1\r\nHost: g\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${"1\r\na\r\n".repeat(pieces)}0\r\n\r\n`
  const cases: ReadonlyArray<readonly [number, RegExp]> = [
    [RequestBody.mostPieces, /^HTTP\/1.1 200 /],
    [RequestBody.mostPieces + 1, /^HTTP\/1.1 413 [\s\S]*more than 1024 pieces/]
  ]
  for (const [pieces, answer] of cases) {
    it.live(`in ${pieces} chunks of one byte is answered with ${answer.source.slice(11, 14)}`, () =>
      Effect.gen(function* () {
        const socket = yield* dial((yield* serving()).port)
        socket.write(chunked(pieces))
        assert.match(yield* reads(socket), answer)
      })
    )
  }
})
