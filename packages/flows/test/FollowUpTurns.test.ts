/** What is done with an order goes again under its key, is sent once, or repeated freely: turn by turn. */
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
const { refuses, stands, taken } = Script
const paid = stands("approved")
const tooMany = refuses(83, 429, "7200")

interface Story extends Partial<OnOrder> {
  /** What an earlier run wrote down. */
  readonly record?: Earlier.Record
}

const ofOrder = { client_orderid: "o-1", orderid: "7" }
const part = { ...ofOrder, amount: "4.00", currency: "USD" }

const carryOut = (
  { record, ...changes }: Story,
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
    Earlier.after(record).steps
  )

const isOpen = true
const wrong = { request: { ...part, amount: "x" } }
const waited = { record: { "act 1 pause": true } }

/** What the gateway says to `capture` and to `status`; how it ends; what was asked, and how long it took. */
const rows: ReadonlyArray<
  readonly [
    what: string,
    story: Story,
    captures: ReadonlyArray<Script.Say>,
    status: ReadonlyArray<Script.Say>,
    end: string,
    requests: string,
    seconds: number,
    settings?: Partial<Settings>
  ]
> = [
  ["is done", {}, [taken], [paid], "approved", "capture status", 0],
  ["is wrong before it is sent", wrong, [], [], "Refused", "", 0],
  ["is refused before it is looked at", {}, [refuses(44, 401)], [], "Refused", "capture", 0],
  ["is refused for its signature", {}, [refuses(40)], [], "Refused", "capture", 0],
  [
    "was lost, and is refused because of that",
    {},
    ["lost", refuses(55), taken],
    [paid],
    "approved",
    "capture status capture status capture status",
    55
  ],
  [
    "was lost, and nobody says whether the gateway has keys",
    {},
    ["lost", taken],
    ["lost", paid],
    "approved",
    "capture status status capture status",
    20
  ],
  [
    "was lost, and the gateway cannot be asked whether it has keys",
    {},
    ["lost", taken],
    ["notSent", "notSent", "notSent", paid],
    "approved",
    "capture status status status status capture status",
    20
  ],
  [
    "may have been sent before, and is refused once",
    { isOpen, wasKeyed: true },
    [refuses(55), taken],
    [paid],
    "approved",
    "status capture status capture status",
    45
  ],
  ["is one too many for too long", {}, [tooMany], [], "Refused", "capture", 0],
  [
    "is sent again where an earlier run has waited for that",
    waited,
    [tooMany, taken],
    [paid],
    "approved",
    "capture capture status",
    0
  ],
  [
    "was one too many for an earlier run, and is not sent now",
    waited,
    [tooMany, "notSent"],
    [],
    "Unreachable",
    "capture capture capture capture",
    0
  ],
  ["was one too many in every turn", waited, [tooMany], [], "NeverHappened", "capture", 0, { mostRepeats: 1 }]
]

describe("a capture at a gateway with keys", () => {
  for (const [what, story, captures, status, end, request, seconds, settings] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ capture: captures, status }, carryOut(story), settings)
        assert.deepStrictEqual([played.end, played.requests.join(" "), played.seconds], [end, request, seconds])
      })
    )
})

const kept: Script.Say = { status: 200, body: { type: "create-card-ref-response", "card-ref-id": "5" } }
const processing = stands("processing")
const keys = new Map<string, Redacted.Redacted<string>>()
/** Made once, for the tests that need it. */
const rsa = () => {
  const existing = keys.get("rsa") ?? Redacted.make(newKey())
  keys.set("rsa", existing)
  return existing
}
const newKey = () =>
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString()

const payout = (story: Story = {}) => carryOut(story, PAYOUT_V4_PAY, ofOrder)
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
    "a payout goes again under its key",
    payout(),
    { "payout-pay": ["lost", taken], status: [paid] },
    ours,
    "payout-pay status payout-pay status"
  ],
  [
    "a payout without keys is sent once, whatever amounts say",
    payout(),
    { "payout-pay": ["lost"], status: [processing, paid] },
    Script.keyless,
    "status payout-pay status"
  ],
  [
    "a card is kept again, with or without keys",
    card,
    { "create-card-ref": ["lost", kept], status: [paid] },
    Script.keyless,
    "create-card-ref create-card-ref status"
  ]
]

describe("an action on an order:", () => {
  for (const [what, flow, script, profile, request] of ways)
    it.effect(what, () =>
      Effect.gen(function* () {
        const played = yield* Script.play(script, flow, {}, profile, rsa())
        assert.deepStrictEqual([played.end, played.requests.join(" ")], ["approved", request])
      })
    )

  it.effect("is asked about by its own number, and a payout by that of its order", () =>
    Effect.gen(function* () {
      const captured = yield* Script.play({ capture: [taken], status: [paid] }, carryOut({}))
      const paidOut = yield* Script.play({ "payout-pay": [taken], status: [paid] }, payout(), {}, ours, rsa())
      const numbers = [captured, paidOut].map(({ forms }) => new URLSearchParams(forms[1]?.[1]).get("by-request-sn"))
      assert.deepStrictEqual(numbers, ["00000000-0000-0000-0000-000000000001", null])
    })
  )
})

const ofCapture = stands("approved", { "transaction-type": "capture" })
const ofReturn = stands("approved", { "transaction-type": "reversal" })

/** What the status says of the number under which a return was acknowledged, by a line that mixes answers up. */
const mixed: ReadonlyArray<
  readonly [what: string, status: ReadonlyArray<Script.Say>, end: string, requests: string, keys: number]
> = [
  ["its own number", [ofReturn], "approved", "return status", 1],
  ["the number of a capture", [ofCapture, paid, ofReturn], "approved", "return status status return status", 1],
  ["another one's number again", [ofCapture], "NeedsAPerson", "return status status return status", 1]
]

describe("a return is acknowledged under", () => {
  for (const [what, status, end, request, keys] of mixed)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ return: [taken], status }, carryOut({}, RETURN))
        const messages = [
          played.end,
          played.requests.map((name) => name.replace(" key", "")).join(" "),
          new Set(played.keys.filter((key) => key !== "")).size
        ]
        assert.deepStrictEqual(messages, [end, request, keys])
      })
    )
})

const answered = { askedAtMs: 0, ended: { _tag: "Answered", answer: {} } }
const former = { record: { act: answered } }
const context = { "transaction-type": "preauth", "captured-amount": "0.00", "returned-amount": "0.00" }
const unmoved = stands("approved", context)
const moved = stands("approved", { ...context, "captured-amount": "4.00" })

/** How the order stands after it was accepted. */
const observed: ReadonlyArray<
  readonly [what: string, flow: typeof card, status: ReadonlyArray<Script.Say>, end: string, times: number]
> = [
  ["is done where its amount has moved", carryOut(former), [moved], "approved", 1],
  ["is done where its amount moves a moment later", carryOut(former), [unmoved, moved], "approved", 2],
  ["is for a person where nothing has moved", carryOut(former), [unmoved], "NeedsAPerson", 2],
  ["is declined", carryOut(former), [stands("declined", context)], "Declined", 1],
  ["is declined a moment later", carryOut(former), [unmoved, stands("declined", context)], "Declined", 2],
  ["of a payout moves no amount", payout(former), [unmoved], "approved", 1]
]

describe("what a former version has sent", () => {
  for (const [what, flow, status, end, times] of observed)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ status }, flow)
        assert.deepStrictEqual([played.end, played.requests.length, played.seconds], [end, times, times === 1 ? 0 : 45])
      })
    )

  it.effect("is not what this version has sent, which was answered about the request", () =>
    Effect.gen(function* () {
      const played = yield* Script.play({ capture: [taken], status: [unmoved] }, carryOut({}))
      assert.deepStrictEqual([played.end, played.requests.join(" ")], ["approved", "capture status"])
    })
  )
})
