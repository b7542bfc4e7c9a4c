import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as CallbackPools from "../../src/callbacks/CallbackPools.ts"
import * as Loopback from "./Loopback.ts"

const options: CallbackPools.Options = {
  connectTimeoutMs: 1000,
  connectionsPerTarget: 2,
  maxTargets: 2,
  ca: undefined
}

const pools = Effect.acquireRelease(
  Effect.sync(() => CallbackPools.make(options)),
  (pools) => Effect.promise(pools.destroy)
)

const target = (host: string, port = 80) => ({ secure: false, host, literal: false, port, path: "/" })

describe("the connection pools of callbacks", () => {
  it.effect("are separate for each scheme, host, port and address", () =>
    Effect.gen(function* () {
      const manager = yield* pools
      const first = manager.get(target("a.test"), ["127.0.0.1"])
      assert.strictEqual(manager.get(target("a.test"), ["127.0.0.1"]), first)
      for (const other of [
        manager.get(target("a.test"), ["127.0.0.2"]),
        manager.get(target("b.test"), ["127.0.0.1"]),
        manager.get(target("a.test", 8080), ["127.0.0.1"]),
        manager.get({ ...target("a.test"), secure: true }, ["127.0.0.1"])
      ]) {
        assert.notStrictEqual(other, first)
      }
    })
  )

  it.effect("never exceed the limit: the pool unused for longest is closed", () =>
    Effect.gen(function* () {
      const manager = yield* pools
      const a = manager.get(target("a.test"), ["127.0.0.1"])
      const b = manager.get(target("b.test"), ["127.0.0.1"])
      assert.strictEqual(manager.get(target("a.test"), ["127.0.0.1"]), a)
      manager.get(target("c.test"), ["127.0.0.1"])
      assert.deepStrictEqual([manager.size(), a.closed, b.closed], [2, false, true])
    })
  )

  it.live("are closed when their last connection has ended", () =>
    Effect.gen(function* () {
      const manager = yield* pools
      const server = yield* Loopback.http((_, response) => void response.writeHead(200, { connection: "close" }).end())
      const pool = manager.get(target("a.test", server.port), ["127.0.0.1"])
      const disconnected = once(pool, "disconnect")
      yield* Effect.promise(() => pool.request({ method: "GET", path: "/" }).then(({ body }) => body.dump()))
      yield* Effect.promise(() => disconnected)
      assert.deepStrictEqual([manager.size(), pool.closed], [0, true])
    })
  )

  it.live("are closed when their connection failed", () =>
    Effect.gen(function* () {
      const manager = yield* pools
      const { port } = yield* Effect.scoped(Loopback.http())
      const pool = manager.get(target("a.test", port), ["127.0.0.1"])
      const failed = yield* Effect.promise(() => pool.request({ method: "GET", path: "/" }).catch(({ code }) => code))
      assert.deepStrictEqual([failed, manager.size()], ["ECONNREFUSED", 0])
    })
  )

  it.live("open no more connections to one target than the limit", () =>
    Effect.gen(function* () {
      const manager = yield* pools
      const server = yield* Loopback.http()
      const pool = manager.get(target("a.test", server.port), ["127.0.0.1"])
      const ask = () => pool.request({ method: "GET", path: "/" }).then(({ body }) => body.dump())
      yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, ask)))
      assert.deepStrictEqual([server.requests.length, server.connections()], [8, 2])
    })
  )
})
