/** When an order is looked for, and when it is sent, in each turn of its creation. */
import { assert, describe, it } from "@effect/vitest"
import type * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import { Effect, Result } from "effect"
import * as Creation from "../src/Creation.ts"
import * as Flow from "../src/Flow.ts"
import type { Settings } from "../src/FlowSettings.ts"
import * as Steps from "../src/Steps.ts"
import * as Earlier from "./Earlier.ts"
import * as Script from "./Script.ts"

const { refuses, stands, taken, unheardOf } = Script
const paid = stands("approved")
const complete = stands("approved", { "recurring-payment-id": "9" })
const tooMany = refuses(83, 429, "7200")

interface Story extends Partial<Creation.Creation> {
  /** Whether an earlier run may have sent it. */
  readonly isBegun?: boolean
  readonly hasLostItsCode?: boolean
  /** What the earlier run wrote down. */
  readonly record?: Earlier.Record
}

const create = ({ hasLostItsCode = false, isBegun = false, record, ...changes }: Story, run = Earlier.after(record)) =>
  Creation.create({
    step: "make",
    operation: PayApi.operations.REBILL,
    request: Script.charge,
    clientOrderId: "o-1",
    endpointId: undefined,
    trail: [],
    ...changes
  }).pipe(
    Effect.map((receipt) => ({ status: receipt.serialNumber === undefined ? "found" : "made", receipt })),
    Effect.provideService(Flow.BegunBefore, isBegun),
    Effect.provideService(Flow.Forgotten, hasLostItsCode ? ["cvv2"] : []),
    Effect.provideService(Steps.Steps, run.steps)
  )

type Row = readonly [
  what: string,
  story: Story,
  makes: ReadonlyArray<Script.Say>,
  status: ReadonlyArray<Script.Say>,
  end: string,
  asked: string,
  settings?: Partial<Settings>
]

const check = (rows: ReadonlyArray<Row>, profile?: Partial<GatewayProfile.GatewayProfile>) => {
  for (const [what, story, makes, status, end, asked, settings] of rows)
    it.effect(`${what}: ${end}`, () =>
      Effect.gen(function* () {
        const played = yield* Script.play({ "make-rebill": makes, status }, create(story), settings, profile)
        assert.deepStrictEqual([played.end, played.asked.join(" ").replaceAll("make-rebill", "make")], [end, asked])
      })
    )
}

const needed = "recurringPaymentId"
const isOpen = true
const isBegun = true
const hasLostItsCode = true
const wrong = { ...Script.charge, amount: "x" }
const nameless = { request: { ...Script.charge, client_orderid: "" }, clientOrderId: "" }
const verification = { client_orderid: "o-1" }
const found = (amount: string) => stands("approved", { amount })
const former = Earlier.refusedBefore

describe("a charge at a gateway that replays a creation", () => {
  check([
    ["is made", {}, [taken], [], "made", "make"],
    ["is wrong before it is sent", { request: wrong }, [], [], "Refused", ""],
    ["is refused", {}, [refuses(1)], [], "Refused", "make"],
    [
      "may have been sent before, was not there, and is there after a refusal",
      { isOpen },
      [refuses(1)],
      [unheardOf, unheardOf, paid],
      "found",
      "status status make status"
    ],
    [
      "may have been sent before, and is there without what is needed",
      { isOpen, needed },
      [taken],
      [paid],
      "made",
      "status status make"
    ],
    ["may have been sent before, and is there with it", { isOpen, needed }, [], [complete], "found", "status"],
    ["may have been sent by an earlier run, and is there", { isBegun }, [taken], [paid], "made", "status make"],
    [
      "may have been sent by an earlier run, and is not there",
      { isBegun },
      [taken],
      [unheardOf],
      "made",
      "status make"
    ],
    [
      "may have been sent by an earlier run, and the question is refused",
      { isBegun },
      [],
      [refuses(1)],
      "StillUnknown",
      `status${" status".repeat(7)}`
    ],
    [
      "may have been sent by an earlier run, there were too many questions, and it is not there",
      { isBegun },
      [],
      [tooMany, unheardOf],
      "NeverHappened",
      "status status status",
      { mostSubmissions: 1 }
    ],
    [
      "was lost, and is there without what is needed",
      { needed },
      ["lost", taken],
      [paid],
      "made",
      "make status status make"
    ],
    [
      "was lost, is there without what is needed, and is refused",
      { needed },
      ["lost", refuses(1), taken],
      [paid],
      "made",
      "make status status make status status make"
    ],
    [
      "was lost, and was one too many each time after that",
      {},
      ["lost", tooMany],
      [unheardOf],
      "Refused",
      "make status status make status status make status status"
    ],
    ["was lost, and is of no known amount", { request: verification, isOpen }, [], [found("1.00")], "found", "status"],
    [
      "was lost, and only its currency is known",
      { request: { ...verification, currency: "EUR" }, isOpen },
      [],
      [found("1.00")],
      "found",
      "status"
    ],
    [
      "was lost, and its currency was not told",
      { request: { ...verification, amount: "1.00" }, isOpen },
      [],
      [found("1.00")],
      "found",
      "status"
    ]
  ])
})

describe("a charge that has lost its security code", () => {
  check([
    ["was never there", { hasLostItsCode }, [], [unheardOf], "NeverHappened", "status status"],
    ["is there without what is needed", { hasLostItsCode, needed }, [], [paid], "StillUnknown", "status"],
    [
      "is looked for again where an earlier run has sent it again",
      { hasLostItsCode, record: { "make 2": { askedAtMs: 0, ended: { _tag: "Answered", answer: {} } } } },
      [],
      [unheardOf],
      "found",
      "status status"
    ],
    [
      "is looked for again where an earlier run has begun to send it again",
      { hasLostItsCode, record: { "make 2 begun": "first" } },
      [],
      [unheardOf, unheardOf, paid],
      "found",
      "status status status"
    ]
  ])
})

describe("what is found", () => {
  check([
    ["is not there twice around a pause", {}, ["lost", taken], [unheardOf], "made", "make status status make"],
    [
      "is not there, is not told, and is there",
      {},
      ["lost", taken],
      [unheardOf, "lost", paid],
      "found",
      "make status status status"
    ],
    [
      "is not there, is not told, and is not there",
      {},
      ["lost", taken],
      [unheardOf, "lost", unheardOf],
      "made",
      "make status status status make"
    ],
    [
      "is not there, and then six refusals are no seven",
      {},
      ["lost"],
      [unheardOf, ...Array.from({ length: 6 }, () => refuses(1)), paid],
      "found",
      `make${" status".repeat(8)}`
    ],
    [
      "is there after six refusals, an answer that was lost, and one more refusal",
      {},
      ["lost"],
      [...Array.from({ length: 6 }, () => refuses(1)), "lost", refuses(1), paid],
      "found",
      `make${" status".repeat(9)}`
    ],
    ["cannot be told for too many questions", {}, ["lost"], [tooMany], "StillUnknown", "make status"],
    [
      "is asked for again where an earlier run has waited for it",
      { record: { "make look 1.1 pause": true } },
      ["lost"],
      [tooMany, paid],
      "found",
      "make status status"
    ],
    [
      "a former version took for absent: it is asked for before it is sent again",
      { record: { "make look 1.1": former(54) } },
      ["lost", taken],
      [unheardOf],
      "made",
      "make status status make"
    ],
    [
      "a former version was refused: that says nothing",
      { record: { "make look 1.1": former(1) } },
      ["lost"],
      [unheardOf, paid],
      "found",
      "make status status"
    ]
  ])
})

describe("a charge at a gateway that does not replay a creation", () => {
  check(
    [
      ["is looked for first", {}, [taken], [unheardOf], "made", "status make"],
      ["is wrong, which a question about it is, too", nameless, [], [], "Refused", ""],
      ["is not sent where there are too many questions", {}, [], [tooMany], "Refused", "status"],
      ["is refused, and was not there before", {}, [refuses(1)], [refuses(1)], "Refused", "status make status"],
      [
        "is refused, and the second answer says that it was not there",
        {},
        [refuses(1)],
        [unheardOf, "lost", refuses(1)],
        "Refused",
        "status make status status",
        { mostRepeats: 2 }
      ],
      ["is refused where it cannot be asked for", { clientOrderId: "" }, [refuses(1)], [], "Refused", "make"],
      [
        "is there without what is needed",
        { needed },
        [],
        [paid],
        "StillUnknown",
        "status status status status status status"
      ],
      [
        "was lost, is not there, and is sent again without another question",
        {},
        ["lost", taken],
        [unheardOf],
        "made",
        "status make status status make"
      ],
      [
        "may have been sent by an earlier run, and is not there after a pause",
        { isBegun },
        [taken],
        [unheardOf],
        "made",
        "status status status make"
      ]
    ],
    { notFound: [54] }
  )
})

describe("a creation", () => {
  it.effect("calls its steps by the same names in every version", () =>
    Effect.gen(function* () {
      const run = Earlier.after()
      yield* Script.play({ "make-rebill": ["lost", taken], status: [unheardOf] }, create({}, run))
      const all = "make, make look 1.1, make look 1.1 pause, make look 1.2, make 2 begun, make 2"
      assert.strictEqual(run.names.join(", "), all)
      const again = Earlier.after()
      yield* Script.play({ "make-rebill": ["lost", taken], status: [paid] }, create({ needed }, again))
      assert.strictEqual(again.names.join(", "), "make, make look 1.1, make 2")
    })
  )

  it.effect("waits for a request that may be under way, and less for an answer", () =>
    Effect.gen(function* () {
      const absent = yield* Script.play({ "make-rebill": ["lost"], status: [unheardOf, paid] }, create({}))
      const untold = yield* Script.play({ "make-rebill": ["lost"], status: ["lost", paid] }, create({}))
      assert.deepStrictEqual([absent.seconds, untold.seconds], [45, 10])
    })
  )

  it.effect("tells of an order that is there what status tells", () =>
    Effect.gen(function* () {
      const receipts: Array<unknown> = []
      for (const status of [paid, complete]) {
        const { result } = yield* Script.play({ status: [status] }, create({ isOpen }))
        receipts.push(Result.isSuccess(result) ? result.success.receipt : result.failure)
      }
      assert.deepStrictEqual(receipts, [{ orderId: "7" }, { orderId: "7", recurringPaymentId: "9" }])
    })
  )

  it.effect("that may have been sent by an earlier run does not tell that it was not sent", () =>
    Effect.gen(function* () {
      const answers: Array<string | undefined> = []
      for (const says of ["lost", tooMany] as const) {
        const { result } = yield* Script.play({ status: [says] }, create({ isBegun }))
        answers.push(Result.isFailure(result) ? result.failure.evidence[0]?.answer : "")
      }
      const lost = "OutcomeUnknown: the outcome of REBILL is unknown: ConnectionLost (RESTARTED)"
      assert.deepStrictEqual(answers, [lost, lost])
    })
  )
})
