import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HostedPages } from "../../src/http/pages/HostedPages.ts"
import * as ScriptedGateway from "../threeds/ScriptedGateway.ts"

const ask = (method: string, path: string, accept: string) =>
  Effect.flatMap(HostedPages, (pages) =>
    pages({
      method,
      path,
      query: "",
      headers: { accept },
      body: "",
      remoteAddress: "203.0.113.9",
      publicBaseUrl: ScriptedGateway.baseUrl
    })
  )

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const others = [
  ["a program", "GET", "/", "*/*"],
  ["a merchant's program", "GET", "/", "application/vnd.pay+json"],
  ["a posted form", "POST", "/", browser],
  ["a browser at another path", "GET", "/nothing", browser]
] as const

describe("the gateway's home page", () => {
  it.effect("says to a browser that this is a payment gateway", () =>
    Effect.gen(function* () {
      const answer = yield* ask("GET", "/", browser)
      assert.strictEqual(answer?.status, 200)
      assert.include(answer?.body ?? "", "<h1>This is a payment gateway</h1>")
      assert.strictEqual((yield* ask("HEAD", "/", browser))?.status, 200)
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )

  it.effect.each(others)("is not sent to %s", ([, method, path, accept]) =>
    Effect.gen(function* () {
      assert.isUndefined(yield* ask(method, path, accept))
    }).pipe(Effect.provide(ScriptedGateway.layer(ScriptedGateway.make())))
  )
})
