import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as Flow from "../src/engine/Flow.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import { CardSale } from "../src/payments/CardPayment.ts"

const { creditCardNumber, cvv2, email } = CardSale.payload.fields
const Card = Schema.Struct({ creditCardNumber, cvv2, email: Schema.optionalKey(email) })

const Purchases = Flow.make({
  name: "Purchases",
  payload: Schema.Struct({ id: Schema.String, cards: Schema.Array(Card), first: Schema.optionalKey(Card) }),
  success: Schema.Array(Schema.String),
  idempotencyKey: ({ id }) => id,
  run: ({ cards, first }) =>
    Effect.succeed(
      [...cards, ...(first === undefined ? [] : [first])].map((each) => Redacted.value(each.creditCardNumber))
    )
})

const card = (number: string) => ({ creditCardNumber: Redacted.make(number), cvv2: Redacted.make("123") })

describe("a payload with payments inside lists and structs", () => {
  const numbers = ["4444333322221111", "4444555566661111"] as const

  it.effect("takes card data that the caller has made Redacted, as at the top of a payload", () =>
    Effect.gen(function* () {
      const payload = { id: "1", cards: numbers.map(card), first: card(numbers[0]) }
      assert.deepStrictEqual(yield* Purchases.execute(payload), [...numbers, numbers[0]])
    }).pipe(Effect.provide(FlowEngine.layerMemory))
  )

  it.effect("still refuses a value of another type there", () =>
    Effect.gen(function* () {
      const cards = [{ ...card(numbers[0]), creditCardNumber: Redacted.make("12") }]
      const error = yield* Effect.flip(Purchases.execute({ id: "1", cards }))
      assert.strictEqual(error._tag, "PayloadInvalid")
    }).pipe(Effect.provide(FlowEngine.layerMemory))
  )
})
