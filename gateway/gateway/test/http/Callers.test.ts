import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as Callers from "../../src/http/Callers.ts"
import * as RemoteAddress from "../../src/network/RemoteAddress.ts"

const proxies = RemoteAddress.proxies(["10.0.0.0/8"])

/** peer, its headers, the caller, and the warning after two such requests. */
const table: ReadonlyArray<readonly [string, Callers.Request["headers"], string, string | undefined]> = [
  ["10.1.2.3", {}, "10.1.2.3", undefined],
  ["10.1.2.3", { "x-forwarded-for": "198.51.100.1:5001", via: "1.1 p" }, "198.51.100.1", undefined],
  ["10.1.2.3", { "x-forwarded-for": "unknown" }, "", 'sends "unknown" in X-Forwarded-For'],
  ["10.1.2.3", { forwarded: 'for="[2001:db8::1]:_port"' }, "10.1.2.3", "in another header than X-Forwarded-For"],
  ["10.1.2.3", { "x-real-ip": "198.51.100.1" }, "10.1.2.3", "in another header than X-Forwarded-For"],
  ["203.0.113.7", { forwarded: "for=198.51.100.1" }, "203.0.113.7", "is not among trustedProxies"]
]

describe("the caller of a request", () => {
  it.effect.each(table)("from %s with %j is %j, and the log warns once at most", ([peer, headers, caller, warning]) =>
    Effect.gen(function* () {
      assert.isDefined(proxies)
      if (proxies === undefined) return
      const lines: Array<string> = []
      const warnings: Array<Effect.Effect<void>> = []
      const addressOf = Callers.make(proxies, (log) => void warnings.push(log))
      const request = { headers, socket: { remoteAddress: peer } }
      assert.deepStrictEqual([addressOf(request), addressOf(request)], [caller, caller])
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      yield* Effect.provide(Effect.all(warnings), Logger.layer([logger]))
      assert.strictEqual(lines.length, warning === undefined ? 0 : 1)
      assert.include(lines.join(), warning ?? "")
    })
  )
})
