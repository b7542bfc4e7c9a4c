/** Tests requests about an order that are repeated under a key, sent once, or repeated freely. */
import { generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { Operation } from "@pay/schema/Operation"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Redacted } from "effect"
import * as TextTable from "../../schema/test/TextTable.ts"
import * as Steps from "../src/engine/Steps.ts"
import type { OnOrder } from "../src/requests/Action.ts"
import * as FollowUp from "../src/requests/FollowUp.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { CAPTURE, CARDREF, PAYOUT_V4_PAY, RETURN } = PayApi.operations
const { refusal, orderStatus, acknowledged } = Script
const paid = orderStatus("approved")

const ofOrder = { client_orderid: "o-1", orderid: "7" }
const part = { ...ofOrder, amount: "4.00", currency: "USD" }

const followUp = { step: "act", clientOrderId: "o-1", orderId: "7", endpointId: undefined }
const recorded = <A, E, R>(flow: Effect.Effect<A, E, R>) =>
  Effect.provideService(flow, Steps.Steps, Earlier.runAfter().steps)
const carryOut = (changes: Partial<OnOrder>, operation: Operation = CAPTURE, request: OnOrder["request"] = part) =>
  recorded(FollowUp.carryOut({ ...followUp, operation, request, trail: [], ...changes }))

/** The captures by their name in the table, with the settings of their flow. */
const scenarios: Readonly<Record<string, Partial<OnOrder>>> = {
  usual: {},
  invalid: { request: { ...part, amount: "x" } },
  "perhaps sent": { isOpen: true, wasKeyed: true }
}

/** The answers to `capture` and to `status`, the outcome, the requests, and the duration in seconds. */
const table = `
case                                                                | scenario     | capture                              | status                                 | outcome  | requests                                                           | seconds
is acknowledged                                                     | usual        | acknowledged                         | approved                               | approved | capture, status                                                    | 0
is invalid, and not sent                                            | invalid      |                                      |                                        | NotAccepted |                                                                    | 0
is refused for its timestamp                                        | usual        | refused 44                           |                                        | NotAccepted | capture                                                            | 0
is refused for its signature                                        | usual        | refused 40                           |                                        | NotAccepted | capture                                                            | 0
is lost, and a repeat is refused because of the first request       | usual        | lost, refused 55, acknowledged       | approved                               | approved | capture, status, capture, status, capture, status                  | 55
is lost, is refused because of the first request, and is lost again | usual        | lost, refused 55, lost, acknowledged | approved                               | approved | capture, status, capture, status, capture, status, capture, status | 65
is lost, and a lost status call hides whether the gateway has keys  | usual        | lost, acknowledged                   | lost, approved                         | approved | capture, status ×2, capture, status                                | 20
is lost, and the gateway is unreachable for a while                 | usual        | lost, acknowledged                   | not sent, not sent, not sent, approved | approved | capture, status ×4, capture, status                                | 20
may have been sent before, and is refused once                      | perhaps sent | refused 55, acknowledged             | approved                               | approved | status, capture, status, capture, status                           | 45
is limited for too long                                             | usual        | limited for 2 h                      |                                        | NotAccepted | capture                                                            | 0
`
const [, ...rows] = TextTable.rows(table)
const timestamp = { "refused 44": refusal(44, 401) }

describe("a capture at a gateway with idempotency keys", () => {
  for (const [what, name = "", captures = "", statuses = "", end, requests, seconds] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { capture: Script.answersOf(captures, timestamp), status: Script.answersOf(statuses) }
        const outcome = yield* Script.run(script, carryOut(TextTable.named(scenarios, name)))
        const actual = [outcome.end, Script.counted(outcome.requests), outcome.seconds]
        assert.deepStrictEqual(actual, [end, requests, Number(seconds)])
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

const payout = recorded(FollowUp.payOut({ ...followUp, operation: PAYOUT_V4_PAY, request: ofOrder, trail: [] }))
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
    payout,
    { "payout-pay": ["lost", acknowledged], status: [paid] },
    ours,
    "payout-pay status payout-pay status"
  ],
  [
    "is sent once for a payout without idempotency keys",
    payout,
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
      const paidOut = yield* Script.run({ "payout-pay": [acknowledged], status: [paid] }, payout, {}, ours, rsa())
      const numbers = [captured, paidOut].map(({ forms }) => new URLSearchParams(forms[1]?.[1]).get("by-request-sn"))
      assert.deepStrictEqual(numbers, ["00000000-0000-0000-0000-000000000001", null])
    })
  )
})

const ofCapture = orderStatus("approved", { "transaction-type": "capture" })
const ofReturn = orderStatus("approved", { "transaction-type": "reversal" })

/** The status under the number of an acknowledged refund, where a proxy mixes up answers. */
const mixedTable = `
case                                                    | status                      | outcome      | requests
is confirmed by its request number                      | of refund                   | approved     | return, status
is sent again if its number belongs to a capture        | of capture, paid, of refund | approved     | return, status ×2, return, status
needs a person if its number belongs to a capture twice | of capture                  | NeedsAPerson | return, status ×2, return, status
`
const [, ...mixed] = TextTable.rows(mixedTable)
const answersByNumber = { "of refund": ofReturn, "of capture": ofCapture, paid }

describe("an acknowledged refund", () => {
  for (const [what, statuses = "", end, requests] of mixed)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const script = { return: [acknowledged], status: Script.answersOf(statuses, answersByNumber) }
        const outcome = yield* Script.run(script, carryOut({}, RETURN))
        assert.deepStrictEqual([outcome.end, Script.counted(outcome.requests)], [end, requests])
        assert.lengthOf(new Set(outcome.keys.filter((key) => key !== "")), 1)
      })
    )

  it.effect("is not judged by the order's type if the gateway does not report single requests", () =>
    Effect.gen(function* () {
      const script = { return: [acknowledged], status: [ofCapture] }
      const outcome = yield* Script.run(script, carryOut({}, RETURN), {}, { ...ours, answersByRequest: false })
      assert.deepStrictEqual([outcome.end, Script.counted(outcome.requests)], ["approved", "return, status"])
    })
  )
})
