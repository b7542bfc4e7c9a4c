/** Sales at a bank whose adapter gives wrong answers, on any store. */
import { assert } from "@effect/vitest"
import { Broken, CallbackFailure, CallbackSender } from "@pay/gateway/CallbackSender"
import { CallbackEvent, Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { Effect, Layer } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as WrongBank from "../harness/WrongBank.ts"

const { instead, part } = WrongBank

/** What the adapter gives for an approved sale, and what the evidence says about it. */
const lost: ReadonlyArray<readonly [what: string, wrong: WrongBank.Wrong, evidence: string]> = [
  ["a decline whose code is 0", instead({ _tag: "Declined", code: 0, message: "no" }), "code: Expected"],
  ["the tag approved", part({ _tag: "approved" }), "_tag: Expected Approved, Declined or Accepted"],
  ["no transaction of the bank", part({ processorTxId: undefined }), "processorTxId: Expected string"],
  ["an approval code of 100 digits", part({ approvalCode: "1".repeat(100) }), "approvalCode: Expected text"],
  ["an approval code that is a number", part({ approvalCode: 831_000 }), "approvalCode: Expected string"],
  ["an amount that is no number", part({ amountMinor: Number.NaN }), "amountMinor: Expected a whole number"],
  ["a negative amount", part({ amountMinor: -1042 }), "amountMinor: Expected a whole number"],
  ["null", instead(null), "answer: Expected Approved, Declined or Accepted"],
  ["nothing", instead(undefined), "answer: Expected Approved, Declined or Accepted"],
  ["a page of HTML", instead("<html>"), "answer: Expected Approved, Declined or Accepted"],
  ["a promise", () => Promise.resolve("approved"), "it returned a promise"],
  ["a promise that is rejected", () => Promise.reject(new Error("refused")), "it returned a promise"],
  ["a defect", (answer) => Effect.andThen(answer, Effect.die("bug")), "it died: bug"],
  ["a foreign error", (answer) => Effect.andThen(answer, Effect.fail("ECONNRESET")), "ECONNRESET"],
  ["its own interruption", (answer) => Effect.andThen(answer, Effect.interrupt), "it interrupted itself"]
]

/** Texts of a bank that no store keeps as they are, and what is stored. */
const texts = [
  ["Недостаточно средств", "Недостаточно средств"],
  ["no\0more", "no\\u0000more"],
  ["half \ud83d", "half \\ud83d"]
] as const

/** A receiver of callbacks whose failure has such a text, too. */
const callbacks = Layer.succeed(CallbackSender, {
  send: () => Effect.fail(new CallbackFailure({ reason: new Broken({ message: "no\0more" }) }))
})

const world = (store: Layer.Layer<Store>) => {
  const bank = WrongBank.make()
  return { bank, layer: World.layer({ store, spoilBank: bank.spoilBank, callbacks }) }
}

const sell = Effect.gen(function* () {
  const order = yield* ClientMerchant.create("SALE", { server_callback_url: "https://shop.example/callback" })
  yield* World.settled
  return order
})

/**
 * Each sale is unknown after the wrong answer. After the inquiry it is settled with the bank's own number, and one that the bank never
 * received is sent again.
 */
export const inquired = (store: Layer.Layer<Store>) => {
  const { bank, layer } = world(store)
  return Effect.gen(function* () {
    for (const [what, wrong, evidence] of lost) {
      bank.next(wrong)
      const order = yield* sell
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "unknown", what)
      assert.include((yield* WrongBank.evidence(order.orderid)).join(), evidence, what)
      yield* World.pass("5 minutes")
      const status = yield* ClientMerchant.status(order)
      assert.deepStrictEqual([status.status, status["processor-tx-id"]?.slice(0, 2)], ["approved", "PN"], what)
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"], what)
    }
    yield* ClientMerchant.allIsWell
  }).pipe(Effect.provide(layer, { local: true }))
}

/** Each text of the bank is stored, and answered as it is stored. */
export const stored = (store: Layer.Layer<Store>) => {
  const { bank, layer } = world(store)
  return Effect.gen(function* () {
    const orders = yield* Store
    for (const [text, expected] of texts) {
      bank.next(instead({ _tag: "Declined", code: 5, message: text }))
      const declined = yield* sell
      const status = yield* ClientMerchant.status(declined)
      assert.deepStrictEqual([status.status, status["error-message"]], ["declined", expected])
      bank.next(part({ approvalCode: text.slice(-8), processorTxId: text }))
      const approved = yield* sell
      assert.strictEqual((yield* orders.load(Order, [approved.orderid]))?.processorTxId, expected)
      bank.next((answer) => Effect.andThen(answer, Effect.fail(text)))
      const failed = yield* sell
      assert.include((yield* WrongBank.evidence(failed.orderid)).join(), JSON.stringify(expected).slice(1, -1))
      const [callback] = yield* orders.find(CallbackEvent, "order", { equals: [declined.orderid], limit: 1 })
      assert.strictEqual(callback?.lastResult, "no\\u0000more")
    }
  }).pipe(Effect.provide(layer, { local: true }))
}
