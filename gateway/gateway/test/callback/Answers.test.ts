import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from "undici"
import * as Loopback from "./Loopback.ts"
import { send, sender, statusOf } from "./Shop.ts"

describe("the request of a callback", () => {
  it.live("is a GET with the path, query, headers and host name of the callback", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      yield* Effect.gen(function* () {
        const url = `http://shop.test:${server.port}/paid/%7Ba%7D?id=7&a=%20+b`
        assert.deepStrictEqual(yield* send(url, { "webhook-id": "1-1" }), { status: 200 })
      }).pipe(Effect.provide(sender()))
      const [request] = server.requests
      assert.strictEqual(request?.method, "GET")
      assert.strictEqual(request?.url, "/paid/%7Ba%7D?id=7&a=%20+b")
      assert.strictEqual(request?.headers.host, `shop.test:${server.port}`)
      assert.strictEqual(request?.headers["webhook-id"], "1-1")
      assert.strictEqual(request?.headers["user-agent"], "pay-gateway")
    })
  )

  it.live("reuses its connection, which is closed when the sender stops", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const url = `http://127.0.0.1:${server.port}/`
      yield* Effect.provide(Effect.repeat(send(url), { times: 9 }), sender())
      yield* server.dropped
      assert.strictEqual(server.requests.length, 10)
      assert.isAtMost(server.connections(), 2, "one connection is idle while the other is in use")
    })
  )

  it.live("does not go through the proxy of the process", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const before = getGlobalDispatcher()
      yield* Effect.acquireRelease(
        Effect.sync(() => setGlobalDispatcher(new ProxyAgent("http://127.0.0.1:9"))),
        () => Effect.sync(() => setGlobalDispatcher(before))
      )
      assert.strictEqual(yield* Effect.provide(statusOf(`http://127.0.0.1:${server.port}/`), sender()), 200)
    })
  )
})

describe("the response to a callback", () => {
  it.live.each([200, 201, 204, 301, 302, 307, 404, 500, 503])("is the status %i, without a second request", (status) =>
    Effect.gen(function* () {
      const internal = yield* Loopback.http()
      const server = yield* Loopback.http((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${internal.port}/admin` }).end()
      })
      assert.strictEqual(yield* Effect.provide(statusOf(`http://shop.test:${server.port}/`), sender()), status)
      assert.deepStrictEqual([server.requests.length, internal.requests.length], [1, 0])
    })
  )

  it.live("is not an early hint", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http((_, response) => {
        response.writeEarlyHints({ link: "</x>; rel=preload" })
        response.writeHead(404).end()
      })
      assert.strictEqual(yield* Effect.provide(statusOf(`http://shop.test:${server.port}/`), sender()), 404)
    })
  )

  const endless: RequestListener = (_, response) => {
    const more = () => void (response.destroyed || response.write(Buffer.alloc(1024), () => setImmediate(more)))
    more()
  }
  const unfinished: RequestListener = (_, response) => void response.write("O")

  it.live("is read up to 4 KiB of an endless body", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(endless)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* statusOf(`http://shop.test:${server.port}/`), 200)
        yield* server.dropped
      }).pipe(Effect.provide(sender({ drainMs: 600_000 })))
    })
  )

  it.live("leaves the connection open if its body has 4 KiB", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http((_, response) => void response.end(Buffer.alloc(4096)))
      yield* Effect.provide(Effect.repeat(send(`http://shop.test:${server.port}/`), { times: 9 }), sender())
      assert.isAtMost(server.connections(), 2)
    })
  )

  it.live("does not wait for a body that never ends", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(unfinished)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* statusOf(`http://shop.test:${server.port}/`), 200)
        yield* server.dropped
      }).pipe(Effect.provide(sender({ drainMs: 20 })))
    })
  )
})
