import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import * as AddressPolicy from "../../src/network/AddressPolicy.ts"
import { NameResolver } from "../../src/network/NameResolver.ts"
import * as Loopback from "./Loopback.ts"
import { names, reasonOf, send, sender, statusOf } from "./Shop.ts"

describe("a callback without a response", () => {
  const silent: RequestListener = () => {}

  it.live("ends at the deadline, with its connection", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(silent)
      yield* Effect.gen(function* () {
        const reason = yield* reasonOf(`http://shop.test:${server.port}/`)
        assert.strictEqual(reason, "TimedOut: no answer within 150 ms")
        yield* server.dropped
      }).pipe(Effect.provide(sender({ timeoutMs: 150 })))
    })
  )

  it.live("ends at the deadline although headers arrive slowly", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.tcp((socket) => {
        socket.write("HTTP/1.1 200 OK\r\nx-slow: ")
        const drip = setInterval(() => socket.write("x"), 10)
        socket.once("close", () => clearInterval(drip))
      })
      const reason = yield* Effect.provide(reasonOf(`http://shop.test:${server.port}/`), sender({ timeoutMs: 150 }))
      assert.strictEqual(reason, "TimedOut: no answer within 150 ms")
    })
  )

  it.live("ends at the deadline although the name server is silent", () =>
    Effect.gen(function* () {
      const silentNames = { layer: Layer.succeed(NameResolver, { resolve: () => Effect.never }), requestCount: () => 0 }
      const reason = yield* Effect.provide(reasonOf("http://shop.test/"), sender({ timeoutMs: 50 }, silentNames))
      assert.strictEqual(reason, "TimedOut: no answer within 50 ms")
    })
  )

  it.live("closes its connection when it is interrupted", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(silent)
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(send(`http://shop.test:${server.port}/`))
        yield* Effect.sync(() => server.requests.length).pipe(
          Effect.delay(5),
          Effect.repeat({ until: (count) => count > 0 })
        )
        yield* Fiber.interrupt(fiber)
        yield* server.dropped
      }).pipe(Effect.provide(sender()))
    })
  )

  it.live.each([
    ["a closed connection", "", "Broken: answer UND_ERR_SOCKET"],
    ["another protocol than HTTP", "SSH-2.0-OpenSSH_9.6\r\n", "Broken: answer HTTPParserError"],
    ["half a status line", "HTTP/1.1 20", "Broken: answer UND_ERR_SOCKET"],
    ["only an early hint", "HTTP/1.1 103 Early Hints\r\n\r\n", "Broken: answer UND_ERR_SOCKET"]
  ] as const)("fails with a reason after %s", ([, text, expected]) =>
    Effect.gen(function* () {
      const server = yield* Loopback.tcp((socket) => void socket.once("data", () => socket.end(text)))
      assert.strictEqual(yield* Effect.provide(reasonOf(`http://shop.test:${server.port}/`), sender()), expected)
    })
  )

  it.live("is sent again at once, on a new connection, if a kept one was closed without a word", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.tcp((socket) => {
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
          socket.once("data", () => socket.destroy())
        })
      })
      const url = `http://shop.test:${server.port}/`
      const layer = sender({ connectionsPerTarget: 1 })
      const statuses = yield* Effect.provide(Effect.all([statusOf(url), statusOf(url)]), layer)
      assert.deepStrictEqual([statuses, server.connections()], [[200, 200], 2])
    })
  )

  it.live("is not sent again at once if the connection was new", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.tcp((socket) => void socket.once("data", () => socket.destroy()))
      const reason = yield* Effect.provide(reasonOf(`http://shop.test:${server.port}/`), sender())
      assert.deepStrictEqual([reason, server.connections()], ["Broken: answer UND_ERR_SOCKET", 1])
    })
  )

  it.live("fails if the connection is refused", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(Loopback.http())
      const reason = yield* Effect.provide(reasonOf(`http://shop.test:${port}/`), sender())
      assert.strictEqual(reason, "Unreachable: connect ECONNREFUSED")
    })
  )

  it.live("tries the next address of the host if the first one refuses the connection", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const both = names(["127.0.0.2", "127.0.0.1"])
      const url = `http://shop.test:${server.port}/`
      const layer = sender({ policy: AddressPolicy.withLoopback }, both)
      assert.strictEqual(yield* Effect.provide(statusOf(url), layer), 200)
    })
  )

  it.live("fails if the host name does not exist", () =>
    Effect.gen(function* () {
      const reason = yield* Effect.provide(reasonOf("http://nowhere.test/"), sender())
      assert.strictEqual(reason, "Unresolved: name ENOTFOUND")
    })
  )

  it.live("fails if the host name has no addresses", () =>
    Effect.gen(function* () {
      const reason = yield* Effect.provide(reasonOf("http://shop.test/"), sender({}, names([])))
      assert.strictEqual(reason, "Unresolved: name without an address")
    })
  )

  it.live("fails at once if a header cannot be sent", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.provide(Effect.flip(send("http://127.0.0.1/", { "x-a": "\r\nx-b: c" })), sender())
      assert.strictEqual(failure.message, "connect UND_ERR_INVALID_ARG")
    })
  )
})
