import { assert, describe, layer } from "@effect/vitest"
import * as Directory from "@pay/gateway/Directory"
import { CallbackEvent, Order, VelocityEntry } from "@pay/gateway/Entities"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Schema } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { SALE } = PayApi.operations
const { controlKey, endpoints, login, saleFields } = TestGateway

type Fields = Readonly<Record<string, string>>

/** The sandbox's merchant, with these rules on the endpoint for dollars. */
const gateway = (risk: object, settings: Parameters<typeof TestGateway.layer>[0] = {}) =>
  TestGateway.layer({
    ...settings,
    merchants: Schema.decodeUnknownSync(Directory.Config)([
      {
        login,
        controlKeys: [controlKey],
        endpoints: [
          { id: endpoints.usd, currencies: ["USD"], threeds: "off", risk },
          { id: endpoints.eur, currencies: ["EUR"], threeds: "off" }
        ]
      }
    ])
  })

const pay = (name: string, changes: Fields = {}) =>
  TestGateway.post(SALE, { ...saleFields, client_orderid: name, ...changes })

/** What the merchant reads, and what the operator reads besides. */
const outcome = Effect.fnUntraced(function* (name: string) {
  const scheduler = yield* Scheduler
  const store = yield* Store
  const client = yield* PayClient.PayClient
  yield* scheduler.settled
  const status = yield* client.status({ client_orderid: name })
  const order = yield* store.load(Order, [login, name], "clientOrder")
  return { status, wire: [status.status, status["error-code"] ?? "-"], filteredBy: order?.filteredBy }
})

const paid = (name: string, changes: Fields = {}) => Effect.andThen(pay(name, changes), outcome(name))

layer(
  gateway({
    block: { cards: ["555544"], emails: ["@bad.example"], addresses: ["198.51.100.0/24"], countries: ["fr"] },
    allow: { emails: ["good@bad.example"] }
  }),
  { excludeTestServices: true }
)("block and allow lists", (it) => {
  const cases: ReadonlyArray<readonly [string, Fields, [string, string], string | null]> = [
    ["nothing on a list", {}, ["approved", "-"], null],
    ["a blocked card", { credit_card_number: "5555444433332226" }, ["filtered", "94"], "block:card"],
    ["a blocked country", { country: "FR", zip_code: "75001" }, ["filtered", "94"], "block:country"],
    ["a blocked country in lower case", { country: " fr\n", zip_code: "75001" }, ["filtered", "94"], "block:country"]
  ]
  for (const [index, [name, changes, wire, filteredBy]] of cases.entries()) {
    it.effect(`a payment with ${name} is ${wire[0]}`, () =>
      Effect.gen(function* () {
        assert.deepInclude(yield* paid(`list-${index}`, changes), { wire, filteredBy })
      })
    )
  }

  it.effect.each(["FX", "FRA", "250", "France", "ZZ"])("a payment with the country %s is refused", (country) =>
    Effect.gen(function* () {
      TestMerchant.assertRefused(yield* pay(`list-${country}`, { country }), "parameterInvalid", "country")
    })
  )

  it.effect("a repeated payment with another spelling of its address is a replay", () =>
    Effect.gen(function* () {
      const first = yield* pay("spelling", {
        country: "US",
        state: "NY",
        zip_code: "10001",
        address1: "1 Main St Apt 2"
      })
      const again = yield* pay("spelling", {
        country: "us",
        state: "us-ny",
        zip_code: "10001 ",
        address1: "1 Main St\r\nApt 2"
      })
      TestMerchant.assertReplay(again, TestMerchant.nameOf(first))
    })
  )

  it.effect("the rule is named neither in status nor in the callback", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const { filteredBy, status } = yield* paid("secret", {
        email: "who@bad.example",
        server_callback_url: "http://127.0.0.1:9/callback"
      })
      assert.strictEqual(filteredBy, "block:email")
      assert.notInclude(JSON.stringify(status), "block:")
      const events = yield* store.find(CallbackEvent, "order", { equals: [status["paynet-order-id"] ?? ""], limit: 9 })
      assert.strictEqual(events.length, 1)
      assert.include(events[0]?.query, "status=filtered")
      assert.notInclude(decodeURIComponent(events[0]?.query ?? ""), "block:")
    })
  )

  const pages: ReadonlyArray<readonly [string, Fields]> = [["email", { email: "who@bad.example" }]]
  for (const [kind, changes] of pages) {
    it.effect(`a blocked ${kind} ends a hosted page as filtered, without the reason`, () =>
      Effect.gen(function* () {
        const { names, url } = yield* HostedPage.open(`list-page-${kind}`, changes)
        yield* HostedPage.pay(url)
        assert.deepInclude(yield* outcome(names.client_orderid), {
          wire: ["filtered", "94"],
          filteredBy: `block:${kind}`
        })
        const { body, hidden } = yield* HostedPage.browse(url)
        assert.notMatch(body, /blocked|block:(email|country)/)
        assert.deepInclude(hidden, { status: "filtered" })
        assert.doesNotHaveAnyKeys(hidden, ["error_code", "error_message"])
      })
    )
  }
})

const twice = (per: string) => ({ velocity: [{ per, withinSeconds: 3600, count: 2 }] })
const others: Fields = {
  credit_card_number: "4111111111111111",
  email: "other@shop.example",
  ipaddress: "203.0.113.99"
}

describe("a velocity rule", () => {
  const same: Readonly<Record<string, Fields>> = {
    card: { credit_card_number: saleFields.credit_card_number ?? "", expire_year: "2031" },
    email: { email: "John.SMITH@gmail.com" },
    address: { ipaddress: saleFields.ipaddress ?? "" }
  }
  for (const per of ["card", "email", "address"]) {
    layer(gateway(twice(per)), { excludeTestServices: true })(`of two payments an hour for each ${per}`, (it) => {
      it.effect("filters the third, whatever the bank answered, and does not affect others", () =>
        Effect.gen(function* () {
          yield* paid("v-1")
          yield* paid("v-2", { cvv2: "116" })
          const again = yield* pay("v-2", { cvv2: "116" })
          assert.strictEqual(again.status, 200)
          const third = yield* paid("v-3", { ...others, ...same[per] })
          assert.deepStrictEqual(third.wire, ["filtered", "93"])
          assert.strictEqual(third.filteredBy, `velocity:${per}:3600s`)
          assert.deepStrictEqual((yield* paid("v-4", others)).wire, ["approved", "-"])
        })
      )
    })
  }

  layer(gateway(twice("card")), { excludeTestServices: true })("for payments at the same time", (it) => {
    it.effect("lets no more than two through", () =>
      Effect.gen(function* () {
        const store = yield* Store
        const names = ["b-1", "b-2", "b-3", "b-4", "b-5", "b-6"]
        yield* Effect.forEach(names, (name) => pay(name), { concurrency: "unbounded" })
        const wire = yield* Effect.forEach(names, (name) => Effect.map(outcome(name), ({ wire: [status] }) => status))
        assert.deepStrictEqual(wire.sort(), ["approved", "approved", "filtered", "filtered", "filtered", "filtered"])
        assert.strictEqual((yield* store.find(VelocityEntry, "key", { limit: 100 })).length, 2)
      })
    )
  })
})

layer(gateway({}, { settings: { cardRate: { perSecond: 0.001, burst: 2 } } }), { excludeTestServices: true })(
  "the limit against card testing",
  (it) => {
    it.effect("refuses tries with one card before an order is created", () =>
      Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        for (const name of ["t-1", "t-2"]) assert.strictEqual((yield* pay(name, { cvv2: "100" })).status, 200)
        const third = yield* pay("t-3", { expire_year: "2031" })
        assert.strictEqual(third.status, 429)
        assert.isAbove(Number(third.headers["retry-after"]), 0)
        assert.deepInclude(yield* Effect.flip(client.status({ client_orderid: "t-3" })), { errorCode: 54 })
        assert.strictEqual((yield* pay("t-2", { cvv2: "100" })).status, 200)
        assert.strictEqual((yield* pay("t-4", others)).status, 200)
      })
    )
  }
)
