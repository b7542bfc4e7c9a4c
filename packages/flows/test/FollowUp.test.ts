import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Effect, Result, Schema } from "effect"
import * as Flow from "../src/Flow.ts"
import { Capture, Refund, Void } from "../src/OrderAction.ts"
import * as Steps from "../src/Steps.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken } = Script
const named = { clientOrderId: "o-1", orderId: "7" }
const capture = Flow.run(Capture, { ...named, name: "part-1", amount: "4.00", currency: "USD" })

const done = stands("approved", { "transaction-type": "capture", "captured-amount": "4.00" })
const state = refuses(55)

/** What the gateway says to `capture`; how it ends; what was asked. */
const rows: ReadonlyArray<readonly [story: string, says: ReadonlyArray<Script.Say>, end: string, requests: string]> = [
  ["answered", [taken], "approved", "capture status"],
  ["lost, then answered", ["lost", taken], "approved", "capture status capture status"],
  [
    "lost for a while",
    ["lost", "lost", "notSent", taken],
    "approved",
    "capture status capture status capture capture status"
  ],
  ["lost for ever", ["lost"], "StillUnknown", `capture${" status capture".repeat(29)}`],
  ["refused", [state], "Refused", "capture"],
  ["too many requests, then answered", [refuses(83, 429), taken], "approved", "capture capture status"],
  ["too many requests for longer than an hour", [refuses(83, 429, "7200")], "Refused", "capture"],
  [
    "lost, and then too many requests for that long",
    ["lost", refuses(83, 429, "7200")],
    "StillUnknown",
    "capture status capture"
  ],
  [
    "lost, and a refusal that the first one caused",
    ["lost", state, taken],
    "approved",
    "capture status capture status capture status"
  ],
  ["lost, and refused again and again", ["lost", state], "Refused", "capture status capture status capture"],
  ["unreachable", ["notSent"], "Unreachable", "capture capture capture"]
]

describe("a capture under a key", () => {
  for (const [story, says, end, request] of rows) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ capture: says, status: [done] }, capture)
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
        const keys = new Set(played.keys.filter((key) => key !== ""))
        assert.deepStrictEqual([...keys], ["o-1%2Fpart-1:capture"])
      })
    )
  }

  it.effect("a decline is told, with the gateway's code", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.play(
        { capture: [taken], status: [stands("declined", { "error-code": "209" })] },
        capture
      )
      assert(Result.isFailure(result) && result.failure._tag === "Declined")
      assert.strictEqual(result.failure.code, 209)
      assert.isTrue(result.failure.hard)
    })
  )
})

const before = stands("approved", { "transaction-type": "preauth", "captured-amount": "1.00" })
const amounts = (captured: string, returned = "0.00") =>
  stands("approved", { "transaction-type": "capture", "captured-amount": captured, "returned-amount": returned })
const lost = {
  part: Flow.run(Refund, { ...named, name: "part-2", amount: "4.00", currency: "USD" }),
  all: Flow.run(Refund, { ...named, name: "all" }),
  rest: Flow.run(Capture, { ...named, name: "rest" }),
  release: Flow.run(Void, named)
}
const moving = stands("processing", { "transaction-type": "capture", "captured-amount": "1.00" })

/** What `status` says before and after; what `capture` says. */
const byAmounts: ReadonlyArray<
  readonly [
    story: string,
    capture: ReadonlyArray<Script.Say>,
    status: ReadonlyArray<Script.Say>,
    end: string,
    requests: string
  ]
> = [
  ["answered", [taken], [before, amounts("5.00")], "approved", "status capture status"],
  ["lost, and it has happened", ["lost"], [before, amounts("5.00")], "approved", "status capture status"],
  [
    "lost, still moving, then happened",
    ["lost"],
    [before, moving, amounts("5.00")],
    "approved",
    "status capture status status"
  ],
  [
    "lost, nothing moved: sent again",
    ["lost", taken],
    [before, before, amounts("5.00")],
    "approved",
    "status capture status capture status"
  ],
  [
    "lost each time, nothing moved",
    ["lost"],
    [before],
    "NeverHappened",
    "status capture status capture status capture status"
  ],
  ["lost, and something else has moved", ["lost"], [before, amounts("3.00")], "NeedsAPerson", "status capture status"],
  ["lost, and more has moved", ["lost"], [before, amounts("9.00")], "NeedsAPerson", "status capture status"],
  [
    "lost, and money went both ways",
    ["lost"],
    [before, amounts("5.00", "1.00")],
    "NeedsAPerson",
    "status capture status"
  ],
  ["lost, and a void came between", ["lost"], [before, amounts("1.00")], "NeedsAPerson", "status capture status"],
  ["refused", [state], [before], "Refused", "status capture status"],
  [
    "refused, because somebody on the way sent it twice",
    [state],
    [before, amounts("5.00")],
    "approved",
    "status capture status"
  ],
  [
    "answered, and then nobody knows: running it again would do it again",
    [taken],
    [before, stands("processing")],
    "NeedsAPerson",
    `status capture ${Array(84).fill("status").join(" ")}`
  ]
]

describe("a capture at a gateway without keys", () => {
  for (const [story, says, statusSays, end, request] of byAmounts) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ capture: says, status: statusSays }, capture, {}, Script.keyless)
        assert.strictEqual(played.end, end)
        assert.strictEqual(played.requests.join(" "), request)
        if (says.includes("lost")) assert.isAtLeast(played.seconds, 45)
      })
    )
  }
})

const refunded = (type: string, more: object = {}) => stands("approved", { "transaction-type": type, ...more })

/** An action whose answer is lost at a gateway without keys, and what `status` says before and after it. */
const lostActions: ReadonlyArray<
  readonly [story: string, flow: typeof lost.part, before: Script.Say, after: Script.Say, end: string]
> = [
  [
    "a second refund, of which the gateway tells no amounts",
    lost.part,
    refunded("reversal"),
    refunded("reversal"),
    "NeedsAPerson"
  ],
  ["all given back, of which it tells no amounts", lost.all, refunded("sale"), refunded("reversal"), "approved"],
  ["a second capture, of which it tells no amounts", capture, refunded("capture"), refunded("capture"), "NeedsAPerson"],
  [
    "the rest captured, while the hold lapsed",
    lost.rest,
    refunded("preauth", { "captured-amount": "0.00" }),
    refunded("cancel", { "captured-amount": "0.00" }),
    "NeedsAPerson"
  ],
  ["a hold released", lost.release, refunded("preauth"), refunded("cancel"), "approved"],
  ["a hold not released", lost.release, refunded("preauth"), refunded("preauth"), "NeverHappened"],
  ["a hold released, while it was captured", lost.release, refunded("preauth"), refunded("capture"), "NeedsAPerson"],
  ["the rest of a hold, of which nothing tells", lost.release, amounts("4.00"), amounts("4.00"), "NeedsAPerson"]
]

describe("a lost action at a gateway without keys", () => {
  for (const [story, flow, before, after, end] of lostActions) {
    it.effect(`${story}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { capture: ["lost"], return: ["lost"], void: ["lost"], status: [before, after] } as const
        const played = yield* Script.play(script, flow, {}, Script.keyless)
        assert.strictEqual(played.end, end)
      })
    )
  }
})

describe("everything that is left, at a gateway without keys", () => {
  const reserved = { "transaction-type": "preauth", "authorized-amount": "9.00" }
  const untouched = stands("approved", { ...reserved, "captured-amount": "0.00" })
  const rest = Flow.run(Capture, { ...named, name: "rest" })
  const rows = [
    ["9.00", "approved"],
    ["4.00", "NeedsAPerson"]
  ]
  for (const [captured, end] of rows) {
    it.effect(`lost, and ${captured} of 9.00 are captured: ${end}`, () =>
      Effect.gen(function* () {
        const after = stands("approved", { ...reserved, "transaction-type": "capture", "captured-amount": captured })
        const script = { capture: ["lost"], status: [untouched, after] } as const
        assert.strictEqual((yield* Script.play(script, rest, {}, Script.keyless)).end, end)
      })
    )
  }
})

/** Two runs of one flow: the first dies when the step has been done and not been recorded. */
const afterCrash = (at: string) => {
  const journal = new Map<string, unknown>()
  const runAs = (run: string, crashes: boolean): Steps.Shape => ({
    ...Steps.makeMemory(),
    run,
    step: (name, { success }, effect) =>
      Effect.suspend(() =>
        journal.has(name)
          ? Effect.orDie(Schema.decodeUnknownEffect(success)(journal.get(name)))
          : Effect.tap(effect, (value) =>
              crashes && name === at
                ? Effect.die("killed")
                : Effect.orDie(Effect.map(Schema.encodeEffect(success)(value), (json) => journal.set(name, json)))
            )
      )
  })
  return Effect.andThen(
    Effect.exit(Effect.provideService(capture, Steps.Steps, runAs("first", true))),
    Effect.provideService(capture, Steps.Steps, runAs("second", false))
  )
}

describe("a run that ended between a capture and its record", () => {
  const rows = [
    ["under a key it is sent again", true, "capture capture status"],
    ["without keys it is not", false, "status capture status"]
  ] as const
  for (const [story, honoursIdempotencyKey, request] of rows) {
    it.effect(story, () =>
      Effect.gen(function* () {
        const status = honoursIdempotencyKey ? [done] : [before, amounts("5.00")]
        const at = honoursIdempotencyKey ? "capture" : "capture 1"
        const played = yield* Script.play(
          { capture: [taken], status },
          afterCrash(at),
          {},
          {
            ...GatewayProfile.ours,
            honoursIdempotencyKey
          }
        )
        assert.strictEqual(played.end, "approved")
        assert.strictEqual(played.requests.join(" "), request)
      })
    )
  }
})
