/** Tests requests about an order that are repeated under a key, sent once, or repeated freely. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import type { OnOrder } from "../src/Action.ts"
import type { Settings } from "../src/FlowSettings.ts"
import * as FollowUp from "../src/FollowUp.ts"
import * as Steps from "../src/Steps.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { CAPTURE, CARDREF, PAYOUT_V4_PAY, RETURN } = PayApi.operations
const { refusal, orderStatus, acknowledged } = Script
const paid = orderStatus("approved")
const tooMany = refusal(83, 429, "7200")

interface Scenario extends Partial<OnOrder> {
  /** The steps that an earlier run recorded. */
  readonly record?: Earlier.Record
}

const ofOrder = { client_orderid: "o-1", orderid: "7" }
const part = { ...ofOrder, amount: "4.00", currency: "USD" }

const carryOut = (
  { record, ...changes }: Scenario,
  operation: Operation = CAPTURE,
  request: Readonly<Record<string, string>> = part
) =>
  Effect.provideService(
    FollowUp.carryOut({
      step: "act",
      operation,
      request,
      clientOrderId: "o-1",
      orderId: "7",
      endpointId: undefined,
      trail: [],
      ...changes
    }),
    Steps.Steps,
    Earlier.runAfter(record).steps
  )

const isOpen = true
const wrong = { request: { ...part, amount: "x" } }
const waited = { record: { "act 1 pause": true } }

/** The answers to `capture` and to `status`, the outcome, the requests, and the duration in seconds. */
const rows: ReadonlyArray<
  readonly [
    what: string,
    scenario: Scenario,
    captures: ReadonlyArray<Script.Answer>,
    status: ReadonlyArray<Script.Answer>,
    end: string,
    requests: string,
    seconds: number,
    settings?: Partial<Settings>
  ]
> = [
  ["is acknowledged", {}, [acknowledged], [paid], "approved", "capture status", 0],
  ["is invalid, and not sent", wrong, [], [], "Refused", "", 0],
  ["is refused for its timestamp", {}, [refusal(44, 401)], [], "Refused", "capture", 0],
  ["is refused for its signature", {}, [refusal(40)], [], "Refused", "capture", 0],
  [
    "is lost, and a repeat is refused because of the first request",
    {},
    ["lost", refusal(55), acknowledged],
    [paid],
    "approved",
    "capture status capture status capture status",
    55
  ],
  [
    "is lost, and a lost status call hides whether the gateway has keys",
    {},
    ["lost", acknowledged],
    ["lost", paid],
    "approved",
    "capture status status capture status",
    20
  ],
  [
    "is lost, and the gateway is unreachable for a while",
    {},
    ["lost", acknowledged],
    ["notSent", "notSent", "notSent", paid],
    "approved",
    "capture status status status status capture status",
    20
  ],
  [
    "may have been sent before, and is refused once",
    { isOpen, wasKeyed: true },
    [refusal(55), acknowledged],
    [paid],
    "approved",
    "status capture status capture status",
    45
  ],
  ["is limited for too long", {}, [tooMany], [], "Refused", "capture", 0],
  [
    "is limited, and is sent again if an earlier run had waited",
    waited,
    [tooMany, acknowledged],
    [paid],
    "approved",
    "capture capture status",
    0
  ],
  [
    "was limited in an earlier run, and cannot be sent now",
    waited,
    [tooMany, "notSent"],
    [],
    "Unreachable",
    "capture capture capture capture",
    0
  ],
  ["is limited in every turn", waited, [tooMany], [], "NeverHappened", "capture", 0, { mostRepeats: 1 }]
]

describe("a capture at a gateway with idempotency keys", () => {
  for (const [what, scenario, captures, status, end, request, seconds, settings] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ capture: captures, status }, carryOut(scenario), settings)
        assert.deepStrictEqual([outcome.end, outcome.requests.join(" "), outcome.seconds], [end, request, seconds])
      })
    )
})

const kept: Script.Answer = { status: 200, body: { type: "create-card-ref-response", "card-ref-id": "5" } }
const processing = orderStatus("processing")
const keys = new Map<string, Redacted.Redacted<string>>()
/** Generates the key once, for the tests that need it. */
const rsa = () => {
  const existing = keys.get("rsa") ?? Redacted.make(newKey())
  keys.set("rsa", existing)
  return existing
}
const newKey = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

const payout = (scenario: Scenario = {}) => carryOut(scenario, PAYOUT_V4_PAY, ofOrder)
const card = carryOut({}, CARDREF, ofOrder)
const { ours } = GatewayProfile

const ways: ReadonlyArray<
  readonly [
    what: string,
    flow: typeof card,
    script: Script.Script,
    profile: Partial<GatewayProfile.GatewayProfile>,
    requests: string
  ]
> = [
  [
    "is sent again under its idempotency key for a payout",
    payout(),
    { "payout-pay": ["lost", acknowledged], status: [paid] },
    ours,
    "payout-pay status payout-pay status"
  ],
  [
    "is sent once for a payout without idempotency keys",
    payout(),
    { "payout-pay": ["lost"], status: [processing, paid] },
    Script.keyless,
    "status payout-pay status"
  ],
  [
    "is repeated freely to store a card",
    card,
    { "create-card-ref": ["lost", kept], status: [paid] },
    Script.keyless,
    "create-card-ref create-card-ref status"
  ]
]

describe("a request about an order", () => {
  for (const [what, flow, script, profile, request] of ways)
    it.effect(what, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run(script, flow, {}, profile, rsa())
        assert.deepStrictEqual([outcome.end, outcome.requests.join(" ")], ["approved", request])
      })
    )

  it.effect("is looked up by its request number, and a payout by its order number", () =>
    Effect.gen(function* () {
      const captured = yield* Script.run({ capture: [acknowledged], status: [paid] }, carryOut({}))
      const paidOut = yield* Script.run({ "payout-pay": [acknowledged], status: [paid] }, payout(), {}, ours, rsa())
      const numbers = [captured, paidOut].map(({ forms }) => new URLSearchParams(forms[1]?.[1]).get("by-request-sn"))
      assert.deepStrictEqual(numbers, ["00000000-0000-0000-0000-000000000001", null])
    })
  )
})

const ofCapture = orderStatus("approved", { "transaction-type": "capture" })
const ofReturn = orderStatus("approved", { "transaction-type": "reversal" })

/** The status under the number of an acknowledged refund, where a proxy mixes up answers. */
const mixed: ReadonlyArray<
  readonly [what: string, status: ReadonlyArray<Script.Answer>, end: string, requests: string, keys: number]
> = [
  ["is confirmed by its request number", [ofReturn], "approved", "return status", 1],
  [
    "is sent again if its number belongs to a capture",
    [ofCapture, paid, ofReturn],
    "approved",
    "return status status return status",
    1
  ],
  [
    "needs a person if its number belongs to a capture twice",
    [ofCapture],
    "NeedsAPerson",
    "return status status return status",
    1
  ]
]

describe("an acknowledged refund", () => {
  for (const [what, status, end, request, keys] of mixed)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ return: [acknowledged], status }, carryOut({}, RETURN))
        const messages = [
          outcome.end,
          outcome.requests.map((name) => name.replace(" key", "")).join(" "),
          new Set(outcome.keys.filter((key) => key !== "")).size
        ]
        assert.deepStrictEqual(messages, [end, request, keys])
      })
    )
})

const answered = { askedAtMs: 0, ended: { _tag: "Answered", answer: {} } }
const former = { record: { act: answered } }
const context = { "transaction-type": "preauth", "captured-amount": "0.00", "returned-amount": "0.00" }
const unmoved = orderStatus("approved", context)
const moved = orderStatus("approved", { ...context, "captured-amount": "4.00" })

/** The status of the order after the request was accepted. */
const observed: ReadonlyArray<
  readonly [what: string, flow: typeof card, status: ReadonlyArray<Script.Answer>, end: string, times: number]
> = [
  ["is done if its amount is captured", carryOut(former), [moved], "approved", 1],
  ["is done if its amount is captured a moment later", carryOut(former), [unmoved, moved], "approved", 2],
  ["needs a person if no amount changed", carryOut(former), [unmoved], "NeedsAPerson", 2],
  ["is declined", carryOut(former), [orderStatus("declined", context)], "Declined", 1],
  ["is declined a moment later", carryOut(former), [unmoved, orderStatus("declined", context)], "Declined", 2],
  ["is done for a payout, which changes no amount", payout(former), [unmoved], "approved", 1]
]

describe("a request that a former version sent", () => {
  for (const [what, flow, status, end, times] of observed)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const outcome = yield* Script.run({ status }, flow)
        assert.deepStrictEqual(
          [outcome.end, outcome.requests.length, outcome.seconds],
          [end, times, times === 1 ? 0 : 45]
        )
      })
    )

  it.effect("differs from one of this version, which is confirmed by its request number", () =>
    Effect.gen(function* () {
      const outcome = yield* Script.run({ capture: [acknowledged], status: [unmoved] }, carryOut({}))
      assert.deepStrictEqual([outcome.end, outcome.requests.join(" ")], ["approved", "capture status"])
    })
  )
})
