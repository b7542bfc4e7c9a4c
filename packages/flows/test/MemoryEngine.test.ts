/** What the engine in memory remembers, and for how long. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import * as Flow from "../src/engine/Flow.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"
import * as TurnStore from "../src/engine/TurnStore.ts"
import { CardSale } from "../src/payments/CardPayment.ts"
import * as Turns from "../src/requests/Turns.ts"

const text = Schema.String
class Busy extends Schema.TaggedError<Busy>()("Busy", { retryable: Schema.Boolean }) {}

const Job = Flow.make({
  name: "Job",
  payload: Schema.Struct({ id: text }),
  success: text,
  error: Busy,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ id }) {
    if (id !== "again") return id
    const end = yield* Steps.awaitSignal("end", { key: "end", timeout: "1 hour" })
    return Option.isSome(end) && end.value === "done" ? id : yield* new Busy({ retryable: true })
  })
})

const again = Job.execute({ id: "again" })
const end = (value: string) => Effect.flatMap(FlowEngine, (engine) => engine.signal("end", value))
const attempt = (value: string) => Effect.andThen(end(value), Effect.result(again))
const others = (count: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, number) => `other ${number}`),
    (id) => Job.execute({ id }),
    { discard: true }
  )
const runs = Effect.map(FlowEngine, ({ statistics }) => statistics.runs)

describe("the engine in memory", () => {
  it.effect("forgets the attempts under a name together, and not while one is open", () =>
    Effect.gen(function* () {
      yield* attempt("busy")
      yield* Job.start({ id: "again" })
      yield* others(10_001)
      const before = yield* runs
      yield* Job.start({ id: "again" })
      assert.strictEqual((yield* Job.poll("again"))._tag, "Waiting")
      assert.strictEqual((yield* attempt("done"))._tag, "Success")
      yield* Job.execute({ id: "one more" })
      assert.strictEqual(yield* again, "again")
      assert.strictEqual((yield* runs) - before, 1)
    }).pipe(Effect.provide(FlowEngine.layerMemory))
  )

  it.effect("finds the latest of 300 attempts", () =>
    Effect.gen(function* () {
      for (let count = 0; count < 300; count += 1) yield* attempt("busy")
      yield* attempt("done")
      const before = yield* runs
      assert.strictEqual(yield* again, "again")
      assert.strictEqual(yield* runs, before)
    }).pipe(Effect.provide(FlowEngine.layerMemory))
  )

  it.effect("keeps the turn of an order however many other orders have turns meanwhile", () =>
    Effect.gen(function* () {
      const store = TurnStore.makeMemory()
      const claim = (id: string) => ({ flow: "Refund", id, part: "", action: id, token: id })
      const turnsOf = (order: string, id: string) => Turns.make(store, order, claim(id))
      yield* turnsOf("7", "first").take
      for (let order = 8; order < 10_020; order += 1) {
        yield* store.write(String(order), "turn 1", "taken")
        yield* store.write(String(order), "end 1", "ended")
      }
      const second = turnsOf("7", "second")
      const turn = yield* second.take
      assert.strictEqual(turn, 2)
      assert.deepStrictEqual(yield* second.look(turn, 0), { behind: "first" })
    })
  )

  it.effect("takes another security code for a part of a flow that has run, as for the flow itself", () =>
    Effect.gen(function* () {
      const { cvv2 } = CardSale.payload.fields
      const Part = Flow.make({
        name: "Part",
        payload: Schema.Struct({ id: text, cvv2 }),
        success: text,
        idempotencyKey: ({ id }) => id,
        run: ({ id }) => Effect.succeed(id)
      })
      const Whole = Flow.make({
        name: "Whole",
        payload: Schema.Struct({ id: text }),
        success: Schema.Array(text),
        idempotencyKey: ({ id }) => id,
        run: ({ id }) => Effect.forEach(["123", "987"], (code) => Part.execute({ id, cvv2: Redacted.make(code) }))
      })
      assert.deepStrictEqual(yield* Whole.execute({ id: "1" }), ["1", "1"])
    }).pipe(Effect.provide(FlowEngine.layerMemory))
  )
})
