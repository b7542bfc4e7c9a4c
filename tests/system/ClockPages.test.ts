/** The sandbox's clock and the operator's view of recurring payments, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect, Schema } from "effect"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const Body = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))

const ask = Effect.fnUntraced(function* (method: "GET" | "POST", path: string, headers: TestMerchant.Fields = {}) {
  const { operatorUrl, publicBaseUrl } = yield* NodeServer
  const base = path.startsWith("/operator/") ? operatorUrl : publicBaseUrl
  const answer = yield* Effect.promise(() => fetch(base + path, { method, headers }))
  const text = yield* Effect.promise(() => answer.text())
  return { status: answer.status, body: text.startsWith("{") ? yield* Schema.decodeEffect(Body)(text) : {} }
})

layer(TestGateway.layer(), { excludeTestServices: true })("the sandbox's clock over HTTP", (it) => {
  it.effect("advances through all due charges, which operators see, and is reset", () =>
    Effect.gen(function* () {
      const { id, order } = yield* Recurring.created()
      const { body } = yield* ask("POST", "/sandbox/clock/advance?by=45d")
      assert.strictEqual(body.offsetMs, 45 * 86_400_000)
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged")
      const listed = yield* ask("GET", "/operator/subscriptions?merchant=sandbox-merchant")
      assert.deepInclude(listed.body, { subscriptions: listed.body.subscriptions })
      const displayed = yield* ask("GET", `/operator/subscriptions/${id}`)
      assert.deepInclude(displayed.body, {
        id,
        order: order.orderid,
        state: "active",
        amount: "10.42",
        card: "444433…1111",
        next: 2
      })
      assert.notInclude(JSON.stringify(displayed.body), "4444333322221111")
      assert.deepStrictEqual((yield* ask("POST", "/sandbox/clock/reset")).body.offsetMs, 0)
      assert.deepStrictEqual((yield* ask("GET", "/sandbox/clock")).body.offsetMs, 0)
      yield* TestMerchant.settled
      assert.strictEqual(yield* Recurring.summary(id), "active: charged charged")
    })
  )

  it.effect("the operator's list of recurring payments has pages", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach([1, 2, 3, 4, 5], () => Recurring.created({ "start-date": "2029-05-05" }))
      const values: Array<string> = []
      let after = ""
      for (let pages = 0; pages < 4; pages++) {
        const { body } = yield* ask("GET", `/operator/subscriptions?state=active&limit=2${after}`)
        assert(Array.isArray(body.subscriptions))
        values.push(...body.subscriptions.map(({ id }: { readonly id: string }) => id))
        if (body.next === undefined) break
        after = `&after=${body.next}`
      }
      const expected = made.map(({ id }) => id).reverse()
      assert.deepStrictEqual(values.slice(0, 5), expected)
      assert.strictEqual(new Set(values).size, values.length)
    })
  )

  const refused = [
    ["POST", "/sandbox/clock/advance?by=-1d", 400],
    ["POST", "/sandbox/clock/advance?by=1w", 400],
    ["POST", "/sandbox/clock/advance?by=99999d", 400],
    ["POST", "/sandbox/clock/advance", 400],
    ["GET", "/sandbox/clock/advance?by=1d", 404],
    ["GET", "/operator/subscriptions?state=sleeping", 400],
    ["GET", "/operator/subscriptions?state=active&merchant=m", 400],
    ["GET", "/operator/subscriptions?limit=0", 400],
    ["GET", "/operator/subscriptions/1", 404]
  ] as const
  it.effect.each(refused)("%s %s is answered %d", ([method, path, status]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask(method, path)).status, status)
    })
  )

  it.effect("does not exist for a browser or behind a proxy", () =>
    Effect.gen(function* () {
      for (const name of ["x-forwarded-for", "origin"]) {
        assert.strictEqual((yield* ask("POST", "/sandbox/clock/advance?by=1d", { [name]: "x" })).status, 404)
      }
    })
  )
})
