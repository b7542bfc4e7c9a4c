import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Effect, Result, Schema } from "effect"
import * as Flow from "../src/Flow.ts"
import { Capture, Refund, Void } from "../src/OrderAction.ts"
import * as Steps from "../src/Steps.ts"
import * as Script from "./Script.ts"

const { refusal, orderStatus, acknowledged } = Script
const named = { clientOrderId: "o-1", orderId: "7" }
const capture = Flow.run(Capture, { ...named, name: "part-1", amount: "4.00", currency: "USD" })

const done = orderStatus("approved", { "transaction-type": "capture", "captured-amount": "4.00" })
const state = refusal(55)

/** The answers to `capture`, the outcome, and the requests. */
const rows: ReadonlyArray<
  readonly [scenario: string, says: ReadonlyArray<Script.Answer>, end: string, requests: string]
> = [
  ["is acknowledged", [acknowledged], "approved", "capture status"],
  ["is lost, then acknowledged", ["lost", acknowledged], "approved", "capture status capture status"],
  [
    "is lost or not sent for a while",
    ["lost", "lost", "notSent", acknowledged],
    "approved",
    "capture status capture status capture capture status"
  ],
  ["is lost every time", ["lost"], "StillUnknown", `capture${" status capture".repeat(29)}`],
  ["is refused", [state], "Refused", "capture"],
  ["is limited, then acknowledged", [refusal(83, 429), acknowledged], "approved", "capture capture status"],
  ["is limited for more than an hour", [refusal(83, 429, "7200")], "Refused", "capture"],
  [
    "is lost, then limited for more than an hour",
    ["lost", refusal(83, 429, "7200")],
    "StillUnknown",
    "capture status capture"
  ],
  [
    "is lost, and a repeat is refused because of the first request",
    ["lost", state, acknowledged],
    "approved",
    "capture status capture status capture status"
  ],
  ["is lost, and every repeat is refused", ["lost", state], "Refused", "capture status capture status capture"],
  ["finds the gateway unreachable", ["notSent"], "Unreachable", "capture capture capture"]
]

describe("a capture with an idempotency key", () => {
  for (const [scenario, says, end, request] of rows) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ capture: says, status: [done] }, capture)
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
        const keys = new Set(outcome.keys.filter((key) => key !== ""))
        assert.deepStrictEqual([...keys], ["o-1%2Fpart-1:capture"])
      })
    )
  }

  it.effect("reports a decline with the gateway's code", () =>
    Effect.gen(function* () {
      const { result } = yield* Script.run(
        { capture: [acknowledged], status: [orderStatus("declined", { "error-code": "209" })] },
        capture
      )
      assert(Result.isFailure(result) && result.failure._tag === "Declined")
      assert.strictEqual(result.failure.code, 209)
      assert.isTrue(result.failure.hard)
    })
  )
})

const before = orderStatus("approved", { "transaction-type": "preauth", "captured-amount": "1.00" })
const amounts = (captured: string, returned = "0.00") =>
  orderStatus("approved", { "transaction-type": "capture", "captured-amount": captured, "returned-amount": returned })
const lost = {
  part: Flow.run(Refund, { ...named, name: "part-2", amount: "4.00", currency: "USD" }),
  all: Flow.run(Refund, { ...named, name: "all" }),
  rest: Flow.run(Capture, { ...named, name: "rest" }),
  release: Flow.run(Void, named)
}
const moving = orderStatus("processing", { "transaction-type": "capture", "captured-amount": "1.00" })

/** The answers to `capture`, and those of `status` before and after it. */
const byAmounts: ReadonlyArray<
  readonly [
    scenario: string,
    capture: ReadonlyArray<Script.Answer>,
    status: ReadonlyArray<Script.Answer>,
    end: string,
    requests: string
  ]
> = [
  ["is acknowledged", [acknowledged], [before, amounts("5.00")], "approved", "status capture status"],
  ["is lost, and its amount is captured", ["lost"], [before, amounts("5.00")], "approved", "status capture status"],
  [
    "is lost, and its amount is captured after a while",
    ["lost"],
    [before, moving, amounts("5.00")],
    "approved",
    "status capture status status"
  ],
  [
    "is lost, no amount changes, and it is sent again",
    ["lost", acknowledged],
    [before, before, amounts("5.00")],
    "approved",
    "status capture status capture status"
  ],
  [
    "is lost every time, and no amount changes",
    ["lost"],
    [before],
    "NeverHappened",
    "status capture status capture status capture status"
  ],
  [
    "is lost, and another amount is captured",
    ["lost"],
    [before, amounts("3.00")],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "is lost, and a larger amount is captured",
    ["lost"],
    [before, amounts("9.00")],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "is lost, and money was captured and refunded",
    ["lost"],
    [before, amounts("5.00", "1.00")],
    "NeedsAPerson",
    "status capture status"
  ],
  [
    "is lost, and a void closed the hold meanwhile",
    ["lost"],
    [before, amounts("1.00")],
    "NeedsAPerson",
    "status capture status"
  ],
  ["is refused", [state], [before], "Refused", "status capture status"],
  [
    "is refused, because a proxy sent it twice",
    [state],
    [before, amounts("5.00")],
    "approved",
    "status capture status"
  ],
  [
    "is acknowledged, and the order stays in processing",
    [acknowledged],
    [before, orderStatus("processing")],
    "NeedsAPerson",
    `status capture ${Array(84).fill("status").join(" ")}`
  ]
]

describe("a capture at a gateway without idempotency keys", () => {
  for (const [scenario, says, statusSays, end, request] of byAmounts) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ capture: says, status: statusSays }, capture, {}, Script.keyless)
        assert.strictEqual(outcome.end, end)
        assert.strictEqual(outcome.requests.join(" "), request)
        if (says.includes("lost")) assert.isAtLeast(outcome.seconds, 45)
      })
    )
  }
})

const refunded = (type: string, more: object = {}) => orderStatus("approved", { "transaction-type": type, ...more })

/** A request whose answer is lost at a gateway without idempotency keys, and the answers of `status` before and after it. */
const lostActions: ReadonlyArray<
  readonly [scenario: string, flow: typeof lost.part, before: Script.Answer, after: Script.Answer, end: string]
> = [
  [
    "a second refund, and the gateway shows no amounts",
    lost.part,
    refunded("reversal"),
    refunded("reversal"),
    "NeedsAPerson"
  ],
  ["a full refund, and the gateway shows no amounts", lost.all, refunded("sale"), refunded("reversal"), "approved"],
  [
    "a second capture, and the gateway shows no amounts",
    capture,
    refunded("capture"),
    refunded("capture"),
    "NeedsAPerson"
  ],
  [
    "a capture of the rest, and the hold lapsed",
    lost.rest,
    refunded("preauth", { "captured-amount": "0.00" }),
    refunded("cancel", { "captured-amount": "0.00" }),
    "NeedsAPerson"
  ],
  ["a void, and the hold is voided", lost.release, refunded("preauth"), refunded("cancel"), "approved"],
  ["a void, and the hold stays", lost.release, refunded("preauth"), refunded("preauth"), "NeverHappened"],
  ["a void, and the hold was captured", lost.release, refunded("preauth"), refunded("capture"), "NeedsAPerson"],
  ["a void of the rest, and nothing shows it", lost.release, amounts("4.00"), amounts("4.00"), "NeedsAPerson"]
]

describe("a lost request at a gateway without idempotency keys", () => {
  for (const [scenario, flow, before, after, end] of lostActions) {
    it.effect(`${scenario}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { capture: ["lost"], return: ["lost"], void: ["lost"], status: [before, after] } as const
        const outcome = yield* Script.run(script, flow, {}, Script.keyless)
        assert.strictEqual(outcome.end, end)
      })
    )
  }
})

describe("a lost capture of the rest at a gateway without idempotency keys", () => {
  const reserved = { "transaction-type": "preauth", "authorized-amount": "9.00" }
  const untouched = orderStatus("approved", { ...reserved, "captured-amount": "0.00" })
  const rest = Flow.run(Capture, { ...named, name: "rest" })
  const rows = [
    ["9.00", "approved"],
    ["4.00", "NeedsAPerson"]
  ]
  for (const [captured, end] of rows) {
    it.effect(`${captured} of 9.00 is captured: ${end}`, () =>
      Effect.gen(function* () {
        const after = orderStatus("approved", {
          ...reserved,
          "transaction-type": "capture",
          "captured-amount": captured
        })
        const script = { capture: ["lost"], status: [untouched, after] } as const
        assert.strictEqual((yield* Script.run(script, rest, {}, Script.keyless)).end, end)
      })
    )
  }
})

/** Runs a flow twice: the first run crashes after the step and before its record. */
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

describe("a run that ended before it recorded a capture", () => {
  const rows = [
    ["sends it again under its idempotency key", true, "capture capture status"],
    ["does not send it again without idempotency keys", false, "status capture status"]
  ] as const
  for (const [scenario, honoursIdempotencyKey, request] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const status = honoursIdempotencyKey ? [done] : [before, amounts("5.00")]
        const at = honoursIdempotencyKey ? "capture" : "capture 1"
        const outcome = yield* Script.run(
          { capture: [acknowledged], status },
          afterCrash(at),
          {},
          {
            ...GatewayProfile.ours,
            honoursIdempotencyKey
          }
        )
        assert.strictEqual(outcome.end, "approved")
        assert.strictEqual(outcome.requests.join(" "), request)
      })
    )
  }
})
