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

describe("CallbackPools", () => {
  it.effect("one pool for each scheme, host, port and address", () =>
    Effect.gen(function* () {
      const kept = yield* pools
      const first = kept.get(target("a.test"), "127.0.0.1")
      assert.strictEqual(kept.get(target("a.test"), "127.0.0.1"), first)
      for (const other of [
        kept.get(target("a.test"), "127.0.0.2"),
        kept.get(target("b.test"), "127.0.0.1"),
        kept.get(target("a.test", 8080), "127.0.0.1"),
        kept.get({ ...target("a.test"), secure: true }, "127.0.0.1")
      ]) {
        assert.notStrictEqual(other, first)
      }
    })
  )

  it.effect("never more than allowed: the one unused for longest goes", () =>
    Effect.gen(function* () {
      const kept = yield* pools
      const a = kept.get(target("a.test"), "127.0.0.1")
      const b = kept.get(target("b.test"), "127.0.0.1")
      assert.strictEqual(kept.get(target("a.test"), "127.0.0.1"), a)
      kept.get(target("c.test"), "127.0.0.1")
      assert.deepStrictEqual([kept.size(), a.closed, b.closed], [2, false, true])
    })
  )

  it.live("a pool whose last connection has ended is given up", () =>
    Effect.gen(function* () {
      const kept = yield* pools
      const server = yield* Loopback.http((_, response) => void response.writeHead(200, { connection: "close" }).end())
      const pool = kept.get(target("a.test", server.port), "127.0.0.1")
      const disconnected = once(pool, "disconnect")
      yield* Effect.promise(() => pool.request({ method: "GET", path: "/" }).then(({ body }) => body.dump()))
      yield* Effect.promise(() => disconnected)
      assert.deepStrictEqual([kept.size(), pool.closed], [0, true])
    })
  )

  it.live("and so is one whose connection failed", () =>
    Effect.gen(function* () {
      const kept = yield* pools
      const { port } = yield* Effect.scoped(Loopback.http())
      const pool = kept.get(target("a.test", port), "127.0.0.1")
      const failed = yield* Effect.promise(() => pool.request({ method: "GET", path: "/" }).catch(({ code }) => code))
      assert.deepStrictEqual([failed, kept.size()], ["ECONNREFUSED", 0])
    })
  )

  it.live("no more connections to one target than allowed", () =>
    Effect.gen(function* () {
      const kept = yield* pools
      const server = yield* Loopback.http()
      const pool = kept.get(target("a.test", server.port), "127.0.0.1")
      const ask = () => pool.request({ method: "GET", path: "/" }).then(({ body }) => body.dump())
      yield* Effect.promise(() => Promise.all(Array.from({ length: 8 }, ask)))
      assert.deepStrictEqual([server.requests.length, server.connections()], [8, 2])
    })
  )
})
