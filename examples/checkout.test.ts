/** A shop's own checkout, tested against a gateway in the same process. With Vitest only the import of `test` differs. */
import assert from "node:assert/strict"
import { test } from "node:test"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"

const { SALE } = PayApi.operations
const callbackUrl = "http://shop.test/paid"

/** The shop: asks for the money; where the answer is lost, it sends the same order again, which cannot pay twice. */
const checkout = Effect.fn(function* (invoice: string, cvv: string) {
  const pay = yield* PayClient.PayClient
  const payment = yield* Effect.fromResult(SALE.decodeFields(Sample.request(SALE)))
  const changes = { client_orderid: invoice, cvv2: Redacted.make(cvv), server_callback_url: callbackUrl }
  const sale = pay.sale({ ...payment, ...changes })
  yield* Effect.catchTag(sale, "OutcomeUnknown", () => sale)
})

/** What the shop was told of each invoice. */
const told = Effect.gen(function* () {
  const inbox = yield* Sandbox.Inbox
  return (yield* inbox.arrived).map(({ callback }) => `${callback.client_orderid} ${callback.status}`)
})

test("an approved payment is told by callback", () =>
  Effect.gen(function* () {
    yield* checkout("INV-1", "123")
    yield* Sandbox.settled
    assert.deepEqual(yield* told, ["INV-1 approved"])
  }).pipe(Effect.provide(Sandbox.layer()), Effect.runPromise))

test("a declined one too", () =>
  Effect.gen(function* () {
    yield* checkout("INV-1", "116")
    yield* Sandbox.settled
    assert.deepEqual(yield* told, ["INV-1 declined"])
  }).pipe(Effect.provide(Sandbox.layer()), Effect.runPromise))

test("an answer that is lost on its way does not pay twice", () =>
  Effect.gen(function* () {
    const line = yield* Sandbox.Line
    yield* line.loseNextAnswer
    yield* checkout("INV-1", "123")
    yield* Sandbox.advance("1 day")
    assert.deepEqual(yield* told, ["INV-1 approved"])
    assert.deepEqual((yield* Sandbox.parity).findings, [])
  }).pipe(Effect.provide(Sandbox.layer()), Effect.runPromise))
