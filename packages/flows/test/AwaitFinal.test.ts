import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import * as Waiting from "../src/AwaitFinal.ts"
import * as Flow from "../src/Flow.ts"
import * as Steps from "../src/Steps.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refuses, stands } = Script
const moving = stands("processing")
const paid = stands("approved")
const tooMany = refuses(83, 429, "7200")

describe("waiting for the outcome", () => {
  const wait = Flow.run(Waiting.AwaitFinal, { clientOrderId: "o-1", orderId: "7" })

  it.effect("asks as often as is advised, for an hour", () =>
    Effect.gen(function* () {
      const { requests, end, seconds } = yield* Script.play({ status: [stands("processing")] }, wait)
      assert.strictEqual(end, "StillUnknown")
      assert.strictEqual(seconds, 3600)
      assert.lengthOf(requests, 84)
    })
  )

  it.effect("asks as often as the program provides", () =>
    Effect.gen(function* () {
      const provided = Effect.provideService(wait, Waiting.Pauses, [Duration.seconds(30), Duration.minutes(10)])
      const { requests, end, seconds } = yield* Script.play({ status: [stands("processing")] }, provided)
      assert.deepStrictEqual([end, seconds, requests.length], ["StillUnknown", 630, 3])
    })
  )

  it.effect("news makes it ask at once, a hundred times at most, and shortens no waiting", () =>
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
      const waiting = Effect.provideService(wait, Steps.Steps, noisy)
      const { requests, end, seconds } = yield* Script.play({ status: [stands("processing")] }, waiting)
      assert.strictEqual(end, "StillUnknown")
      assert.strictEqual(seconds, 3600)
      assert.lengthOf(requests, 184)
    })
  )

  it.effect("goes on through questions that get lost", () =>
    Effect.gen(function* () {
      const says = ["lost", "notSent", stands("unknown"), refuses(83, 429), stands("approved")] as const
      const { end } = yield* Script.play({ status: says }, wait)
      assert.strictEqual(end, "approved")
    })
  )

  it.effect("stops where every question is refused", () =>
    Effect.gen(function* () {
      const { requests, end } = yield* Script.play({ status: [refuses(40)] }, wait)
      assert.strictEqual(end, "StillUnknown")
      assert.lengthOf(requests, 5)
    })
  )

  it.effect("a status that nobody knows is not the end", () =>
    Effect.gen(function* () {
      const { end } = yield* Script.play({ status: [stands("pondering"), stands("approved")] }, wait)
      assert.strictEqual(end, "approved")
    })
  )
})

interface Story extends Partial<Parameters<typeof Waiting.watch>[0]> {
  /** What an earlier run has heard, by the name of the wait. */
  readonly record?: Earlier.Record
}

const watch = ({ record, ...changes }: Story) =>
  Waiting.watch({ step: "wait", named: { clientOrderId: "o-1" }, trail: [], ...changes }).pipe(
    Effect.map(({ isAlone, order: { status } }) => ({ status: isAlone ? `${status}, alone` : status })),
    Effect.provideService(Steps.Steps, Earlier.after(record).steps)
  )

const news = (...report: ReadonlyArray<string>) => ({
  record: Object.fromEntries(report.map((what, index) => [`wait news ${index + 1}`, what]))
})
const five = Array.from({ length: 5 }, () => "callback")
const { gaveUp } = Waiting
const checked = stands("processing", { "order-stage": "checked" })

/** What `status` says; how the watch ends; how often it asks, and how long it takes. */
const rows: ReadonlyArray<
  readonly [what: string, story: Story, says: ReadonlyArray<Script.Say>, end: string, times: number, seconds: number]
> = [
  ["ends with the order", {}, [moving, moving, moving, paid], "approved", 4, 12],
  ["looks sooner for a shopper", { isPrompt: true }, [moving, moving, moving, paid], "approved", 4, 3.3],
  [
    "ends with what it waits for",
    { until: ({ order }) => order.orderStage === "checked" },
    [moving, checked],
    "processing",
    2,
    4
  ],
  ["hears a callback", news("callback"), [moving, paid], "approved", 2, 0],
  ["hears that the shopper gave up", news(gaveUp), [moving, paid], "approved, alone", 2, 0],
  ["remembers that the shopper gave up", news(gaveUp, "callback"), [moving, moving, paid], "approved, alone", 3, 0],
  ["ends where there are too many questions", {}, [tooMany], "StillUnknown", 1, 0],
  ["goes on where an earlier run went on", news(...five), [...five.map(() => tooMany), paid], "approved", 6, 0],
  [
    "goes on where refusals are not in a row",
    news(...five, "callback"),
    [...five.slice(1).map(() => refuses(1)), "lost", refuses(1), paid],
    "approved",
    7,
    0
  ]
]

describe("a watch", () => {
  for (const [what, story, says, end, times, seconds] of rows)
    it.effect(what, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ status: says }, watch(story))
        assert.deepStrictEqual([played.end, played.requests.length, played.seconds], [end, times, seconds])
      })
    )
})

it.effect("a program of one's own asks as often as is advised", () =>
  Effect.gen(function* () {
    let times = 0
    const ask = Effect.sync(() => {
      times += 1
      return { status: "processing" }
    })
    const repeated = Effect.as(Effect.repeat(ask, Waiting.polling), { status: "processing" })
    const { seconds } = yield* Script.play({}, repeated)
    assert.deepStrictEqual([times, seconds], [84, 3600])
  })
)
