/** The rows of an accepted card payment, before a request to the bank. */
import { assert, describe, it } from "@effect/vitest"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Jobs from "../../src/kernel/Jobs.ts"
import * as Register from "../../src/orders/decide/Register.ts"
import { VelocityCounter, VelocityEntry } from "../../src/risk/Risk.ts"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"
import * as ThreeDSBegin from "../../src/threeds/decide/ThreeDSBegin.ts"
import { opening, recipient, registration } from "./Opening.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const claim = { token: "mine", leaseUntilMs: 90_000 }
const gate = ThreeDSBegin.gate({ mode: "gateway", pageToken: "p", attempt: 1, browser: BrowserFacts.none })
const encryptedCvv = Uint8Array.of(3)
const filteredBy = "limit:amount"
const stopped = [{ attemptId: "5", amountMinor: 10_000, filteredBy }]
const entry = Decision.append(VelocityEntry, {
  subject: "s",
  atMs: 1,
  orderId: "1",
  currency: "USD",
  amountMinor: 1,
  expiresAtMs: 9
})

const decide = (changes: Partial<Register.Registration>) => Register.decide(registration(changes))

it("a payment is accepted only if the counts of its risk rules are unchanged at the commit", () => {
  const turn = Decision.versionIs(VelocityCounter, ["card"], 7)
  const { decision } = decide({ velocityEntries: { guards: [turn], writes: [] } })
  assert.include(guardsOf(decision), "velocityCounters card v7")
})

describe("an accepted card payment", () => {
  const rows = ["orders 1", "requests 2", "cards 1"]
  const cases: ReadonlyArray<
    readonly [
      what: string,
      changes: Partial<Register.Registration>,
      state: string,
      progress: string,
      written: ReadonlyArray<string>
    ]
  > = [
    ["has a job for the bank", {}, "authorizing", "processing", ["jobs bank:2"]],
    ["has a job for 3-D Secure", { gate }, "authenticating", "processing", ["authentications 1", "jobs threeds:1"]],
    ["stores its encrypted CVV", { encryptedCvv }, "authorizing", "processing", ["cvvs 1", "jobs bank:2"]],
    ["stores the recipient's card", { recipient }, "authorizing", "processing", ["payouts 1", "jobs bank:2"]],
    [
      "stores an entry for the velocity rules",
      { velocityEntries: Change.writing(entry) },
      "authorizing",
      "processing",
      ["velocityEntries s,1,1", "jobs bank:2"]
    ],
    [
      "records the amounts that risk rules stopped",
      { amounts: { leftMinor: [400], stopped } },
      "authorizing",
      "processing",
      ["requests 5", "jobs bank:2"]
    ],
    [
      "has no job and no CVV if a risk rule stops it",
      { filteredBy, gate, encryptedCvv },
      "filtered",
      "filtered",
      ["jobs callback:1-1"]
    ],
    [
      "has no job if a risk rule stops its last amount",
      { filteredBy, amounts: { leftMinor: [], stopped } },
      "filtered",
      "filtered",
      ["requests 5", "jobs callback:1-1"]
    ]
  ]
  it.each(cases)("%s", (_, changes, state, progress, written) => {
    const { decision, order } = decide(changes)
    assert.deepStrictEqual([order.state, rowsOf(decision, "requests")[0]?.progress], [state, progress])
    assert.deepStrictEqual(keysOf(decision), [...rows, ...written])
    assert.deepStrictEqual(guardsOf(decision), ["no orders clientOrder shop,INV-1"])
  })
})

describe("the order of an accepted payment", () => {
  const plain = {
    hasAuthentication: 0,
    hasCvv: 0,
    filteredBy: null,
    errorCode: null,
    errorMessage: null,
    processedAtMs: null,
    remainingAmounts: null,
    sequence: 0,
    descriptor: null,
    subscriptionId: null,
    createdAtMs: 2_000
  }
  const errorMessage = "Amount over the endpoint's limit"
  const over = { filteredBy, errorMessage, processedAtMs: 2_000 }
  const list = { leftMinor: [900, 400], stopped: [...stopped, ...stopped] }
  const cases: ReadonlyArray<readonly [what: string, changes: Partial<Register.Registration>, expected: object]> = [
    ["has only the values of its request", {}, {}],
    ["states that it goes through 3-D Secure", { gate }, { hasAuthentication: 1 }],
    ["states that it has a CVV", { encryptedCvv }, { hasCvv: 1 }],
    [
      "states the risk rule that stopped it before 3-D Secure",
      { filteredBy, gate },
      { ...over, errorCode: decide({ filteredBy }).order.errorCode }
    ],
    [
      "states the amounts that are left and its sequence number",
      { amounts: list },
      { remainingAmounts: "900,400", sequence: 2 }
    ],
    ["states the descriptor for the customer's bank statement", { descriptor: "SHOP" }, { descriptor: "SHOP" }],
    ["states the recurring payment to which it belongs", { subscriptionId: "9" }, { subscriptionId: "9" }],
    ["has the creation time of a booking from before a restore", { createdAtMs: 7 }, { createdAtMs: 7 }]
  ]
  it.each(cases)("%s", (_, changes, expected) => {
    const { order } = decide(changes)
    const { errorMessage: message, ...others } = { ...plain, ...expected }
    assert.deepInclude(order, others)
    assert.strictEqual(order.errorMessage === null, message === null)
    assert.strictEqual(order.errorCode === null, order.filteredBy === null)
  })

  it("has sequence number 0 if a risk rule stopped its amount", () =>
    assert.strictEqual(decide({ filteredBy, amounts: { leftMinor: [], stopped } }).order.sequence, 0))
})

describe("the request of an accepted payment", () => {
  it.each([
    ["is under way", {}, null],
    ["is finished if a risk rule stopped it", { filteredBy }, 2_000]
  ] as const)("%s", (_, changes, finishedAtMs) =>
    assert.strictEqual(rowsOf(decide(changes).decision, "requests")[0]?.finishedAtMs, finishedAtMs)
  )

  it.each([
    ["sale", "sale"],
    ["preauth", "authorize"],
    ["payout", "pay"]
  ] as const)("has the action of the order's kind: %s", (kind, action) => {
    const started = { ...opening, kind, initiator: "merchant", encryptedCvv: undefined, gate: undefined } as const
    assert.strictEqual(Register.requestOf(started, Register.orderOf(started)).action, action)
  })
})

describe("the job of an accepted payment", () => {
  it.each([
    ["starts at once in a process that takes jobs", { claim }, ["bank:2"]],
    ["starts at once for 3-D Secure in a process that takes jobs", { claim, gate }, ["threeds:1"]],
    ["waits for the scheduler in a process that takes no jobs", {}, []],
    ["is only its callback if a risk rule stopped it", { claim, filteredBy }, ["callback:1-1"]]
  ] as const)("%s", (_, changes, started) =>
    assert.deepStrictEqual(
      Jobs.started(decide(changes).decision).map(({ jobId }) => jobId),
      [...started]
    )
  )
})
