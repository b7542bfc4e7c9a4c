/**
 * Tests a shop's checkout with Vitest, against a whole gateway in the same process. Every `Sandbox.layer()` is a new gateway.
 * It needs no port and no file, and you start nothing. The security code of the card decides the bank's answer.
 */
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"
import { expect, test } from "vitest"

const { SALE } = PayApi.operations

/** The shop's checkout. If the answer is lost, it sends the same order again, which cannot charge twice. */
const checkout = Effect.fn(function* (invoice: string, cvv: string) {
  const pay = yield* PayClient
  const payment = yield* Effect.fromResult(SALE.decodeFields({ ...Sample.request(SALE), client_orderid: invoice }))
  const sale = pay.sale({ ...payment, cvv2: Redacted.make(cvv), server_callback_url: "http://shop.test/callback" })
  yield* Effect.catchTag(sale, "OutcomeUnknown", () => sale)
})

/** Returns the callbacks that the shop received. */
const callbacks = Effect.gen(function* () {
  const inbox = yield* Sandbox.Inbox
  return (yield* inbox.arrived).map(({ callback }) => `${callback.client_orderid} ${callback.status}`)
})

/** Runs a test in its own gateway. */
const inSandbox = <A, E>(program: Effect.Effect<A, E, Sandbox.Services>) =>
  Effect.runPromise(Effect.provide(program, Sandbox.layer()))

test.each([
  ["approved", "123"],
  ["declined", "116"]
])("a payment that the bank has %s is reported by a callback", (status, cvv) =>
  inSandbox(
    Effect.gen(function* () {
      yield* checkout("INV-1", cvv)
      yield* Sandbox.settled
      expect(yield* callbacks).toEqual([`INV-1 ${status}`])
    })
  )
)

test("a lost answer does not charge the card twice", () =>
  inSandbox(
    Effect.gen(function* () {
      const network = yield* Sandbox.SimulatedNetwork
      yield* network.loseNextAnswer
      yield* checkout("INV-1", "123")
      yield* Sandbox.advance("1 day")
      expect(yield* callbacks).toEqual(["INV-1 approved"])
      expect((yield* Sandbox.reconciliation).findings).toEqual([])
    })
  ))
