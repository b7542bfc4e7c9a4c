import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { FlowEngine, makeMemory } from "../src/engine/FlowEngine.ts"
import * as Steps from "../src/engine/Steps.ts"
import * as Waiting from "../src/requests/AwaitFinal.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus } = Script
const moving = orderStatus("processing")
const paid = orderStatus("approved")
const tooMany = refusal(83, 429, "7200")

describe("AwaitFinal", () => {
  const wait = Waiting.AwaitFinal.execute({ clientOrderId: "o-1", orderId: "7" })

  it.effect("polls the status at the documented intervals for one hour", () =>
    Effect.gen(function* () {
      const { requests, end, seconds } = yield* Script.run({ status: [orderStatus("processing")] }, wait)
      assert.strictEqual(end, "StillUnknown")
      assert.strictEqual(seconds, 3600)
      assert.lengthOf(requests, 84)
    })
  )

  it.effect("polls at the intervals that the program provides", () =>
    Effect.gen(function* () {
      const provided = Effect.provideService(wait, Waiting.Pauses, [Duration.seconds(30), Duration.minutes(10)])
      const { requests, end, seconds } = yield* Script.run({ status: [orderStatus("processing")] }, provided)
      assert.deepStrictEqual([end, seconds, requests.length], ["StillUnknown", 630, 3])
    })
  )

  it.effect("polls at once after a callback, at most a hundred times, and still waits for the whole hour", () =>
    Effect.gen(function* () {
      let wakes = 0
      const memory = Steps.makeMemory()
      const noisy: Steps.Shape = {
        ...memory,
        awaitSignal: (name, awaited) => {
          wakes += 1
          return wakes <= 300 ? Effect.succeedSome("callback") : memory.awaitSignal(name, awaited)
        }
      }
      const waiting = Effect.provideService(wait, FlowEngine, makeMemory(noisy))
      const { requests, end, seconds } = yield* Script.run({ status: [orderStatus("processing")] }, waiting)
      assert.strictEqual(end, "StillUnknown")
      assert.strictEqual(seconds, 3600)
      assert.lengthOf(requests, 184)
    })
  )

  it.effect("continues after status calls that are lost or limited", () =>
    Effect.gen(function* () {
      const says = ["lost", "notSent", orderStatus("unknown"), refusal(83, 429), orderStatus("approved")] as const
      const { end } = yield* Script.run({ status: says }, wait)
      assert.strictEqual(end, "approved")
    })
  )

  it.effect("stops after five refused status calls", () =>
    Effect.gen(function* () {
      const { requests, end } = yield* Script.run({ status: [refusal(40)] }, wait)
      assert.strictEqual(end, "StillUnknown")
      assert.lengthOf(requests, 5)
    })
  )

  it.effect("treats an unknown status as not final", () =>
    Effect.gen(function* () {
      const { end } = yield* Script.run({ status: [orderStatus("pondering"), orderStatus("approved")] }, wait)
      assert.strictEqual(end, "approved")
    })
  )
})

interface Scenario extends Partial<Parameters<typeof Waiting.watch>[0]> {
  /** The signals that an earlier run received, by the name of the wait. */
  readonly record?: Earlier.Record
}

const watch = ({ record, ...changes }: Scenario) =>
  Waiting.watch({ step: "wait", named: { clientOrderId: "o-1" }, trail: [], ...changes }).pipe(
    Effect.map(({ isAlone, order: { status } }) => ({ status: isAlone ? `${status}, alone` : status })),
    Effect.provideService(Steps.Steps, Earlier.runAfter(record).steps)
  )

const signalled = (...values: ReadonlyArray<string>) => ({
  record: Object.fromEntries(values.map((value, index) => [`wait wait ${index + 1}`, value]))
})
const five = Array.from({ length: 5 }, () => "callback")
const { gaveUp } = Waiting
const checked = orderStatus("processing", { "order-stage": "checked" })

/** The answers of `status`, the result of the watch, the number of status calls, and the duration in seconds. */
const rows: ReadonlyArray<
  readonly [
    what: string,
    scenario: Scenario,
    says: ReadonlyArray<Script.Answer>,
    end: string,
    times: number,
    seconds: number
  ]
> = [
  ["ends when the order is final", {}, [moving, moving, moving, paid], "approved", 4, 12],
  ["polls sooner while a customer waits", { isPrompt: true }, [moving, moving, moving, paid], "approved", 4, 3.3],
  [
    "ends when its condition is met",
    { until: ({ order }) => order.orderStage === "checked" },
    [moving, checked],
    "processing",
    2,
    4
  ],
  ["polls at once after a callback", signalled("callback"), [moving, paid], "approved", 2, 0],
  ["reports that the customer gave up", signalled(gaveUp), [moving, paid], "approved, alone", 2, 0],
  [
    "remembers that the customer gave up",
    signalled(gaveUp, "callback"),
    [moving, moving, paid],
    "approved, alone",
    3,
    0
  ],
  ["ends if status calls are limited for too long", {}, [tooMany], "StillUnknown", 1, 0],
  [
    "continues if refused status calls are not consecutive",
    signalled(...five, "callback"),
    [...five.slice(1).map(() => refusal(1)), "lost", refusal(1), paid],
    "approved",
    7,
    0
  ]
]

describe("AwaitFinal.watch", () => {
  for (const [what, scenario, says, end, times, seconds] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ status: says }, watch(scenario))
        assert.deepStrictEqual([outcome.end, outcome.requests.length, outcome.seconds], [end, times, seconds])
      })
    )
})

it.effect("AwaitFinal.polling repeats at the documented intervals for one hour", () =>
  Effect.gen(function* () {
    let times = 0
    const ask = Effect.sync(() => {
      times += 1
      return { status: "processing" }
    })
    const repeated = Effect.as(Effect.repeat(ask, Waiting.polling), { status: "processing" })
    const { seconds } = yield* Script.run({}, repeated)
    assert.deepStrictEqual([times, seconds], [84, 3600])
  })
)
