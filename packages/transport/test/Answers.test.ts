import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as PayClient from "../src/PayClient.ts"
import type * as PayError from "../src/PayError.ts"
import * as Loopback from "./Loopback.ts"
import { accepted, answer, capture, inProcess, options, refusal, renumbered, sale } from "./Merchant.ts"

const bodies: Readonly<Record<string, string>> = {
  answer: JSON.stringify(accepted),
  refusal: JSON.stringify(refusal),
  fault: JSON.stringify({ type: "error", "serial-number": "1", "error-code": "84", "error-message": "Internal error" }),
  both: JSON.stringify({ ...accepted, ...refusal }),
  foreign: JSON.stringify({ message: "Forbidden" }),
  html: "<html><h1>502 Bad Gateway</h1></html>",
  cut: JSON.stringify(accepted).slice(0, -9),
  list: "[]",
  null: "null",
  empty: ""
}

/** `ok` an answer, `no` refused, `??` the gateway's fault and `?` no answer of the protocol: both of unknown outcome. */
const table = `
status | answer | refusal | fault | both | foreign | html | cut | list | null | empty
200    | ok     | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
201    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
202    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
204    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
301    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
302    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
307    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
400    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
401    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
402    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
403    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
404    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
405    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
408    | ??     | ??      | ??    | ??   | ??      | ??   | ??  | ??   | ??   | ??
409    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
413    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
415    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
422    | ?      | ?       | ?     | ?    | ?       | ?    | ?   | ?    | ?    | ?
429    | ?      | no      | no    | no   | ?       | ?    | ?   | ?    | ?    | ?
500    | ??     | ??      | ??    | ??   | ??      | ??   | ??  | ??   | ??   | ??
502    | ??     | ??      | ??    | ??   | ??      | ??   | ??  | ??   | ??   | ??
503    | ??     | ??      | ??    | ??   | ??      | ??   | ??  | ??   | ??   | ??
504    | ??     | ??      | ??    | ??   | ??      | ??   | ??  | ??   | ??   | ??
599    | ??     | ??      | ??    | ??   | ??      | ??   | ??  | ??   | ??   | ??`

const [[, ...bodyNames] = [], ...rows] = TextTable.rows(table)
const cases = rows.flatMap(([status, ...outcomes]) =>
  outcomes.map((outcome, column) => ({ status: Number(status), body: bodyNames[column] ?? "", outcome }))
)

const verdict = (error: PayError.PayError): string =>
  error._tag === "Refused"
    ? "no"
    : error._tag === "OutcomeUnknown" && error.reason === "GatewayFault"
      ? "??"
      : error._tag === "OutcomeUnknown" && error.reason === "UnreadableAnswer"
        ? "?"
        : error._tag

describe("an answer of the gateway", () => {
  it.live("is sorted by its status and body into answered, refused and unknown outcome", () =>
    Effect.gen(function* () {
      let next = { status: 0, body: "" }
      const { url } = yield* Loopback.http((_received, response) => {
        const hasBody = next.status !== 204
        response.writeHead(next.status, { location: `${url}/elsewhere` }).end(hasBody ? next.body : undefined)
      })
      yield* Effect.gen(function* () {
        const pay = yield* PayClient.PayClient
        assert.strictEqual(cases.length, 24 * Object.keys(bodies).length)
        for (const { body, outcome, status } of cases) {
          next = { status, body: renumbered(bodies[body] ?? assert.fail(`no body ${body}`)) }
          const observed = yield* Effect.match(pay.capture(capture), { onSuccess: () => "ok", onFailure: verdict })
          assert.strictEqual(observed, outcome, `${status} with ${body}`)
        }
      }).pipe(Effect.provide(PayClient.layer({ ...options, baseUrl: url })))
    })
  )

  it.effect("has an unknown outcome if the nonce was used, because the request arrived twice", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const error = yield* Effect.flip(pay.capture(capture))
      assert(error._tag === "OutcomeUnknown")
      assert.strictEqual(error.reason, "Repeated")
    }).pipe(
      Effect.provide(
        inProcess(() =>
          Effect.succeed(
            answer(401, { type: "validation-error", "error-code": "45", "error-message": "Nonce already used" })
          )
        )
      )
    )
  )

  it.effect("is read with numbers as text, and keeps unknown words", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const status = yield* pay.status({ client_orderid: "902B4FF5" })
      assert.deepInclude(status, { "paynet-order-id": "6768788", status: "chain_declined", "error-code": "5" })
      assert.notProperty(status, "something-new")
    }).pipe(
      Effect.provide(
        inProcess(() =>
          Effect.succeed(
            answer(200, {
              ...accepted,
              type: "status-response",
              "paynet-order-id": 6768788,
              status: "chain_declined",
              "error-code": 5,
              "something-new": { nested: true }
            })
          )
        )
      )
    )
  )

  it.effect("gives the error of a refusal all details that the gateway sent", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(PayClient.call(PayApi.operations.SALE, sale))
      assert.deepInclude(error, {
        _tag: "Refused",
        operation: "SALE",
        clientOrderId: "902B4FF5",
        status: 400,
        errorCode: 1,
        errorMessage: "Parameter email is required",
        serialNumber: "00000000-0000-0000-0000-0000005b2a8b",
        retryable: false
      })
      assert.deepEqual(error._tag === "Refused" ? error.errors : [], [
        { field: "email", code: 1, message: "Parameter email is required" }
      ])
    }).pipe(Effect.provide(inProcess(() => Effect.succeed(answer(400, refusal)))))
  )

  it.effect("gives the error of a gateway fault the serial number for support", () =>
    Effect.gen(function* () {
      const pay = yield* PayClient.PayClient
      const error = yield* Effect.flip(pay.capture(capture, { idempotencyKey: "mine" }))
      assert.deepInclude(error, {
        _tag: "OutcomeUnknown",
        reason: "GatewayFault",
        code: "500",
        operation: "CAPTURE",
        clientOrderId: "902B4FF5",
        orderId: "6768788",
        idempotencyKey: "mine",
        serialNumber: "77",
        retryable: false
      })
      assert.isTrue((yield* Effect.flip(pay.status({ client_orderid: "902B4FF5" }))).retryable)
    }).pipe(
      Effect.provide(
        inProcess(() => Effect.succeed(answer(500, { type: "error", "serial-number": 77, "error-message": "!" })))
      )
    )
  )

  const waits = [
    ["seconds", "120", 120_000],
    ["zero seconds", "0", 0],
    ["a date", "Thu, 01 Jan 1970 01:00:30 GMT", 30_000],
    ["a date in the past", "Thu, 01 Jan 1970 00:59:00 GMT", 0],
    ["no header", undefined, undefined],
    ["a value that is not a time", "soon", undefined],
    ["a negative number", "-5", undefined],
    ["a fraction", "1.5", undefined]
  ] as const
  it.effect.each(waits)("with status 429 is retryable after the time of Retry-After: $0", ([, header, wait]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(3_600_000)
      const pay = yield* PayClient.PayClient
      const error = yield* Effect.flip(pay.sale(sale))
      assert.deepInclude(error, { _tag: "Refused", status: 429, retryable: true })
      assert.strictEqual(error._tag === "Refused" ? error.retryAfterMs : -1, wait)
    }).pipe(Effect.provide(inProcess(() => Effect.succeed(answer(429, refusal, { "retry-after": header })))))
  )
})
