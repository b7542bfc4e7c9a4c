/** The addresses under which one operation is served: path prefix, two slashes, groups. Signatures cover what was sent. */
import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as PayApi from "@pay/schema/PayApi"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import { request as send } from "undici"
import * as Http from "../harness/Http.ts"
import * as OAuth from "../harness/OAuth.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const { PAYOUT, SALE } = PayApi.operations
const { endpoints, saleFields } = TestGateway

const publicBaseUrl = "https://pay.example/paynet"

const sale = (path: string, pathId: string, fields: TestMerchant.Fields) =>
  TestGateway.raw({ path, body: Form.write(Object.entries(TestGateway.controlled(SALE, fields, pathId))) })

layer(TestGateway.layer({ settings: { publicBaseUrl } }))("the path of a request", (it) => {
  it.effect.each([
    ["below the prefix", "/paynet/api/v2/sale", endpoints.usd],
    ["without the prefix", "/api/v2/sale", endpoints.usd],
    ["with two slashes", "/paynet//api/v2//sale", endpoints.usd],
    ["of a group", "/paynet/api/v2/sale/group", endpoints.group]
  ] as const)("a sale %s is accepted", ([, path, pathId]) =>
    Effect.gen(function* () {
      const client_orderid = TestMerchant.freshId()
      const reply = yield* sale(`${path}/${pathId}`, pathId, { ...saleFields, client_orderid })
      TestMerchant.assertAccepted(reply)
      assert.strictEqual(reply.body["end-point-id"], endpoints.usd)
    })
  )

  it.effect("may change its spelling in a replay", () =>
    Effect.gen(function* () {
      const fields = { ...saleFields, client_orderid: TestMerchant.freshId() }
      const first = yield* sale(`/paynet/api/v2/sale/group/${endpoints.group}`, endpoints.group, fields)
      const second = yield* sale(`/api//v2/sale/${endpoints.group}`, endpoints.group, fields)
      TestMerchant.assertReplay(second, TestMerchant.nameOf(first))
    })
  )

  it.effect("is covered by the OAuth signature as it was sent, with prefix, slashes and group", () =>
    Effect.gen(function* () {
      for (const path of ["/api/v2/payout/", "//api/v2/payout/", "/api/v2/payout/group/"]) {
        const url = `${publicBaseUrl}${path}${endpoints.usd}`
        const reply = yield* OAuth.send(PAYOUT, { url, path: `/paynet${path}` })
        assert.strictEqual(reply.status, 200, JSON.stringify(reply.body))
        const other = yield* OAuth.send(PAYOUT, { url: url.replace("/paynet", ""), path: `/paynet${path}` })
        TestMerchant.assertRefused(other, "oauthSignatureInvalid")
      }
    })
  )

  it.effect("is read as it is for operations, in other spellings for pages and probes, and never for operators", () =>
    Effect.gen(function* () {
      const { host, port } = yield* NodeServer
      const statusOf = (path: string, method: "GET" | "POST" | "OPTIONS" = "GET") =>
        Effect.map(
          Http.send(`http://${host}:${port}/`, { method, path, headers: { accept: "text/html" } }),
          ({ headers, status, text }) => [status, headers.allow ?? text.slice(0, 15)]
        )
      for (const path of ["/paynet/healthz/", "/healthz?x=1", "//healthz", "/paynet//healthz/?utm_source=mail"])
        assert.deepStrictEqual(yield* statusOf(path), [200, "ok\n"], path)
      assert.deepStrictEqual(yield* statusOf("/readyz/", "POST"), [405, "GET, HEAD"])
      for (const path of ["/paynet/", "//paynet//", "/paynet/?utm_source=mail", "/?#top"])
        assert.deepStrictEqual(yield* statusOf(path), [200, "<!doctype html>"], path)
      for (const path of ["/paynet/pay/guessed/?fbclid=1", "/paynet/3ds/guessed/challenge/#x", "//pay//guessed"])
        assert.deepStrictEqual(yield* statusOf(path), [404, "<!doctype html>"], path)
      assert.deepStrictEqual(yield* statusOf("/paynet/3ds/x/pares/", "OPTIONS"), [204, "GET, HEAD, OPTIONS, POST"])
      for (const path of ["/paynet/metrics/", "/metrics/", "/%6Fperator/orders", "/paynet/%6Fperator/orders"])
        assert.strictEqual((yield* statusOf(path))[0], 404, path)
      const sale = `/paynet/api/v2/sale/${endpoints.usd}`
      assert.deepStrictEqual(yield* statusOf(sale, "OPTIONS"), [405, "POST"])
      for (const end of ["/", "&utm_source=mail", "%20"])
        assert.strictEqual((yield* statusOf(sale + end, "POST"))[0], 404, end)
    })
  )

  it.effect("has the prefix for pages, and none for operators", () =>
    Effect.gen(function* () {
      const { host, port } = yield* NodeServer
      const get = (path: string) =>
        Effect.promise(async () => {
          const { body, statusCode } = await send(`http://${host}:${port}${path}`, { headers: { accept: "text/html" } })
          return [statusCode, await body.text()] as const
        })
      assert.strictEqual((yield* get("/paynet/"))[0], 200)
      assert.strictEqual((yield* get("/paynet/pay/guessed"))[0], 404)
      assert.include((yield* get("/paynet/pay/guessed"))[1], "<!doctype html>")
      assert.deepStrictEqual(yield* get("/paynet/readyz"), [200, "ready\n"])
      assert.strictEqual((yield* get("/paynet/metrics"))[0], 404)
      assert.strictEqual((yield* get("/metrics"))[0], 404)
    })
  )
})
