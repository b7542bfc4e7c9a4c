/**
 * A shop's own checkout under Vitest, against a whole gateway in the same process: `Sandbox.layer()` is a world of its own
 * each time, with no port, no file and nothing to start. What the bank says is decided by the security code of the card.
 */
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Redacted } from "effect"
import { expect, test } from "vitest"

const { SALE } = PayApi.operations

/** The shop: asks for the money; where the answer is lost, it sends the same order again, which cannot pay twice. */
const checkout = Effect.fn(function* (invoice: string, cvv: string) {
  const pay = yield* PayClient
  const payment = yield* Effect.fromResult(SALE.decodeFields({ ...Sample.request(SALE), client_orderid: invoice }))
  const sale = pay.sale({ ...payment, cvv2: Redacted.make(cvv), server_callback_url: "http://shop.test/paid" })
  yield* Effect.catchTag(sale, "OutcomeUnknown", () => sale)
})

/** What the shop was told of each invoice, by callback. */
const callbacks = Effect.gen(function* () {
  const inbox = yield* Sandbox.Inbox
  return (yield* inbox.arrived).map(({ callback }) => `${callback.client_orderid} ${callback.status}`)
})

/** Each test in a gateway of its own. */
const inSandbox = <A, E>(program: Effect.Effect<A, E, Sandbox.Services>) =>
  Effect.runPromise(Effect.provide(program, Sandbox.layer()))

test.each([
  ["approved", "123"],
  ["declined", "116"]
])("a payment that the bank has %s is told by callback", (status, cvv) =>
  inSandbox(
    Effect.gen(function* () {
      yield* checkout("INV-1", cvv)
      yield* Sandbox.settled
      expect(yield* callbacks).toEqual([`INV-1 ${status}`])
    })
  )
)

test("an answer that is lost on its way does not pay twice", () =>
  inSandbox(
    Effect.gen(function* () {
      const line = yield* Sandbox.SimulatedNetwork
      yield* line.loseNextAnswer
      yield* checkout("INV-1", "123")
      yield* Sandbox.advance("1 day")
      expect(yield* callbacks).toEqual(["INV-1 approved"])
      expect((yield* Sandbox.reconciliation).findings).toEqual([])
    })
  ))
