import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Cause, Effect, Layer, Logger, Redacted, References, Tracer } from "effect"
import * as PayClient from "../src/PayClient.ts"
import * as Wire from "../src/Wire.ts"
import { accepted, answer, capture, inProcess, options, pan, refusal, sale } from "./Merchant.ts"

/** Marked values that must appear in nothing but the request itself. */
const canary = {
  controlKey: "canary-control-key-7f3a",
  cvv: "9317",
  name: "CANARY HOLDER",
  email: "canary@example.org"
}
const marked = {
  ...sale,
  cvv2: Redacted.make(canary.cvv),
  card_printed_name: canary.name,
  email: canary.email
}
const markedOptions = { ...options, controlKey: Redacted.make(canary.controlKey) }
const secrets = [canary.controlKey, canary.cvv, pan, "BEGIN PRIVATE KEY"]
const personal = [canary.name, canary.email]

/** A gateway that repeats what it was sent wherever it can. */
const echo = (request: Wire.WireRequest, status: number) => {
  const form = new URLSearchParams(request.body)
  const text = `card ${form.get("credit_card_number")} code ${form.get("cvv2")}`
  return answer(status, {
    type: "validation-error",
    "serial-number": form.get("credit_card_number"),
    "error-message": text,
    "paynet-order-id": form.get("credit_card_number"),
    errors: [{ field: text, code: "2", message: text }]
  })
}

const gateways: ReadonlyArray<readonly [string, (request: Wire.WireRequest) => ReturnType<Handler>]> = [
  ["accepts", () => Effect.succeed(answer(200, accepted))],
  ["refuses with an echo", (request) => Effect.succeed(echo(request, 400))],
  ["fails with an echo", (request) => Effect.succeed(echo(request, 500))],
  ["answers with the request", (request) => Effect.succeed(answer(200, request.body))],
  ["closes the connection", () => Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))],
  ["raises a defect", () => Effect.die(new Error("wire"))]
]
type Handler = Parameters<typeof inProcess>[0]

/** Everything a program could print of a call: result, error, cause, spans and logs. */
const everything = (handler: Handler) =>
  Effect.gen(function* () {
    const spans: Array<Tracer.Span> = []
    const tracer = Tracer.make({
      span: (spanOptions) => {
        const span = new Tracer.NativeSpan(spanOptions)
        spans.push(span)
        return span
      }
    })
    const logs: Array<unknown> = []
    const logger = Logger.make(({ cause, message }) => logs.push(message, Cause.pretty(cause)))
    const exit = yield* PayClient.call(PayApi.operations.SALE, marked).pipe(
      Effect.tapCause((cause) => Effect.logError("failed", cause)),
      Effect.exit,
      Effect.provide(Layer.merge(inProcess(handler, markedOptions), Logger.layer([logger]))),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(References.MinimumLogLevel, "All")
    )
    const described = spans.map((span) => [span.name, [...span.attributes], span.status])
    return { exit, spans, text: inspect([exit, described, logs], { depth: 12 }) + JSON.stringify([exit, logs]) }
  })

describe("errors, spans and logs contain no secret if the gateway", () => {
  it.effect.each(gateways)("$0", ([, handler]) =>
    Effect.gen(function* () {
      const { text } = yield* everything(handler)
      assert.include(text, "902B4FF5")
      for (const secret of [...secrets, ...personal]) assert.notInclude(text, secret)
    })
  )

  it.effect("repeats the recipient of a payout", () =>
    Effect.gen(function* () {
      const number = "DE89370400440532013000"
      const payout = {
        client_orderid: "902B4FF5",
        amount: "1.00",
        currency: "USD",
        account_number: Redacted.make(number)
      }
      const refusal = { type: "validation-error", "error-message": `no account ${number}`, "error-code": "2" }
      const error = yield* Effect.flip(PayClient.call(PayApi.operations.PAYOUT, payout)).pipe(
        Effect.provide(inProcess(() => Effect.succeed(answer(400, refusal)), markedOptions))
      )
      assert.notInclude(inspect(error) + JSON.stringify(error), number)
    })
  )

  it.effect("does not receive the request, because a field is invalid", () =>
    Effect.gen(function* () {
      const bad = { ...marked, credit_card_number: Redacted.make("4444333322221112"), cvv2: Redacted.make(canary.cvv) }
      const error = yield* Effect.flip(PayClient.call(PayApi.operations.SALE, bad)).pipe(
        Effect.provide(inProcess(() => Effect.succeed(answer(200, accepted)), markedOptions))
      )
      assert.strictEqual(error._tag, "InvalidRequest")
      for (const secret of ["4444333322221112", canary.cvv])
        assert.notInclude(inspect(error) + JSON.stringify(error), secret)
    })
  )
})

describe("the span of a call", () => {
  it.effect("names the route and the order, and ends with the call", () =>
    Effect.gen(function* () {
      const { spans } = yield* everything(() => Effect.succeed(answer(200, accepted)))
      const [span] = spans
      assert.strictEqual(spans.length, 1)
      assert.strictEqual(span?.name, "POST /api/v2/sale/{endpointId}")
      assert.strictEqual(span?.kind, "client")
      assert.strictEqual(span?.status._tag, "Ended")
      assert.deepEqual(Object.fromEntries(span?.attributes ?? []), {
        "http.request.method": "POST",
        "url.template": "/api/v2/sale/{endpointId}",
        "server.address": "127.0.0.1",
        "pay.operation": "SALE",
        "pay.endpoint_id": "1111",
        "pay.client_order_id": "902B4FF5",
        "pay.order_id": "6768788",
        "http.response.status_code": 200
      })
    })
  )

  const connectionLost = Effect.fail(new Wire.WireError({ reason: "Lost", code: "ECONNRESET" }))
  const ends: ReadonlyArray<readonly [string, Parameters<typeof everything>[0], object]> = [
    [
      "refused",
      () => Effect.succeed(answer(400, refusal)),
      { "http.response.status_code": 400, "error.type": "Refused" }
    ],
    [
      "failed at the gateway",
      () => Effect.succeed(answer(502, "bad")),
      { "http.response.status_code": 502, "error.type": "OutcomeUnknown" }
    ],
    ["lost", () => connectionLost, { "error.type": "OutcomeUnknown" }]
  ]
  it.effect.each(ends)("has the status and the error of a call that was $0", ([, gateway, attributes]) =>
    Effect.gen(function* () {
      const { spans } = yield* everything(gateway)
      const output = Object.fromEntries(spans[0]?.attributes ?? [])
      const { "http.response.status_code": status, "error.type": type } = output
      assert.deepEqual(
        { ...(status === undefined ? {} : { "http.response.status_code": status }), "error.type": type },
        attributes
      )
    })
  )

  it.effect("is not created without a tracer", () =>
    Effect.gen(function* () {
      let observed: unknown
      const handler = () =>
        Effect.map(Effect.option(Effect.currentSpan), (span) => {
          observed = span._tag
          return answer(200, accepted)
        })
      yield* PayClient.call(PayApi.operations.VOID, capture).pipe(Effect.provide(inProcess(handler)))
      assert.strictEqual(observed, "None")
    })
  )
})
