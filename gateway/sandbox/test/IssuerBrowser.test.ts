/** The gateway's pages and the issuer's on one port, visited by a browser that has forms and nothing else. */
import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"
import * as Sandbox from "../src/Sandbox.ts"
import { numberOf } from "./Paying.ts"

const { SALE } = PayApi.operations

interface Page {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly text: string
}

const attribute = (tag: string, name: string): string => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ""

/** Opens an address, or sends what the first form of the page before holds, with what a person adds to it. */
const open = (url: string, form?: Readonly<Record<string, string>>): Effect.Effect<Page> =>
  Effect.promise(async () => {
    const answer = await fetch(url, form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    const text = await answer.text()
    const [, tag = ""] = /<form([^>]*)>/.exec(text) ?? []
    const inputs = [...text.matchAll(/<input type="hidden"[^>]*>/g)].map(([input]) => input)
    return {
      action: attribute(tag, "action") || answer.url,
      fields: Object.fromEntries(inputs.map((input) => [attribute(input, "name"), attribute(input, "value")])),
      text
    }
  })

const acts = [
  ["the password", { action: "confirm", password: "hint" }, "approved"],
  ["the cancel button", { action: "cancel" }, "declined"]
] as const

it.effect.each(acts)(
  "a browser with %s goes from the gateway to the issuer and back, and the sale is %s",
  ([, act, outcome]) =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const fields = yield* Effect.orDie(Effect.fromResult(SALE.decodeFields(Sample.request(SALE))))
      yield* pay.sale({
        ...fields,
        client_orderid: "INV-1",
        credit_card_number: Redacted.make(numberOf("challenge")),
        redirect_url: "https://shop.example/back"
      })
      yield* Sandbox.settled
      const status = pay.status({ client_orderid: "INV-1" })
      const first = yield* open((yield* status)["redirect-to"] ?? "")
      assert.strictEqual(new URL(first.action).pathname, "/acs/challenge")
      const request = yield* open(first.action, first.fields)
      assert.include(request.text, "Confirm your payment")
      const decided = yield* open(request.action, { ...request.fields, ...act })
      assert.match(new URL(decided.action).pathname, /^\/3ds\/[\w-]+\/challenge$/)
      yield* open(decided.action, decided.fields)
      yield* Sandbox.settled
      assert.strictEqual((yield* status).status, outcome)
    }).pipe(Effect.provide(Sandbox.listen({ endpointId: Sandbox.endpoints.threeds3dsGateway })))
)
