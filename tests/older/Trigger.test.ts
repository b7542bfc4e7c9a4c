/** Which requests are answered in the older dialect, and what becomes of bad ones. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Older from "./OlderClient.ts"

const { endpoints } = Older
const form = "application/x-www-form-urlencoded"

const sale = (headers: Older.Fields, path = `/paynet/api/v2/sale/${endpoints.usd}`, changes: Older.Fields = {}) =>
  Older.raw(path, {
    headers: { "content-type": form, ...headers },
    body: new URLSearchParams(
      Older.signedPayment(path.split("/").at(-1) ?? "", Older.payment(Older.freshId(), changes))
    ).toString()
  })

const json = "application/vnd.pay+json; charset=utf-8"

layer(Older.gateway)("the older dialect", (it) => {
  it.effect.each([[{}], [{ accept: "*/*" }], [{ accept: "application/*" }], [{ accept: "text/html" }]])(
    "answers a request with the headers %j",
    ([headers]) =>
      Effect.gen(function* () {
        const reply = yield* sale({ ...headers })
        Older.assertHas(reply, "async-response", "merchant-order-id", "paynet-order-id", "status")
        assert.match(reply.text, /^type=async-response\n&serial-number=[0-9a-f-]{36}\n(&[a-z-]+=[^&\n]+\n)+$/)
      })
  )

  it.effect("does not answer a request of JSON mode", () =>
    Effect.gen(function* () {
      const reply = yield* sale({ accept: "application/vnd.pay+json" }, undefined, { state: "WA" })
      assert.deepStrictEqual([reply.status, reply.contentType], [200, json])
      assert.notInclude(reply.text, "processing")
    })
  )

  it.effect("does not require state, which JSON mode requires", () =>
    Effect.gen(function* () {
      const reply = yield* sale({ accept: "application/vnd.pay+json" })
      assert.strictEqual(reply.status, 400)
      assert.include(reply.text, "Parameter state is required")
    })
  )

  it.effect("ignores an invalid shop address, which JSON mode refuses", () =>
    Effect.gen(function* () {
      const changes = { site_url: "shop.example", state: "WA" }
      Older.assertHas(yield* sale({}, undefined, changes), "async-response", "paynet-order-id")
      const reply = yield* sale({ accept: "application/vnd.pay+json" }, undefined, changes)
      assert.strictEqual(reply.status, 400)
      assert.include(reply.text, "Parameter site_url must be an absolute http or https address")
      Older.assertRefused(yield* sale({}, undefined, { ...changes, redirect_url: "shop.example" }), 2)
    })
  )

  const bad: ReadonlyArray<readonly [what: string, path: string, body: string | Uint8Array, code: number]> = [
    ["an unknown operation", "/paynet/api/v2/no-such-thing/4001", "a=b", 80],
    ["a repeated field", "/paynet/api/v2/status/4001", "login=a&login=b&client_orderid=1&control=1", 40],
    ["no control", "/paynet/api/v2/status/4001", "login=a&client_orderid=1", 1],
    ["an incomplete escape", "/paynet/api/v2/sale/4001", "a=%4", 22],
    ["a wrong signature", "/paynet/api/v2/status/4001", "login=sandbox-older&client_orderid=1&control=1", 40],
    ["too many fields", "/paynet/api/v2/sale/4001", "a=b&".repeat(300), 23]
  ]
  it.effect.each(bad)("refuses %s in its own form", ([, path, body, code]) =>
    Effect.gen(function* () {
      Older.assertRefused(yield* Older.raw(path, { body }), code)
    })
  )

  it.effect("names the field of a repeated signed field", () =>
    Effect.gen(function* () {
      const signed = Older.signedOrder(Older.freshId(), "1")
      const body = `${new URLSearchParams(signed)}&client_orderid=another`
      const reply = yield* Older.raw(`/paynet/api/v2/status/${endpoints.usd}`, { body })
      Older.assertRefused(reply, 4)
      assert.include(reply.fields["error-message"], "client_orderid")
    })
  )

  it.effect("refuses another method, another body and malformed HTTP with status 200", () =>
    Effect.gen(function* () {
      const path = `/paynet/api/v2/sale/${endpoints.usd}`
      Older.assertRefused(yield* Older.raw(path, { method: "PUT", body: "a=b" }), 81)
      Older.assertRefused(yield* Older.raw(path, { headers: { "content-type": "application/json" }, body: "{}" }), 21)
      const zipped = { "content-type": form, "content-encoding": "gzip" }
      Older.assertRefused(yield* Older.raw(path, { headers: zipped, body: "a=b" }), 26)
    })
  )

  const inQuery = (path: string, fields: Older.Fields, headers: Older.Fields = {}) =>
    Older.raw(`/paynet/api/v2/${path}?${new URLSearchParams(fields)}`, { headers })
  const withoutCard = () => {
    const names = ["credit_card_number", "card_printed_name", "expire_month", "expire_year", "cvv2"]
    const fields = Older.payment(Older.freshId())
    return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, names.includes(name) ? "" : text]))
  }

  it.effect("reads the fields from the query of a request without a body, as a C# client sends them", () =>
    Effect.gen(function* () {
      const fields = Older.signedPayment(endpoints.usd, withoutCard())
      const upper = { ...fields, control: (fields.control ?? "").toUpperCase() }
      const made = yield* inQuery(`sale-form/${endpoints.usd}`, upper)
      Older.assertHas(made, "async-form-response", "redirect-url", "paynet-order-id")
      const group = Older.signedPayment(endpoints.group, withoutCard())
      Older.assertHas(
        yield* inQuery(`transfer-form/group/${endpoints.group}`, group),
        "async-form-response",
        "redirect-url"
      )
      const { client_orderid = "" } = fields
      const orderid = made.fields["paynet-order-id"] ?? ""
      for (const path of ["status", "return", "void"])
        Older.assertRefused(yield* inQuery(`${path}/${endpoints.usd}`, Older.signedOrder(client_orderid, orderid)), 21)
      Older.assertRefused(yield* inQuery(`sale-form/${endpoints.usd}`, { ...fields, amount: "1.00" }), 40)
    })
  )

  it.effect("reads no card data from a query, and other fields only from such a request", () =>
    Effect.gen(function* () {
      const whole = Older.signedPayment(endpoints.usd, Older.payment(Older.freshId()))
      const refused = yield* inQuery(`sale/${endpoints.usd}`, whole)
      Older.assertRefused(refused, 2)
      assert.include(refused.fields["error-message"], "must be in the body")
      const fields = Older.signedPayment(endpoints.usd, withoutCard())
      const path = `sale-form/${endpoints.usd}`
      Older.assertRefused(yield* inQuery(path, fields, { "content-type": form }), 1)
      Older.assertRefused(yield* inQuery(path, fields, { "content-type": "text/plain" }), 21)
      Older.assertRefused(yield* inQuery(`payout/${endpoints.usd}`, fields), 21)
      const json = yield* inQuery(path, fields, { accept: "application/vnd.pay+json" })
      assert.strictEqual(json.status, 400)
      assert.include(json.text, '"error-code":"21"')
      const many = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`x${index}`, ""]))
      Older.assertRefused(yield* inQuery(path, { ...fields, ...many }), 23)
      Older.assertRefused(yield* Older.raw(`/paynet/api/v2/${path}?a=%zz`, { headers: {} }), 22)
    })
  )

  it.effect("covers only the operations", () =>
    Effect.gen(function* () {
      const reply = yield* Older.raw("/paynet/nothing", { body: "a=b" })
      assert.deepStrictEqual([reply.status, reply.contentType], [404, json])
    })
  )

  it.effect("answers version 4 in JSON", () =>
    Effect.gen(function* () {
      const reply = yield* Older.raw(`/paynet/api/v4/payout/${endpoints.usd}`, { body: "a=b" })
      assert.deepStrictEqual([reply.status, reply.contentType], [401, json])
    })
  )

  it.effect.each(["tokenize/create-ephemeral-ticket/4001", "sale/x", "sale"])(
    "answers version 4 in JSON where no operation is served: %s",
    (path) =>
      Effect.gen(function* () {
        const reply = yield* Older.raw(`/paynet/api/v4/${path}`, { body: "" })
        assert.deepStrictEqual([reply.status, reply.contentType], [404, json])
        assert.include(reply.text, '"error-code":"80"')
      })
  )
})

describe("a gateway without the older dialect", () => {
  layer(TestGateway.layer({ settings: TestGateway.jsonOnly }))((it) => {
    it.effect("refuses a request without the specification's Accept before its signature is checked", () =>
      Effect.gen(function* () {
        const reply = yield* Older.raw(`/api/v2/sale/${endpoints.usd}`, { body: "a=b" })
        assert.deepStrictEqual([reply.status, reply.contentType], [400, json])
        assert.include(reply.text, '"error-code":"20"')
      })
    )
  })
})
