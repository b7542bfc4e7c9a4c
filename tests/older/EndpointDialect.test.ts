/** The endpoint decides in which dialect it answers: only one with `pairs` answers in pairs, whatever `Accept` says. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import { Array as Arr, Effect } from "effect"
import * as Http from "../harness/Http.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Older from "./OlderClient.ts"

const json = "application/vnd.pay+json; charset=utf-8"
const { usd } = Older.endpoints

/** Besides its other endpoints, the merchant has one that knows only JSON, and groups with and without it. */
const jsonOnly = { id: "4003", currencies: ["USD"], threeds: "off" } as const
const switchedOff = { id: "4004", currencies: ["EUR"], dialects: ["json", "pairs"], enabled: false } as const
const groups = [
  { id: "5002", endpoints: ["4003"] },
  { id: "5003", endpoints: ["4003", usd] },
  { id: "5004", endpoints: ["4003", "4004"] }
] as const
const merchants = Sandbox.merchants.map((merchant) =>
  merchant.login === Older.login
    ? {
        ...merchant,
        endpoints: Arr.appendAll(merchant.endpoints, [jsonOnly, switchedOff]),
        groups: [...(merchant.groups ?? []), ...groups]
      }
    : merchant
)

const accepts = [undefined, "*/*", "text/html", "application/*", "application/json", "text/html,*/*;q=0.8"]

const inJson = (reply: Older.Reply, status: number, code: number, what: string): void => {
  assert.deepStrictEqual([reply.status, reply.contentType], [status, json], what)
  assert.include(reply.text, `"error-code":"${code}"`, what)
}

const send = (path: string, fields: Older.Fields, accept?: string, method: "POST" | "PUT" = "POST") =>
  Older.raw(path, {
    method,
    headers: accept === undefined ? Http.form : { ...Http.form, accept },
    body: new URLSearchParams(fields).toString()
  })

const sale = (at: string, clientOrderId: string) => Older.signedPayment(at, Older.payment(clientOrderId))

layer(TestGateway.layer({ merchants, settings: { publicBaseUrl: Older.publicBaseUrl } }), {
  excludeTestServices: true
})("a gateway with the older dialect", (it) => {
  it.effect.each(PayApi.all.map((operation) => [operation.command, operation] as const))(
    "answers %s in the dialect of the endpoint",
    ([, operation]) =>
      Effect.gen(function* () {
        for (const accept of accepts)
          inJson(
            yield* send(`${operation.path}/${TestGateway.endpoints.usd}`, { a: "b" }, accept),
            400,
            20,
            `${accept}`
          )
        const reply = yield* send(`${operation.path}/${usd}`, { a: "b" })
        if (operation.olderAnswer === "pairs") Older.assertHas(reply, "validation-error", "error-code")
        else assert.deepStrictEqual([reply.contentType, reply.text.includes(`"error-code":"20"`)], [json, false])
      })
  )

  it.effect("answers in JSON where no endpoint is known: the protocol's rules, with their statuses", () =>
    Effect.gen(function* () {
      for (const [path, status, code] of [
        ["/api/v2/sale/987654", 400, 20],
        ["/api/v2/sale/group/987654", 400, 20],
        ["/api/v2/sale/abc", 404, 80],
        ["/api/v2/sale/", 404, 80],
        ["/api/v2/sale", 404, 80],
        ["/api/", 404, 80],
        ["/api/v2/nothing/1001", 404, 80]
      ] as const)
        inJson(yield* send(path, { a: "b" }), status, code, path)
      inJson(yield* send("/api/v2/sale/1001", {}, undefined, "PUT"), 405, 81, "PUT")
      inJson(yield* send("/api/v2/sale/1001", { a: "x".repeat(257 * 1024) }), 413, 24, "a large body")
    })
  )

  it.effect(
    "answers in the dialect of the endpoint that the path names, not in that of the order or of its merchant",
    () =>
      Effect.gen(function* () {
        const id = Older.freshId()
        const { fields } = yield* send(`/api/v2/sale/${usd}`, sale(usd, id))
        yield* TestMerchant.settled
        const question = Older.signedOrder(id, fields["paynet-order-id"] ?? "")
        Older.assertHas(yield* send(`/api/v2/status/${usd}`, question), "status-response", "status")
        inJson(yield* send(`/api/v2/status/${jsonOnly.id}`, question), 400, 20, "status")
        const accepted = yield* send(`/api/v2/status/${jsonOnly.id}`, question, "application/vnd.pay+json")
        assert.deepStrictEqual([accepted.status, accepted.contentType], [200, json])
        const created = yield* send(`/api/v2/sale/${jsonOnly.id}`, sale(jsonOnly.id, Older.freshId()), "text/html")
        inJson(created, 400, 20, "sale")
      })
  )

  it.effect(
    "answers for a group in pairs if an endpoint of it does, and lets only such an endpoint take the order",
    () =>
      Effect.gen(function* () {
        inJson(yield* send("/api/v2/sale/group/5002", sale("5002", Older.freshId())), 400, 20, "5002")
        const reply = yield* send("/api/v2/sale/group/5003", sale("5003", Older.freshId()))
        Older.assertHas(reply, "async-response", "paynet-order-id")
        assert.strictEqual(reply.fields["end-point-id"], usd)
        const inPairs = yield* send("/api/v2/sale/group/5004", sale("5004", Older.freshId()))
        Older.assertRefused(inPairs, 20)
        assert.include(inPairs.fields["error-message"], "answers only in JSON")
      })
  )
})
