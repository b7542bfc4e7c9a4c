import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import * as AddressPolicy from "../../src/network/AddressPolicy.ts"
import { NameResolver } from "../../src/network/NameResolver.ts"
import * as Loopback from "./Loopback.ts"
import { names, reasonOf, send, sender, statusOf } from "./Shop.ts"

describe("CallbackSender: no answer", () => {
  const nothing: RequestListener = () => {}

  it.live("silence ends at the deadline, and so does the connection", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(nothing)
      yield* Effect.gen(function* () {
        const reason = yield* reasonOf(`http://shop.test:${server.port}/`)
        assert.strictEqual(reason, "TimedOut: no answer within 150 ms")
        yield* server.dropped
      }).pipe(Effect.provide(sender({ timeoutMs: 150 })))
    })
  )

  it.live("headers that drip do not stretch it", () =>
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

  it.live("nor does a name server that says nothing", () =>
    Effect.gen(function* () {
      const silent = { layer: Layer.succeed(NameResolver, { resolve: () => Effect.never }), requestCount: () => 0 }
      const reason = yield* Effect.provide(reasonOf("http://shop.test/"), sender({ timeoutMs: 50 }, silent))
      assert.strictEqual(reason, "TimedOut: no answer within 50 ms")
    })
  )

  it.live("interrupted, the request is dropped", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(nothing)
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
    ["something else than HTTP", "SSH-2.0-OpenSSH_9.6\r\n", "Broken: answer HTTPParserError"],
    ["half a status", "HTTP/1.1 20", "Broken: answer UND_ERR_SOCKET"],
    ["only a hint", "HTTP/1.1 103 Early Hints\r\n\r\n", "Broken: answer UND_ERR_SOCKET"]
  ] as const)("%s", ([, text, expected]) =>
    Effect.gen(function* () {
      const server = yield* Loopback.tcp((socket) => void socket.once("data", () => socket.end(text)))
      assert.strictEqual(yield* Effect.provide(reasonOf(`http://shop.test:${server.port}/`), sender()), expected)
    })
  )

  it.live("nobody listens", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(Loopback.http())
      const reason = yield* Effect.provide(reasonOf(`http://shop.test:${port}/`), sender())
      assert.strictEqual(reason, "Unreachable: connect ECONNREFUSED")
    })
  )

  it.live("a host's next address is tried when nobody listens on the first", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const both = names(["127.0.0.2", "127.0.0.1"])
      const url = `http://shop.test:${server.port}/`
      const layer = sender({ policy: AddressPolicy.withLoopback }, both)
      assert.strictEqual(yield* Effect.provide(statusOf(url), layer), 200)
    })
  )

  it.live("no such name", () =>
    Effect.gen(function* () {
      const reason = yield* Effect.provide(reasonOf("http://nowhere.test/"), sender())
      assert.strictEqual(reason, "Unresolved: name ENOTFOUND")
    })
  )

  it.live("a name without addresses", () =>
    Effect.gen(function* () {
      const reason = yield* Effect.provide(reasonOf("http://shop.test/"), sender({}, names([])))
      assert.strictEqual(reason, "Unresolved: name without an address")
    })
  )

  it.live("a header that cannot be sent is a failure, not a hang", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.provide(Effect.flip(send("http://127.0.0.1/", { "x-a": "\r\nx-b: c" })), sender())
      assert.strictEqual(failure.message, "connect UND_ERR_INVALID_ARG")
    })
  )
})
