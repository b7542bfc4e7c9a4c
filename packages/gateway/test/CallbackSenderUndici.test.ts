import { readFileSync } from "node:fs"
import type { RequestListener } from "node:http"
import { join } from "node:path"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { getGlobalDispatcher, ProxyAgent, setGlobalDispatcher } from "undici"
import * as CallbackSenderUndici from "../src/CallbackSenderUndici.ts"
import * as AddressPolicy from "../src/domain/AddressPolicy.ts"
import { CallbackSender } from "../src/ports/CallbackSender.ts"
import { NameResolver, NotResolved } from "../src/ports/NameResolver.ts"
import * as Loopback from "./Loopback.ts"

/** One address of the machine stands for the public internet; `127.0.0.2` stands for what is behind the firewall. */
const policy = Result.getOrThrow(
  AddressPolicy.make({ allowRanges: ["127.0.0.1/32"], anyPortRanges: ["127.0.0.0/8", "::1/128"] })
)

/** `shop.test` has these addresses, each question the next answer; other names have none. */
const shop = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  let asked = 0
  const layer = Layer.succeed(NameResolver, {
    resolve: (name) => {
      const answer = name.startsWith("shop.test") ? answers[Math.min(asked, answers.length - 1)] : undefined
      asked += 1
      return answer === undefined ? Effect.fail(new NotResolved({ message: "ENOTFOUND" })) : Effect.succeed(answer)
    }
  })
  return { layer, asked: () => asked }
}

const sender = (options: Partial<CallbackSenderUndici.Options> = {}, names = shop(["127.0.0.1"])) =>
  Layer.provide(CallbackSenderUndici.layer({ policy, ...options }), names.layer)

const send = (url: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(CallbackSender, (callbacks) => callbacks.send({ url, headers }))

const statusOf = (url: string) => Effect.map(send(url), ({ status }) => status)

/** Every reason's text has to fit the delivery log. */
const reasonOf = (url: string) =>
  Effect.map(Effect.flip(send(url)), (failure) => {
    assert.match(failure.message, /^[\x20-\x7e]{1,120}$/)
    return `${failure.reason._tag}: ${failure.message}`
  })

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "tls", name))
const authority = fixture("authority.pem").toString()

describe("CallbackSender: what is sent", () => {
  it.live("a GET with path, query and headers as given, to the host by its name", () =>
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
    })
  )

  it.live("connections are used again, and closed at the end", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const url = `http://127.0.0.1:${server.port}/`
      yield* Effect.provide(Effect.repeat(send(url), { times: 9 }), sender())
      yield* server.dropped
      assert.strictEqual(server.requests.length, 10)
      assert.isAtMost(server.connections(), 2, "one rests while the other works")
    })
  )

  it.live("nothing goes through the process-wide proxy", () =>
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

describe("CallbackSender: what the answer is", () => {
  it.live.each([200, 201, 204, 301, 302, 307, 404, 500, 503])("status %i, and no second request", (status) =>
    Effect.gen(function* () {
      const inside = yield* Loopback.http()
      const server = yield* Loopback.http((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${inside.port}/admin` }).end()
      })
      assert.strictEqual(yield* Effect.provide(statusOf(`http://shop.test:${server.port}/`), sender()), status)
      assert.deepStrictEqual([server.requests.length, inside.requests.length], [1, 0])
    })
  )

  it.live("an early hint is not the status", () =>
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

  it.live("an endless body is cut off after 4 KiB", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(endless)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* statusOf(`http://shop.test:${server.port}/`), 200)
        yield* server.dropped
      }).pipe(Effect.provide(sender({ drainMs: 600_000 })))
    })
  )

  it.live("a body of 4 KiB keeps the connection", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http((_, response) => void response.end(Buffer.alloc(4096)))
      yield* Effect.provide(Effect.repeat(send(`http://shop.test:${server.port}/`), { times: 9 }), sender())
      assert.isAtMost(server.connections(), 2)
    })
  )

  it.live("a body that never ends is not waited for", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http(unfinished)
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* statusOf(`http://shop.test:${server.port}/`), 200)
        yield* server.dropped
      }).pipe(Effect.provide(sender({ drainMs: 20 })))
    })
  )
})

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
      const silent = { layer: Layer.succeed(NameResolver, { resolve: () => Effect.never }), asked: () => 0 }
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
    ["half a status", "HTTP/1.1 20", "Broken: answer UND_ERR_SOCKET"]
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
      const both = shop(["127.0.0.2", "127.0.0.1"])
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
      const reason = yield* Effect.provide(reasonOf("http://shop.test/"), sender({}, shop([])))
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

describe("CallbackSender: what is refused", () => {
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
  ] as const)("%s", ([url, expected]) =>
    Effect.gen(function* () {
      const layer = sender({ policy: AddressPolicy.publicOnly }, shop(["8.8.8.8"]))
      assert.strictEqual(yield* Effect.provide(reasonOf(url), layer), expected)
    })
  )

  it.live("IPv6 loopback where the deployment allows it: the connection is tried", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(Loopback.http())
      const reason = yield* Effect.provide(
        reasonOf(`http://[::1]:${port}/`),
        sender({ policy: AddressPolicy.withLoopback })
      )
      assert.match(reason, /^Unreachable: connect E/)
    })
  )

  it.live("a name that resolves elsewhere at the second try", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const inside = yield* Loopback.http(Loopback.ok, "127.0.0.2", server.port)
      const names = shop(["127.0.0.1"], ["127.0.0.2"])
      yield* Effect.gen(function* () {
        const url = `http://shop.test:${server.port}/`
        assert.strictEqual(yield* statusOf(url), 200)
        assert.strictEqual(names.asked(), 1, "judged and connected by one answer of the name server")
        assert.strictEqual(yield* reasonOf(url), "Refused: 127.0.0.2 is a loopback address (RFC 1122)")
      }).pipe(Effect.provide(sender({}, names)))
      assert.deepStrictEqual([server.requests.length, inside.requests.length], [1, 0])
    })
  )

  it.live("a name that has moved is followed to its new address, not to the open connection", () =>
    Effect.gen(function* () {
      const old = yield* Loopback.http()
      const moved = yield* Loopback.http(Loopback.ok, "127.0.0.2", old.port)
      const layer = sender({ policy: AddressPolicy.withLoopback }, shop(["127.0.0.1"], ["127.0.0.2"]))
      yield* Effect.provide(Effect.repeat(send(`http://shop.test:${old.port}/`), { times: 1 }), layer)
      assert.deepStrictEqual([old.requests.length, moved.requests.length], [1, 1])
    })
  )

  it.live.each([[["127.0.0.1", "127.0.0.2"]], [["127.0.0.2", "127.0.0.1"]], [["127.0.0.1", "::ffff:127.0.0.1"]]])(
    "one bad address refuses all: %j",
    ([addresses]) =>
      Effect.gen(function* () {
        const server = yield* Loopback.http()
        const reason = yield* Effect.provide(
          reasonOf(`http://shop.test:${server.port}/`),
          sender({}, shop(addresses ?? []))
        )
        assert.match(reason, /^Refused: /)
        assert.strictEqual(server.connections(), 0)
      })
  )
})

describe("CallbackSender: https", () => {
  const tls = (pem: string, ca: string | undefined, host = "shop.test") =>
    Effect.gen(function* () {
      const server = yield* Loopback.https(fixture(pem))
      const outcome = yield* Effect.provide(Effect.result(send(`https://${host}:${server.port}/`)), sender({ ca }))
      return {
        outcome: Result.isSuccess(outcome) ? outcome.success.status : outcome.failure.message,
        requests: server.requests
      }
    })

  it.live("the name goes into SNI and Host, and is what the certificate is checked for", () =>
    Effect.gen(function* () {
      const { outcome, requests } = yield* tls("shop.pem", authority)
      assert.strictEqual(outcome, 200)
      assert.match(requests[0]?.headers.host ?? "", /^shop\.test:\d+$/)
    })
  )

  it.live("a trailing dot belongs to the name, not to SNI", () =>
    Effect.gen(function* () {
      const { outcome } = yield* tls("shop.pem", authority, "shop.test.")
      assert.strictEqual(outcome, 200)
    })
  )

  it.live.each([
    ["an unknown authority", "shop.pem", undefined, "certificate UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["a self-signed certificate", "selfSigned.pem", undefined, "certificate DEPTH_ZERO_SELF_SIGNED_CERT"],
    [
      "a self-signed one beside a private authority",
      "selfSigned.pem",
      authority,
      "certificate DEPTH_ZERO_SELF_SIGNED_CERT"
    ],
    ["another host's certificate", "other.pem", authority, "certificate ERR_TLS_CERT_ALTNAME_INVALID"]
  ] as const)("%s is refused", ([, pem, ca, expected]) =>
    Effect.gen(function* () {
      const { outcome, requests } = yield* tls(pem, ca)
      assert.deepStrictEqual([outcome, requests.length], [expected, 0])
    })
  )

  it.live("the address alone does not pass for the host", () =>
    Effect.gen(function* () {
      const { outcome } = yield* tls("shop.pem", authority, "127.0.0.1")
      assert.strictEqual(outcome, "certificate ERR_TLS_CERT_ALTNAME_INVALID")
    })
  )

  it.live("no environment variable turns the check off", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")),
        () => Effect.sync(() => vi.unstubAllEnvs())
      )
      const { outcome } = yield* tls("selfSigned.pem", undefined)
      assert.strictEqual(outcome, "certificate DEPTH_ZERO_SELF_SIGNED_CERT")
    })
  )

  it.live("plain http on the other side", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const reason = yield* Effect.provide(reasonOf(`https://shop.test:${server.port}/`), sender())
      assert.match(reason, /^Unreachable: connect ERR_SSL_/)
    })
  )
})
