/** What a gateway's process exports by OTLP, decoded by the names of the protocol's own fields. */
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Schedule } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Marks from "../canary/Marks.ts"
import * as CallbackServer from "../harness/CallbackServer.ts"
import * as Credentials from "../harness/Credentials.ts"
import * as GatewayProcess from "../harness/GatewayProcess.ts"
import * as Http from "../harness/Http.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as Otlp from "./Otlp.ts"

const { SALE } = PayApi.operations
const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
const traceOf = (header: string) => header.split("-")[1]

/** A gateway that exports to this receiver at once. */
const exporting = Effect.fnUntraced(function* (endpoint: string, env: Readonly<Record<string, string>> = {}) {
  const lines: Array<string> = []
  const folder = yield* temporaryFolder
  const { baseUrl } = yield* GatewayProcess.app(folder, {
    env: {
      PAY_LOG_LEVEL: "debug",
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-tenant=shop%201",
      OTEL_SERVICE_NAME: "payments",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_BLRP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      ...env
    },
    onLine: (line) => void lines.push(line)
  })
  return { baseUrl, lines }
})

/** Waits until this is so. */
const until = (isSo: () => boolean) =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.orDie
  )

const sell = Effect.fnUntraced(function* (baseUrl: string, changed: Readonly<Record<string, string>>, headers = {}) {
  const fields = { ...TestGateway.saleFields, ...changed }
  return yield* Http.send(`${baseUrl}${SALE.path}/${Credentials.endpoints.usd}`, {
    headers: { ...TestGateway.standardHeaders, ...headers },
    body: new URLSearchParams(TestGateway.controlled(SALE, fields)).toString()
  })
})

/** A sale whose card is searched for in what was exported: the security code of the samples turns up by chance. */
const marked = { client_orderid: "marked-1", credit_card_number: Marks.pan, cvv2: Marks.cvv }

describe("telemetry", () => {
  it.live(
    "has request, bank and callback of a sale in the merchant's trace, its lines, and no secret",
    () =>
      Effect.gen(function* () {
        const receiver = yield* Otlp.receiver
        const shop = yield* CallbackServer.open({})
        const tracing = { PAY_CONFIG: yield* Otlp.configuration({ traceFromMerchants: true, traceToMerchants: true }) }
        const { baseUrl, lines } = yield* exporting(receiver.url, tracing)
        const traced = { client_orderid: "traced-1", server_callback_url: shop.url() }
        assert.strictEqual((yield* sell(baseUrl, traced, { traceparent: parent })).status, 200)
        assert.strictEqual((yield* sell(baseUrl, { ...traced, ...marked })).status, 200)
        const names = () => receiver.spans().map(({ name }) => name)
        yield* until(() => names().includes("callback.deliver") && names().includes("job.callback"))
        const own = receiver.spans().filter(({ traceId }) => traceId === traceOf(parent))
        const named = (name: string) => own.find((span) => span.name === name)
        const chain = ["callback.deliver", "job.callback", "job.bank", "operation.sale", "POST /api/v2/sale/{endpoint}"]
        for (const [index, name] of chain.entries()) {
          const next = chain[index + 1]
          const above = next === undefined ? "00f067aa0ba902b7" : named(next)?.spanId
          assert.strictEqual(named(name)?.parentSpanId, above, `the parent of ${name}`)
        }
        assert.strictEqual(named("bank.sale")?.parentSpanId, named("job.bank")?.spanId)
        assert.include(Otlp.valuesOf(named("POST /api/v2/sale/{endpoint}")), {
          "http.request.method": "POST",
          "http.route": "/api/v2/sale/{endpoint}",
          "http.response.status_code": "200",
          "pay.operation": "SALE"
        })
        assert.strictEqual(
          shop.requests[0]?.headers.traceparent,
          `00-${traceOf(parent)}-${named("callback.deliver")?.spanId}-01`
        )
        yield* until(() => receiver.logs().some(({ body }) => body.stringValue === "A callback was delivered"))
        const messages = receiver.logs().filter(({ traceId }) => traceId === traceOf(parent))
        assert.includeMembers(
          messages.map(({ body }) => body.stringValue),
          ["A request was answered", "Bank or rail answered", "A callback was delivered"]
        )
        for (const message of ["A request was answered", "A callback was delivered"])
          assert.isTrue(
            lines.some((line) => line.includes(message) && line.includes(`"trace_id":"${traceOf(parent)}"`))
          )
        yield* until(() => receiver.metrics().includes("pay_requests_total"))
        assert.include(Otlp.valuesOf(receiver.resources()[0]), {
          "service.name": "payments",
          "deployment.environment.name": "test"
        })
        assert.isTrue(receiver.headers().every((headers) => headers["x-tenant"] === "shop 1"))
        yield* until(() => receiver.spans().filter(({ name }) => name === "callback.deliver").length >= 2)
        const exported = { name: "telemetry", bytes: Buffer.from(receiver.bytes(), "latin1") }
        assert.deepStrictEqual(Marks.find([exported], [marked.client_orderid]), [])
        for (const secret of [TestGateway.saleFields.email, Credentials.controlKey])
          assert.isFalse(receiver.bytes().includes(secret ?? "a field of the sale is missing"))
      }),
    60_000
  )

  it.live.each([
    ["is silent", "silence"],
    ["fails: hangs up", "hangUp"],
    ["fails: answers 500", 500]
  ] as const)("delays no sale and is one line while its receiver %s", ([, answer]) =>
    Effect.gen(function* () {
      const receiver = yield* CallbackServer.open({ judge: () => answer })
      const shop = yield* CallbackServer.open({})
      const { baseUrl, lines } = yield* exporting(receiver.url(""), { OTEL_EXPORTER_OTLP_TIMEOUT: "100" })
      for (let sale = 0; sale < 20; sale += 1)
        assert.strictEqual(
          (yield* sell(baseUrl, { client_orderid: `sale-${sale}`, server_callback_url: shop.url() })).status,
          200
        )
      yield* until(() => shop.requests.length >= 20 && lines.some((line) => line.includes("Telemetry is not exported")))
      assert.isEmpty(shop.requests.filter(({ headers }) => "traceparent" in headers))
      assert.lengthOf(
        lines.filter((line) => /telemetry|exporter/i.test(line)),
        1
      )
    })
  )
})
