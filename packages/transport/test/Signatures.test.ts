import { assert, describe, it } from "@effect/vitest"
import * as Canonical from "@pay/schema/Canonical"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import * as PayClient from "../src/PayClient.ts"
import { RandomId } from "../src/RandomId.ts"
import type * as Wire from "../src/Wire.ts"
import { controlKey, cvv, keys, login, pan, recording, sale } from "./Merchant.ts"

/** Returns the input of a merchant for the sample of an operation. */
const input = (operation: Operation) => {
  const decoded = operation.decodeFields(Sample.request(operation))
  if (Result.isFailure(decoded)) return assert.fail(JSON.stringify(decoded.failure))
  const { login: _, ...request } = decoded.success
  return request
}

const parametersOf = (body: string) => {
  const form = Form.parse(body)
  return form.ok ? form.parameters : assert.fail(form.reason)
}

/** Verifies a signature like the gateway: it computes it from the request that arrived, not from a compiled recipe. */
const verify = (operation: Operation, { body, headers, url }: Wire.WireRequest, nonce: string) => {
  const parameters = parametersOf(body)
  const { authorization } = headers
  if (operation.signing._tag === "Control") {
    assert.isUndefined(authorization)
    const { fields, problems } = Canonical.fields(operation, parameters)
    assert.deepEqual(problems, [])
    const values = Canonical.controlValues(operation, fields, { endpointId: "1111", mode: "minor" })
    const control = parameters.filter(([name]) => name === "control").map(([, value]) => value)
    assert.deepEqual(control, [Control.sign(operation.signing.recipe, values, controlKey)])
  } else {
    const [method] = operation.signing.methods
    const parsed = OAuth.parse({ method: "POST", url, authorization, parameters })
    if (!parsed.ok) return assert.fail(JSON.stringify(parsed.reason))
    const { claim } = parsed
    assert.deepInclude(claim, {
      consumerKey: login,
      signatureMethod: method,
      timestampSeconds: 1_669_966_913,
      nonce
    })
    const key = method === "HMAC-SHA1" ? OAuth.hmac(controlKey) : OAuth.rsaPublic(keys.publicKey)
    assert.deepEqual(OAuth.verify(claim, key, { nowSeconds: 1_669_966_913, toleranceSeconds: 0 }), { ok: true })
  }
}

describe("a status call by orderid alone", () => {
  it.effect("omits client_orderid, and leaves its slot in the control empty", () =>
    Effect.gen(function* () {
      const { layer, requests } = recording()
      yield* Effect.exit(Effect.flatMap(PayClient.PayClient, (pay) => pay.status({ orderid: "6768788" }))).pipe(
        Effect.provide(layer)
      )
      const [request] = requests
      if (request === undefined) return assert.fail("nothing was sent")
      const control = Control.sign(Control.recipes.status, { login, orderid: "6768788" }, controlKey)
      assert.deepEqual(parametersOf(request.body), [
        ["login", login],
        ["orderid", "6768788"],
        ["control", control]
      ])
    })
  )

  it.effect("is not sent without either order number", () =>
    Effect.gen(function* () {
      const { layer, requests } = recording()
      const call = Effect.flatMap(PayClient.PayClient, (pay) => pay.status({}))
      const error = yield* Effect.flip(call).pipe(Effect.provide(layer))
      assert.deepInclude(error, { _tag: "InvalidRequest" })
      assert.lengthOf(requests, 0)
    })
  )
})

const countedIds = () => {
  let last = 0
  return () => `id${++last}`
}

describe("the request of every operation is complete and has a valid signature", () => {
  it.effect.each(PayApi.all.map((operation) => [operation.name, operation] as const))("$0", ([, operation]) =>
    Effect.gen(function* () {
      const { layer, requests } = recording()
      yield* TestClock.setTime(1_669_966_913_999)
      const isKeyed = operation.acts === "onOrder" || operation.acts === "onSubscription"
      const call = PayClient.call(operation, input(operation))
      yield* Effect.exit(call).pipe(Effect.provide(layer), Effect.provideService(RandomId, countedIds()))
      const [request] = requests
      if (request === undefined) return assert.fail("nothing was sent")
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(request.url, `http://127.0.0.1:1/paynet${operation.path}/1111`)
      assert.strictEqual(request.headers.accept, "application/vnd.pay+json")
      assert.strictEqual(request.headers["content-type"], "application/x-www-form-urlencoded")
      assert.strictEqual(request.headers["idempotency-key"], isKeyed ? "id1" : undefined)
      const sent = Object.fromEntries(parametersOf(request.body).filter(([name]) => name !== "control"))
      assert.deepEqual(sent, Sample.request(operation))
      verify(operation, request, isKeyed ? "id2" : "id1")
    })
  )
})

it.effect("fields are trimmed before they are signed and sent, and empty ones are omitted", () =>
  Effect.gen(function* () {
    const { layer, requests } = recording()
    const untidy = { ...sale, client_orderid: " é+&=%\u{1f600} ", email: "john.smith@gmail.com\t", last_name: "  " }
    // The answer is about another order.
    yield* Effect.exit(PayClient.call(PayApi.operations.SALE, untidy).pipe(Effect.provide(layer)))
    const [request] = requests
    if (request === undefined) return assert.fail("nothing was sent")
    const parameters = parametersOf(request.body)
    assert.deepInclude(Object.fromEntries(parameters), {
      client_orderid: "é+&=%\u{1f600}",
      email: "john.smith@gmail.com",
      credit_card_number: pan,
      cvv2: cvv,
      expire_month: "12"
    })
    assert.isFalse(parameters.some(([name]) => name === "last_name"))
    verify(PayApi.operations.SALE, request, "unused")
  })
)

it.effect("the OAuth signature covers the address of each call", () =>
  Effect.gen(function* () {
    const operation: Operation = PayApi.operations.PAYOUT
    const { layer, requests } = recording()
    yield* TestClock.setTime(1_669_966_913_000)
    yield* Effect.forEach(["1", "2", "1"], (endpointId) =>
      PayClient.call(operation, input(operation), { endpointId })
    ).pipe(
      Effect.exit,
      Effect.provide(layer),
      Effect.provideService(RandomId, () => "nonce")
    )
    assert.deepEqual(
      requests.map(({ url }) => url.split("/").at(-1)),
      ["1", "2", "1"]
    )
    for (const request of requests) verify(operation, request, "nonce")
  })
)
