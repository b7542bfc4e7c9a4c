import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AddressPolicy from "../../src/network/AddressPolicy.ts"
import * as Loopback from "./Loopback.ts"
import { names, reasonOf, send, sender, statusOf } from "./Shop.ts"

describe("a callback to a forbidden address", () => {
  it.live.each([
    ["http://127.0.0.1/", "Refused: 127.0.0.1 is a loopback address (RFC 1122)"],
    ["http://2130706433/", "Refused: 127.0.0.1 is a loopback address (RFC 1122)"],
    ["http://0x7f.1/", "Refused: 127.0.0.1 is a loopback address (RFC 1122)"],
    ["http://127.0.0.1./", "Refused: 127.0.0.1 is a loopback address (RFC 1122)"],
    ["http://169.254.169.254/latest/", "Refused: 169.254.169.254 is a link-local address (RFC 3927)"],
    ["http://[::1]/", "Refused: ::1 is the loopback address (RFC 4291)"],
    ["http://[::ffff:127.0.0.1]/", "Refused: ::ffff:7f00:1 is an IPv4-mapped address (RFC 4291)"],
    ["http://8.8.8.8:22/", "Refused: port 22 is not among 80, 443, 8080, 8443"],
    ["http://shop.test:25/", "Refused: port 25 is not among 80, 443, 8080, 8443"],
    ["ftp://8.8.8.8/", "Refused: address must be an absolute http or https address"],
    ["http://me:secret@8.8.8.8/", "Refused: address must not contain a user name or password"]
  ] as const)("is refused: %s", ([url, expected]) =>
    Effect.gen(function* () {
      const layer = sender({ policy: AddressPolicy.publicOnly }, names(["8.8.8.8"]))
      assert.strictEqual(yield* Effect.provide(reasonOf(url), layer), expected)
    })
  )

  it.live("is sent to IPv6 loopback if the deployment allows it", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(Loopback.http())
      const reason = yield* Effect.provide(
        reasonOf(`http://[::1]:${port}/`),
        sender({ policy: AddressPolicy.withLoopback })
      )
      assert.match(reason, /^Unreachable: connect E/)
    })
  )

  it.live("is refused when its host name changes to a forbidden address", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const internal = yield* Loopback.http(Loopback.ok, "127.0.0.2", server.port)
      const moving = names(["127.0.0.1"], ["127.0.0.2"])
      yield* Effect.gen(function* () {
        const url = `http://shop.test:${server.port}/`
        assert.strictEqual(yield* statusOf(url), 200)
        assert.strictEqual(moving.requestCount(), 1, "checked and connected with one answer of the name server")
        assert.strictEqual(yield* reasonOf(url), "Refused: 127.0.0.2 is a loopback address (RFC 1122)")
      }).pipe(Effect.provide(sender({}, moving)))
      assert.deepStrictEqual([server.requests.length, internal.requests.length], [1, 0])
    })
  )

  it.live("is sent to the new address of a host name, not over the open connection", () =>
    Effect.gen(function* () {
      const old = yield* Loopback.http()
      const moved = yield* Loopback.http(Loopback.ok, "127.0.0.2", old.port)
      const layer = sender({ policy: AddressPolicy.withLoopback }, names(["127.0.0.1"], ["127.0.0.2"]))
      yield* Effect.provide(Effect.repeat(send(`http://shop.test:${old.port}/`), { times: 1 }), layer)
      assert.deepStrictEqual([old.requests.length, moved.requests.length], [1, 1])
    })
  )

  it.live.each([[["127.0.0.1", "127.0.0.2"]], [["127.0.0.2", "127.0.0.1"]], [["::ffff:127.0.0.1", "127.0.0.1"]]])(
    "is sent only to the allowed addresses of the host: %j",
    ([addresses]) =>
      Effect.gen(function* () {
        const server = yield* Loopback.http()
        const forbidden = yield* Loopback.http(Loopback.ok, "127.0.0.2", server.port)
        const layer = sender({}, names(addresses ?? []))
        assert.strictEqual(yield* Effect.provide(statusOf(`http://shop.test:${server.port}/`), layer), 200)
        assert.deepStrictEqual([server.connections(), forbidden.connections()], [1, 0])
      })
  )

  it.live("is not sent to an allowed address that cannot be reached, nor then to a forbidden one", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(Loopback.http())
      const forbidden = yield* Loopback.http(Loopback.ok, "127.0.0.2", port)
      const layer = sender({}, names(["127.0.0.1", "127.0.0.2"]))
      const reason = yield* Effect.provide(reasonOf(`http://shop.test:${port}/`), layer)
      assert.strictEqual(reason, "Unreachable: connect ECONNREFUSED")
      assert.strictEqual(forbidden.connections(), 0)
    })
  )
})
