import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import * as TestClock from "effect/testing/TestClock"
import * as CallMetrics from "../src/kernel/CallMetrics.ts"
import { Acquirer, AcquirerError, AnswerLost, NotSent } from "../src/orders/bank/Acquirer.ts"

const ownNumbers = Layer.sync(Metric.MetricRegistry, () => new Map())

/** The lines of these metrics, without their help. */
const lines = (name: string) =>
  Effect.andThen(
    CallMetrics.refresh,
    Effect.map(PrometheusMetrics.format(), (text) => text.split("\n").filter((line) => line.startsWith(name)))
  )

const bank = { name: "bank", host: "" }
const ended = (exit: Exit.Exit<unknown, unknown>): string => (Exit.isSuccess(exit) ? "answered" : "lost")

describe("requests to a counterparty", () => {
  it.effect("are shown while they wait, with the age of the oldest", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const begin = Effect.forkChild(CallMetrics.measured(bank, "ask", Deferred.await(answer), ended), {
        startImmediately: true
      })
      const first = yield* begin
      yield* TestClock.adjust("90 seconds")
      yield* begin
      assert.deepStrictEqual(yield* lines("pay_counterparty_in_flight"), [
        'pay_counterparty_in_flight{counterparty="bank"} 2'
      ])
      assert.deepStrictEqual(yield* lines("pay_counterparty_oldest_seconds"), [
        'pay_counterparty_oldest_seconds{counterparty="bank"} 90'
      ])
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(answer, undefined)
      assert.deepStrictEqual(yield* lines("pay_counterparty_requests_total"), [
        'pay_counterparty_requests_total{counterparty="bank",method="ask",outcome="lost"} 1',
        'pay_counterparty_requests_total{counterparty="bank",method="ask",outcome="answered"} 1'
      ])
      assert.deepStrictEqual(yield* lines("pay_counterparty_oldest_seconds"), [
        'pay_counterparty_oldest_seconds{counterparty="bank"} 0'
      ])
    }).pipe(Effect.provide(ownNumbers))
  )

  it.effect("are counted for 500 hosts apart, and for all others together", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 700; n++)
        yield* CallMetrics.measured({ name: "callbacks", host: `shop-${n}.example` }, "GET", Effect.void, ended)
      const counted = yield* lines("pay_counterparty_requests_total")
      assert.strictEqual(counted.length, 501)
      assert.include(
        counted.find((line) => line.includes('host="other"')),
        " 200"
      )
    }).pipe(Effect.provide(ownNumbers))
  )

  const down = (reason: NotSent | AnswerLost) => Effect.fail(new AcquirerError({ reason }))
  it.effect.each([
    ["not-sent", () => down(new NotSent({ message: "no connection" }))],
    ["lost", () => down(new AnswerLost({ message: "cut" }))],
    ["lost", () => Effect.die("a defect of the adapter")],
    ["not-found", () => Effect.succeed({ _tag: "NotFound" as const })]
  ] as const)("of a bank end as %s", ([outcome, inquire]) =>
    Effect.gen(function* () {
      const never = () => Effect.never
      const adapter = Acquirer.checked({
        capabilities: { longestProcessingMs: 1, deadlineMs: 1, transfers: false, eligibility: false },
        ...{ authorize: never, eligible: never, followUp: never },
        inquire
      })
      const order = { orderId: "1", clientOrderId: "INV-1", merchantId: "shop", currency: "USD", amountMinor: 100 }
      const inquiry = {
        ...order,
        reference: "1-sale-0",
        kind: "sale",
        processorTxId: undefined,
        original: undefined
      } as const
      yield* Effect.exit(adapter.inquire(inquiry))
      assert.deepStrictEqual(yield* lines("pay_counterparty_requests_total"), [
        `pay_counterparty_requests_total{counterparty="acquirer",method="inquire",outcome="${outcome}"} 1`
      ])
    }).pipe(Effect.provide(ownNumbers))
  )
})
