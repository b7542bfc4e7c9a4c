import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Result } from "effect"
import * as Loopback from "./Loopback.ts"
import { reasonOf, send, sender } from "./Shop.ts"

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "tls", name))
const authority = fixture("authority.pem").toString()

describe("a callback over https", () => {
  const tls = (pem: string, ca: string | undefined, host = "shop.test") =>
    Effect.gen(function* () {
      const server = yield* Loopback.https(fixture(pem))
      const outcome = yield* Effect.provide(Effect.result(send(`https://${host}:${server.port}/`)), sender({ ca }))
      return {
        outcome: Result.isSuccess(outcome) ? outcome.success.status : outcome.failure.message,
        requests: server.requests,
        serverNames: server.serverNames
      }
    })

  it.live("sends the host name as SNI and Host, and checks the certificate for it", () =>
    Effect.gen(function* () {
      const { outcome, requests, serverNames } = yield* tls("shop.pem", authority)
      assert.deepStrictEqual([outcome, serverNames], [200, ["shop.test"]])
      assert.match(requests[0]?.headers.host ?? "", /^shop\.test:\d+$/)
    })
  )

  it.live("sends a host name with a trailing dot without the dot as SNI", () =>
    Effect.gen(function* () {
      const { outcome, serverNames } = yield* tls("shop.pem", authority, "shop.test.")
      assert.deepStrictEqual([outcome, serverNames], [200, ["shop.test"]])
    })
  )

  it.live.each([
    ["an unknown authority", "shop.pem", undefined, "certificate UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["a self-signed certificate", "selfSigned.pem", undefined, "certificate DEPTH_ZERO_SELF_SIGNED_CERT"],
    [
      "a self-signed certificate beside a private authority",
      "selfSigned.pem",
      authority,
      "certificate DEPTH_ZERO_SELF_SIGNED_CERT"
    ],
    ["another host's certificate", "other.pem", authority, "certificate ERR_TLS_CERT_ALTNAME_INVALID"]
  ] as const)("refuses %s", ([, pem, ca, expected]) =>
    Effect.gen(function* () {
      const { outcome, requests } = yield* tls(pem, ca)
      assert.deepStrictEqual([outcome, requests.length], [expected, 0])
    })
  )

  it.live("refuses the certificate of a host name for an IP address", () =>
    Effect.gen(function* () {
      const { outcome } = yield* tls("shop.pem", authority, "127.0.0.1")
      assert.strictEqual(outcome, "certificate ERR_TLS_CERT_ALTNAME_INVALID")
    })
  )

  it.live("checks the certificate whatever the environment variables say", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0")),
        () => Effect.sync(() => vi.unstubAllEnvs())
      )
      const { outcome } = yield* tls("selfSigned.pem", undefined)
      assert.strictEqual(outcome, "certificate DEPTH_ZERO_SELF_SIGNED_CERT")
    })
  )

  it.live("fails if the server speaks plain http", () =>
    Effect.gen(function* () {
      const server = yield* Loopback.http()
      const reason = yield* Effect.provide(reasonOf(`https://shop.test:${server.port}/`), sender())
      assert.match(reason, /^Unreachable: connect ERR_SSL_/)
    })
  )
})
