import { it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import { Context, Effect, Layer, Redacted, Schema, type Scope } from "effect"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Cipher from "../../src/durable/Cipher.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/engine/Flow.ts"
import type { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"

export class Book extends Context.Service<Book, { readonly lines: Array<string> }>()("test/Book") {
  static readonly layer = Layer.sync(Book, () => Book.of({ lines: [] }))
}

export const note = (line: string) => Effect.map(Book, ({ lines }) => void lines.push(line))
export const lines = Effect.map(Book, (book) => book.lines)

export const step = (name: string) =>
  Steps.step(name, { success: Schema.String, error: Schema.Never }, Effect.as(note(name), name))

export class NoMoney extends Schema.TaggedError<NoMoney>()("NoMoney", { retryable: Schema.Boolean }) {}

/** A flow with only an id. */
export const flowWithId = (name: string, run: Effect.Effect<string, never, Book>) =>
  Flow.make({
    name,
    summary: "For these tests.",
    payload: Schema.Struct({ id: Schema.String }),
    success: Schema.String,
    error: Schema.Never,
    idempotencyKey: ({ id }) => id,
    run: () => run
  })

const { fields } = PayApi.operations.SALE

/** A flow with a card: it pays, waits at most a day for a signal, and ends. It reads `cvv2` only in the first step. */
export const Purchase = Flow.make({
  name: "Purchase",
  summary: "For these tests.",
  payload: Schema.Struct({
    id: Schema.String,
    credit_card_number: fields.credit_card_number,
    cvv2: Schema.optionalKey(fields.cvv2)
  }),
  success: Schema.String,
  error: NoMoney,
  idempotencyKey: ({ id }) => id,
  run: Effect.fnUntraced(function* ({ credit_card_number, cvv2, id }) {
    yield* Steps.step(
      "pay",
      { success: Schema.String, error: NoMoney },
      Effect.gen(function* () {
        const forgotten = (yield* Flow.LostFields).join()
        const code = cvv2 === undefined ? `without code${forgotten && `, forgotten ${forgotten}`}` : "with code"
        yield* note(`pay by ${Redacted.value(credit_card_number).slice(-4)} ${code}`)
        if (id.startsWith("poor")) return yield* new NoMoney({ retryable: id.startsWith("poor for now") })
        if (id === "slow" && cvv2 !== undefined) return yield* Effect.never
        return "paid"
      })
    )
    const news = yield* Steps.awaitSignal("news", { key: `news:${id}`, timeout: "1 day" })
    yield* step("end")
    return news._tag === "Some" ? news.value : "no news"
  })
})

export const pan = "4444333322221111"
export const cvv = "987"
export const purchase = (id: string) => ({
  id,
  credit_card_number: Redacted.make(pan),
  cvv2: Redacted.make(cvv)
})

export const key = Redacted.make(Buffer.alloc(32, 7).toString("base64"))

/** Tests a program with a new file for its engine. */
export const test = <E>(name: string, program: (path: string) => Effect.Effect<void, E, Book | Scope.Scope>) =>
  it.effect(name, () => Effect.flatMap(temporaryFile, program).pipe(Effect.provide(Book.layer)))

/** Opens the engine for the program, and closes it afterwards, like one run of a process. */
export const processWith =
  <E, R>(layer: Layer.Layer<FlowEngine, E, R>) =>
  <A, E2, R2>(program: Effect.Effect<A, E2, R2>) =>
    Effect.provide(program, layer, { local: true })

export const purchases = (
  path: string,
  options: {
    readonly key?: Redacted.Redacted<string>
    readonly former?: ReadonlyArray<Redacted.Redacted<string>>
    readonly tickMs?: number
  } = {}
) =>
  Layer.unwrap(
    Effect.map(Cipher.make({ key: options.key ?? key, formerKeys: options.former ?? [] }), (cipher) =>
      Purchase.layer.pipe(Layer.provideMerge(Durable.layer({ path, cipher, tickMs: options.tickMs ?? 10_000 })))
    )
  )
