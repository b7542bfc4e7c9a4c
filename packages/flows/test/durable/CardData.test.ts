import { readFileSync } from "node:fs"
import { assert, describe } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import {
  Book,
  cvv,
  flowWithId,
  key,
  lines,
  note,
  Purchase,
  pan,
  processWith,
  purchase,
  purchases,
  step,
  test
} from "./Fixture.ts"

describe("card data of a durable flow", () => {
  test("is stored only encrypted, and the security code is never stored", (path) =>
    Effect.gen(function* () {
      const on = processWith(purchases(path))
      const files = Effect.sync(() => [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join(""))
      const marks = [pan, `"${cvv}"`, Buffer.from(pan).toString("base64"), Buffer.from(cvv).toString("hex")]
      yield* on(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* Purchase.start(purchase("marked"))
          yield* durable.settled
          for (const mark of marks) assert.notInclude(yield* files, mark)
          yield* durable.signal("news:marked", "marked-news")
          yield* durable.settled
          for (const mark of [...marks, "marked-news"]) assert.notInclude(yield* files, mark)
        })
      )
    }))

  test("may lack the security code from the start, which is not reported as lost", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* FlowEngine
        const { cvv2: _, ...payload } = purchase("1")
        yield* Purchase.start(payload)
        yield* Purchase.start(purchase("1"))
        yield* durable.settled
        assert.deepStrictEqual(yield* lines, ["pay by 1111 without code"])
      })
    ))

  test("includes the code if the first caller is interrupted and a second one joined", (path) =>
    processWith(purchases(path))(
      Effect.gen(function* () {
        const { settled } = yield* FlowEngine
        for (let turns = 0; turns < 30; turns += 1) {
          const payment = purchase(`${turns}`)
          const first = yield* Effect.forkChild(Purchase.start(payment), { startImmediately: true })
          const second = yield* Effect.forkChild(Purchase.start(payment), { startImmediately: true })
          for (let turn = 0; turn < turns; turn += 1) yield* Effect.yieldNow
          yield* Fiber.interrupt(first)
          yield* Fiber.join(second)
        }
        yield* settled
        assert.deepStrictEqual(yield* lines, Array(30).fill("pay by 1111 with code"))
      })
    ))

  test("includes the code only in the first run, also within one process", (path) =>
    Effect.gen(function* () {
      const codes = Effect.fnUntraced(function* ({ cvv2 }: typeof Purchase.payload.Type) {
        yield* note(cvv2 === undefined ? "without" : "with")
        yield* Steps.sleep("pause", "1 hour")
        return "done"
      })
      const waiting = Flow.make({ ...Purchase, name: "Waiting", run: codes })
      const cipher = yield* Cipher.make({ key })
      yield* processWith(waiting.layer.pipe(Layer.provideMerge(Durable.layer({ path, cipher }))))(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* waiting.start(purchase("1"))
          yield* durable.settled
          yield* TestClock.adjust("1 hour")
          yield* durable.settled
        })
      )
      assert.deepStrictEqual(yield* lines, ["with", "without"])
    }))

  test("has the codes inside a list of payments only in its first run, and stores none of them", (path) =>
    Effect.gen(function* () {
      const { payload, ...own } = flowWithId("Trip", Effect.succeed("done"))
      const { credit_card_number, cvv2 } = Purchase.payload.fields
      const payments = Schema.Array(
        Schema.Struct({ credit_card_number, cvv2, of: Schema.optional(Schema.Struct({ cvv2 })) })
      )
      const trip = Flow.make({
        ...own,
        payload: Schema.Struct({ ...payload.fields, payments }),
        run: Effect.fnUntraced(function* ({ payments }) {
          const codes = payments.map(
            ({ cvv2, of }) => `${cvv2 && Redacted.value(cvv2)} ${of?.cvv2 && Redacted.value(of.cvv2)}`
          )
          yield* note(`${codes.join(", ")}; lost ${(yield* Flow.LostFields).join()}`)
          yield* Steps.sleep("pause", "1 hour")
          return "done"
        })
      })
      const code = (text: string) => ({ cvv2: Redacted.make(text) })
      const { credit_card_number: number } = purchase("1")
      const payment = (code: object) => ({ credit_card_number: number, ...code })
      const trips = (text: string) => ({
        id: "1",
        payments: [payment(code(text)), payment({ of: code(text) }), payment({})]
      })
      const cipher = yield* Cipher.make({ key })
      const process = processWith(trip.layer.pipe(Layer.provideMerge(Durable.layer({ path, cipher }))))
      yield* process(
        Effect.andThen(
          trip.start(trips("987")),
          Effect.flatMap(FlowEngine, ({ settled }) => settled)
        )
      )
      yield* process(
        Effect.gen(function* () {
          const { settled } = yield* FlowEngine
          yield* TestClock.adjust("1 hour")
          yield* settled
          assert.strictEqual(yield* trip.execute(trips("123")), "done", "the same payments with another code")
        })
      )
      const without = "undefined undefined, undefined undefined, undefined undefined"
      assert.deepStrictEqual(yield* lines, [
        "987 undefined, undefined 987, undefined undefined; lost ",
        `${without}; lost cvv2,cvv2`
      ])
    }))

  test("includes the card but not the code after a restart", (path) =>
    Effect.gen(function* () {
      // The process ends during the payment, and the code is lost with it.
      yield* processWith(purchases(path))(
        Effect.gen(function* () {
          const { lines } = yield* Book
          yield* Effect.forkChild(Purchase.start(purchase("slow")))
          while (lines.length === 0) yield* Effect.yieldNow
        })
      )
      yield* processWith(purchases(path))(Effect.flatMap(FlowEngine, ({ settled }) => settled))
      assert.deepStrictEqual(yield* lines, ["pay by 1111 with code", "pay by 1111 without code, forgotten cvv2"])
    }))

  test("is decrypted with a former key, and the flow is stuck without that key", (path) =>
    Effect.gen(function* () {
      const next = Redacted.make(Buffer.alloc(32, 8).toString("base64"))
      const start = Effect.flatMap(FlowEngine, (durable) =>
        Effect.andThen(Purchase.start(purchase("1")), durable.settled)
      )
      yield* processWith(purchases(path))(start)
      yield* processWith(purchases(path, { key: next }))(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* durable.signal("news:1", "good")
          const flowStatus = yield* Purchase.ended("1")
          assert.match(flowStatus._tag === "Stuck" ? flowStatus.on : "", /encrypted with a key that is not available/)
        })
      )
      yield* processWith(purchases(path, { key: next, former: [key] }))(
        Effect.gen(function* () {
          const durable = yield* FlowEngine
          yield* Purchase.resume("1")
          yield* durable.settled
          yield* start
          assert.deepStrictEqual(yield* Purchase.poll("1"), { _tag: "Succeeded", value: "good" })
        })
      )
    }))

  test("is refused without a cipher, and with a required security code", (path) =>
    Effect.gen(function* () {
      const open = <E, R>(flows: Layer.Layer<never, E, R>) =>
        Effect.flip(Effect.scoped(Layer.build(flows.pipe(Layer.provideMerge(Durable.layer({ path }))))))
      const { cvv2 } = PayApi.operations.SALE.fields
      const needy = Flow.make({
        ...flowWithId("Needy", step("a")),
        payload: Schema.Struct({ id: Schema.String, cvv2 })
      })
      assert.match(String(yield* open(needy.layer)), /cvv2 must not be stored/)
      const bare = yield* open(Purchase.layer)
      assert.match(String(bare), /stores credit_card_number: give the layer a cipher/)
    }))

  const { credit_card_number, cvv2 } = PayApi.operations.SALE.fields
  const card = Schema.Struct({ credit_card_number })
  const withCode = Schema.Struct({ credit_card_number, cvv2: Schema.optionalKey(cvv2) })
  /** Payloads of a merchant's own flow with card data inside, and the reason why a layer without a cipher refuses each. */
  const inside = [
    ["a card in a struct", { payment: card }, /stores payment: give the layer a cipher/],
    ["a card in a list", { payments: Schema.optionalKey(Schema.Array(card)) }, /stores payments: give the layer/],
    ["a code in a struct", { payment: withCode }, /stores payment: give the layer a cipher/],
    ["a required code", { payments: Schema.Array(Schema.Struct({ cvv2 })) }, /inside payments .* make it optional/],
    ["a list of codes", { codes: Schema.Array(cvv2) }, /security code inside codes/],
    ["a code in a list of choices", { all: Schema.Array(Schema.Union([card, withCode])) }, /security code inside all/],
    ["a code in a record", { all: Schema.Record(Schema.String, withCode) }, /security code inside all/],
    ["a code as JSON", { all: Schema.fromJsonString(withCode) }, /stores all: give the layer a cipher/]
  ] as const
  for (const [scenario, fields, reason] of inside) {
    test(`is detected inside other fields: ${scenario}`, (path) =>
      Effect.gen(function* () {
        const flow = Flow.make({
          ...flowWithId("Own", step("a")),
          payload: Schema.Struct({ id: Schema.String, ...fields })
        })
        const layer = flow.layer.pipe(Layer.provideMerge(Durable.layer({ path })))
        const refused = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
        assert.match(String(refused), reason)
      }))
  }

  test("is refused in the outcome of a flow", (path) =>
    Effect.gen(function* () {
      const success = Schema.Struct({ payment: withCode })
      const flow = Flow.make({ ...flowWithId("Own", step("a")), success, run: () => Effect.never })
      const cipher = yield* Cipher.make({ key })
      const layer = flow.layer.pipe(Layer.provideMerge(Durable.layer({ path, cipher })))
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
      assert.match(String(refused), /the security code in its outcome must not be stored/)
    }))
})
