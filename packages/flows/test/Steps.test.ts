import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Fiber, Option, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Flow from "../src/engine/Flow.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"
import { Capture } from "../src/payments/OrderAction.ts"

const fresh = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, FlowEngine.layerMemory, { local: true })

const { fields } = PayApi.operations.SALE.request
const pay = Flow.make({
  name: "Pay",
  summary: "For this test.",
  payload: Schema.Struct({
    client_orderid: fields.client_orderid,
    credit_card_number: fields.credit_card_number,
    cvv2: Schema.optionalKey(fields.cvv2)
  }),
  success: Schema.String,
  error: Schema.Never,
  idempotencyKey: ({ client_orderid }) => client_orderid,
  run: () => Effect.map(Steps.Steps, ({ workflowId }) => Flow.keyOf(workflowId, "charge"))
})

it("a flow names the fields that are stored only encrypted, and those that are never stored", () => {
  assert.deepStrictEqual(pay.encryptedFields, ["credit_card_number"])
  assert.deepStrictEqual(pay.neverPersisted, ["cvv2"])
})

it.effect("a flow knows its identity, also inside another flow", () =>
  fresh(
    Effect.gen(function* () {
      const number = Redacted.make("4444333322221111")
      const inner = pay.execute({ client_orderid: "a b", credit_card_number: number })
      assert.strictEqual(yield* inner, "a%20b:charge")
      const outer = Flow.make({
        ...pay,
        name: "Outer",
        idempotencyKey: () => "outer",
        run: () => Effect.orDie(inner)
      })
      assert.strictEqual(yield* outer.execute({ client_orderid: "x", credit_card_number: number }), "a%20b:charge")
    })
  )
)

it("an idempotency key is short printable ASCII for every identity", () => {
  assert.strictEqual(Flow.keyOf("ордер", "capture"), "%D0%BE%D1%80%D0%B4%D0%B5%D1%80:capture")
  const long = Flow.keyOf("x".repeat(300), "capture")
  assert.match(long, /^[0-9a-f]{64}$/)
  assert.notStrictEqual(long, Flow.keyOf("x".repeat(301), "capture"))
})

it("an identity that is not valid Unicode has a key of its own", () => {
  const key = Flow.keyOf("\ud800", "capture")
  assert.match(key, /^[0-9a-f]{64}$/)
  assert.notStrictEqual(key, Flow.keyOf("\udfff", "capture"))
})

it("different actions have different identities", () => {
  const identity = (clientOrderId: string, name: string) =>
    Capture.idempotencyKey({ clientOrderId, name, orderId: "7" })
  assert.strictEqual(identity("o-1", "part-1"), "o-1/part-1")
  const entries = [identity("a/b", "c"), identity("a", "b/c"), identity("a%2Fb", "c"), identity("a%252Fb", "c")]
  assert.lengthOf(new Set(entries), entries.length)
})

it.effect("steps of a nested flow are recorded under their own names", () =>
  Effect.gen(function* () {
    const names: Array<string> = []
    const memory = Steps.makeMemory()
    const noting: Steps.Shape = {
      ...memory,
      step: (name, schemas, effect) => {
        names.push(name)
        return memory.step(name, schemas, effect)
      }
    }
    const outer = Steps.within(noting, "Outer", { merchant: "", key: "o-1" })
    const inner = Steps.within(outer, "Inner", { merchant: "", key: "i-1" })
    const schemas = { success: Schema.Void, error: Schema.Never }
    yield* outer.step("ask", schemas, Effect.void)
    yield* inner.step("ask", schemas, Effect.void)
    assert.deepStrictEqual(names, ["ask", "Inner(i-1)/ask"])
  })
)

it.effect("a signal ends a wait, and is kept for a later wait", () =>
  fresh(
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(Steps.awaitSignal("w", { key: "k", timeout: "1 hour" }), {
        startImmediately: true
      })
      yield* Steps.signal("k", "first")
      assert.deepStrictEqual(yield* Fiber.join(waiting), Option.some("first"))
      yield* Steps.signal("k", "early")
      assert.deepStrictEqual(yield* Steps.awaitSignal("w2", { key: "k", timeout: "1 hour" }), Option.some("early"))
    })
  )
)

it.effect("a wait without a signal ends at its timeout", () =>
  fresh(
    Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(Steps.awaitSignal("w", { key: "k", timeout: "1 hour" }))
      yield* TestClock.adjust("1 hour")
      assert.deepStrictEqual(yield* Fiber.join(waiting), Option.none())
      yield* Steps.signal("k", "late")
      assert.deepStrictEqual(yield* Steps.awaitSignal("w2", { key: "k", timeout: 0 }), Option.some("late"))
    })
  )
)

it.effect("only the newest of the unread signals are kept", () =>
  fresh(
    Effect.gen(function* () {
      for (let index = 0; index <= 10_000; index += 1) yield* Steps.signal(`k${index}`)
      assert.isTrue(
        Option.isNone(
          yield* Effect.forkChild(Steps.awaitSignal("a", { key: "k0", timeout: 1 })).pipe(
            Effect.tap(() => TestClock.adjust(1)),
            Effect.flatMap(Fiber.join)
          )
        )
      )
      assert.isTrue(Option.isSome(yield* Steps.awaitSignal("b", { key: "k1", timeout: 1 })))
    })
  )
)
