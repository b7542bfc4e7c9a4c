import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/Flow.ts"
import * as Steps from "../../src/Steps.ts"
import {
  Book,
  cvv,
  key,
  life,
  lines,
  note,
  Purchase,
  pan,
  purchase,
  purchases,
  step,
  temporaryFile,
  wordless
} from "./Fixture.ts"

const test = <E>(name: string, program: (path: string) => Effect.Effect<void, E, Book>) =>
  it.effect(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(Book.layer)))

describe("card data", () => {
  test("stands in the file only sealed, and the security code not at all", (path) =>
    Effect.gen(function* () {
      const on = life(purchases(path))
      const files = Effect.sync(() => [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join(""))
      const marks = [pan, `"${cvv}"`, Buffer.from(pan).toString("base64"), Buffer.from(cvv).toString("hex")]
      yield* on(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.start(Purchase, purchase("marked"))
          yield* durable.settled
          for (const mark of marks) assert.notInclude(yield* files, mark)
          yield* durable.signal("news:marked", "marked-news")
          yield* durable.settled
          for (const mark of [...marks, "marked-news"]) assert.notInclude(yield* files, mark)
        })
      )
    }))

  test("may come without a code from the start, and nothing is forgotten then", (path) =>
    life(purchases(path))(
      Effect.gen(function* () {
        const durable = yield* Durable.Durable
        const { cvv2: _, ...payload } = purchase("1")
        yield* durable.start(Purchase, payload)
        yield* durable.start(Purchase, purchase("1"))
        yield* durable.settled
        assert.deepStrictEqual(yield* lines, ["pay by 1111 without code"])
      })
    ))

  test("the code is there though who began the flow was cut off, and somebody else joined it", (path) =>
    life(purchases(path))(
      Effect.gen(function* () {
        const { settled, start } = yield* Durable.Durable
        for (let turns = 0; turns < 30; turns += 1) {
          const payment = purchase(`${turns}`)
          const first = yield* Effect.forkChild(start(Purchase, payment), { startImmediately: true })
          const second = yield* Effect.forkChild(start(Purchase, payment), { startImmediately: true })
          for (let turn = 0; turn < turns; turn += 1) yield* Effect.yieldNow
          yield* Fiber.interrupt(first)
          yield* Fiber.join(second)
        }
        yield* settled
        assert.deepStrictEqual(yield* lines, Array(30).fill("pay by 1111 with code"))
      })
    ))

  test("the code is there in the first run only, also where the process goes on", (path) =>
    Effect.gen(function* () {
      const codes = Effect.fnUntraced(function* ({ cvv2 }: typeof Purchase.payload.Type) {
        yield* note(cvv2 === undefined ? "without" : "with")
        yield* Steps.sleep("pause", "1 hour")
        return "done"
      })
      const waiting = Flow.make({ ...Purchase, name: "Waiting", run: codes })
      const cipher = yield* Cipher.make({ key })
      yield* life(Durable.layer({ path, cipher, flows: Durable.flow(waiting) }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.start(waiting, purchase("1"))
          yield* durable.settled
          yield* TestClock.adjust("1 hour")
          yield* durable.settled
        })
      )
      assert.deepStrictEqual(yield* lines, ["with", "without"])
    }))

  test("after a restart the card is there, and the code is not", (path) =>
    Effect.gen(function* () {
      // The process ends while it pays: what it was told is gone with it.
      yield* life(purchases(path))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          const { lines } = yield* Book
          yield* Effect.forkChild(durable.start(Purchase, purchase("slow")))
          while (lines.length === 0) yield* Effect.yieldNow
        })
      )
      yield* life(purchases(path))(Effect.flatMap(Durable.Durable, ({ settled }) => settled))
      assert.deepStrictEqual(yield* lines, ["pay by 1111 with code", "pay by 1111 without code, forgotten cvv2"])
    }))

  test("opens under a former key; without it the flow is stuck and says so", (path) =>
    Effect.gen(function* () {
      const next = Redacted.make(Buffer.alloc(32, 8).toString("base64"))
      const start = Effect.flatMap(Durable.Durable, (durable) =>
        Effect.andThen(durable.start(Purchase, purchase("1")), durable.settled)
      )
      yield* life(purchases(path))(start)
      yield* life(purchases(path, { key: next }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.signal("news:1", "good")
          const standing = yield* durable.ended(Purchase, "1")
          assert.match(standing._tag === "Stuck" ? standing.on : "", /sealed under a key that is not here/)
        })
      )
      yield* life(purchases(path, { key: next, former: [key] }))(
        Effect.gen(function* () {
          const durable = yield* Durable.Durable
          yield* durable.resume("Purchase/1")
          yield* durable.settled
          yield* start
          assert.deepStrictEqual(yield* durable.result(Purchase, "1"), { _tag: "Succeeded", value: "good" })
        })
      )
    }))

  test("is refused without a cipher, and so is a flow that cannot do without its security code", (path) =>
    Effect.gen(function* () {
      const open = <E, R>(flows: Layer.Layer<never, E, R>) =>
        Effect.flip(Effect.scoped(Layer.build(Durable.layer({ path, flows }))))
      const { cvv2 } = PayApi.operations.SALE.fields
      const needy = Flow.make({ ...wordless("Needy", step("a")), payload: Schema.Struct({ id: Schema.String, cvv2 }) })
      assert.match(String(yield* open(Durable.flow(needy))), /nobody may keep cvv2/)
      const bare = yield* open(Durable.flow(Purchase))
      assert.match(String(bare), /keeps credit_card_number: give the layer a cipher/)
    }))

  const { credit_card_number, cvv2 } = PayApi.operations.SALE.fields
  const card = Schema.Struct({ credit_card_number })
  const withCode = Schema.Struct({ credit_card_number, cvv2: Schema.optionalKey(cvv2) })
  /** Payloads of a merchant's own flow with card data inside, and the reason why a layer without a cipher refuses each. */
  const inside = [
    ["a card in a struct", { payment: card }, /keeps payment: give the layer a cipher/],
    ["a card in a list", { payments: Schema.optionalKey(Schema.Array(card)) }, /keeps payments: give the layer/],
    ["a code in a struct", { payment: withCode }, /nobody may keep the security code inside payment/],
    ["a code in a list of choices", { all: Schema.Array(Schema.Union([card, withCode])) }, /security code inside all/],
    ["a code in a record", { all: Schema.Record(Schema.String, withCode) }, /security code inside all/],
    ["a code as JSON", { all: Schema.fromJsonString(withCode) }, /security code inside all/]
  ] as const
  for (const [story, fields, reason] of inside) {
    test(`is found wherever it is: ${story}`, (path) =>
      Effect.gen(function* () {
        const flow = Flow.make({
          ...wordless("Own", step("a")),
          payload: Schema.Struct({ id: Schema.String, ...fields })
        })
        const layer = Durable.layer({ path, flows: Durable.flow(flow) })
        const refused = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
        assert.match(String(refused), reason)
      }))
  }

  test("is not given as an outcome", (path) =>
    Effect.gen(function* () {
      const success = Schema.Struct({ payment: withCode })
      const flow = Flow.make({ ...wordless("Own", step("a")), success, run: () => Effect.never })
      const cipher = yield* Cipher.make({ key })
      const layer = Durable.layer({ path, cipher, flows: Durable.flow(flow) })
      const refused = yield* Effect.flip(Effect.scoped(Layer.build(layer)))
      assert.match(String(refused), /nobody may keep the security code in its outcome/)
    }))
})
