/** Other spellings of the addresses of the customer's browser: what browsers, mail clients and issuers make of them. */
import { assert, describe, it } from "@effect/vitest"
import type { PayClient } from "@pay/transport/PayClient"
import { Effect, Option, Redacted } from "effect"
import * as CustomerBrowser from "../src/browser/CustomerBrowser.ts"
import * as WebCustomerBrowser from "../src/browser/WebCustomerBrowser.ts"
import type { FlowEngine } from "../src/engine/FlowEngine.ts"
import { awaitSignal } from "../src/engine/Steps.ts"
import * as Engine from "./Engine.ts"

/** A shop whose customer has to go to the issuer. */
const shop = Effect.gen(function* () {
  const { customerBrowser, web } = yield* WebCustomerBrowser.make({
    url: "https://shop.example/pay",
    secret: Redacted.make("of the shop"),
    ended: () => Effect.succeed(undefined)
  })
  const nextAction = { _tag: "Challenge", url: "https://acs.example", creq: "creq-1" } as const
  yield* customerBrowser.send({ clientOrderId: "INV 1", orderId: "1", nextAction })
  const isHeard = Effect.map(
    awaitSignal("heard", { key: CustomerBrowser.returnKey(Engine.merchant, "INV 1", "Challenge"), timeout: 0 }),
    Option.isSome
  )
  return { ...web, isHeard }
})

const spellings: ReadonlyArray<readonly [what: string, spell: (url: string) => string]> = [
  ["a slash at the end", (url) => `${url}/`],
  ["a slash and a parameter of a mailing", (url) => `${url}/?utm_source=mail`],
  ["a parameter of a social network", (url) => `${url}?fbclid=1`],
  ["a parameter without a question mark", (url) => `${url}&utm_source=mail`],
  ["an empty query and a fragment", (url) => `${url}?#top`],
  ["two slashes in a row", (url) => url.replace("/pay/", "/pay//").replace("/INV", "//INV")],
  ["an escaped letter", (url) => url.replace("INV", "%49NV")],
  ["a full stop", (url) => `${url}.`]
]

const run = <A, E>(program: Effect.Effect<A, E, FlowEngine | PayClient>) => Effect.provide(program, Engine.layer())

describe("the addresses of the customer's browser", () => {
  it.effect.each(spellings)("lead on and hear the issuer's answer with %s", ([, spell]) =>
    run(
      Effect.gen(function* () {
        const { backUrl, goUrl, isHeard, receive } = yield* shop
        assert.include((yield* receive({ method: "GET", url: spell(goUrl("INV 1")) })).body, "creq-1")
        yield* receive({ method: "POST", url: spell(backUrl("INV 1")), body: "cres=result" })
        assert.isTrue(yield* isHeard)
      })
    )
  )

  it.effect("hear nothing from a program that asks for headers", () =>
    run(
      Effect.gen(function* () {
        const { backUrl, goUrl, isHeard, receive } = yield* shop
        const reply = yield* receive({ method: "HEAD", url: backUrl("INV 1"), body: "cres=result" })
        assert.deepStrictEqual([reply.status, reply.headers.location], [303, goUrl("INV 1")])
        assert.isFalse(yield* isHeard)
        assert.include((yield* receive({ method: "GET", url: goUrl("INV 1") })).body, "creq-1")
      })
    )
  )

  it.effect("keep the button of a page to which a parameter was added", () =>
    run(
      Effect.gen(function* () {
        const { goUrl, receive } = yield* shop
        const body = (query: string) =>
          Effect.map(receive({ method: "GET", url: goUrl("INV 1") + query }), (reply) => reply.body)
        for (const query of ["?again", "?again&utm_source=mail", "?utm_source=mail&again#top"])
          assert.notInclude(yield* body(query), "<script", query)
        assert.include(yield* body("?against=1"), "<script")
      })
    )
  )
})
