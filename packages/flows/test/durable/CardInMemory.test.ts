import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Layer, Redacted, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import * as Durable from "../../src/durable/Durable.ts"
import * as CardInMemory from "../../src/engine/CardInMemory.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as FlowPayload from "../../src/engine/FlowPayload.ts"
import * as Steps from "../../src/engine/Steps.ts"
import { Authorization, CardSale, VerifyAccount } from "../../src/payments/CardPayment.ts"
import { ChangeSubscription, Subscribe } from "../../src/payments/Subscription.ts"
import { lines, note, processWith, test } from "./Fixture.ts"

const payment = Result.getOrThrow(FlowPayload.decode(CardSale, Sample.request(PayApi.operations.SALE)))
const number = Redacted.value(payment.creditCardNumber)

/** Notes which card data it has in each run, and pauses between two runs. */
const cardSale = CardInMemory.make(
  Flow.make({
    ...CardSale,
    success: Schema.String,
    error: Schema.Never,
    run: Effect.fnUntraced(function* ({ creditCardNumber, cvv2, expireYear }) {
      const lost = [...(yield* Flow.LostFields)].sort()
      yield* note([Redacted.value(creditCardNumber), expireYear, cvv2 !== undefined, ...lost].join(" "))
      yield* Steps.sleep("pause", "1 hour")
      return "done"
    })
  })
)

test("a card in memory is never written, needs no cipher, and is reported as lost after a restart", (path) =>
  Effect.gen(function* () {
    const on = processWith(cardSale.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))
    yield* on(
      Effect.gen(function* () {
        const { settled } = yield* FlowEngine
        yield* cardSale.start(payment)
        yield* settled
        const files = [path, `${path}-wal`].map((file) => readFileSync(file, "latin1")).join("")
        assert.include(files, payment.clientOrderId)
        for (const secret of [number, Buffer.from(number).toString("base64"), String(payment.expireYear)]) {
          assert.notInclude(files, secret)
        }
      })
    )
    yield* on(
      Effect.gen(function* () {
        const { settled } = yield* FlowEngine
        const { creditCardNumber: _number, cvv2: _code, expireMonth: _month, expireYear: _year, ...rest } = payment
        assert.strictEqual(yield* cardSale.start(rest), `CardSale/${payment.clientOrderId}`)
        yield* TestClock.adjust("1 hour")
        yield* settled
        assert.deepStrictEqual(yield* cardSale.poll(payment.clientOrderId), { _tag: "Succeeded", value: "done" })
      })
    )
    const lost = "creditCardNumber cvv2 expireMonth expireYear"
    assert.deepStrictEqual(yield* lines, [
      `${number} ${payment.expireYear} true`,
      `1000000000000008 2000 false ${lost}`
    ])
  }))

it("every flow with a card can keep it only in memory", () => {
  for (const { encryptedFields, neverPersisted } of [
    CardInMemory.make(CardSale),
    CardInMemory.make(Authorization),
    CardInMemory.make(VerifyAccount),
    CardInMemory.make(Subscribe),
    CardInMemory.make(ChangeSubscription)
  ]) {
    assert.deepStrictEqual(encryptedFields, [])
    assert.includeMembers([...neverPersisted], ["cvv2", "creditCardNumber", "expireMonth", "expireYear"])
  }
})
