/** A card payment as it is accepted: what it writes before any bank is asked. */
import { assert, describe, it } from "@effect/vitest"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Register from "../../src/orders/Register.ts"
import { VelocityEntry, VelocityTurn } from "../../src/risk/Risk.ts"
import * as BrowserFacts from "../../src/threeds/BrowserFacts.ts"
import * as ThreeDSBegin from "../../src/threeds/ThreeDSBegin.ts"
import { opening, recipient, registration } from "./Opening.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const claim = { token: "mine", leaseUntilMs: 90_000 }
const gate = ThreeDSBegin.gate({ mode: "gateway", pageToken: "p", attempt: 1, browser: BrowserFacts.nothing })
const sealedCvv = Uint8Array.of(3)
const filteredBy = "limit:amount"
const stopped = [{ attemptId: "5", amountMinor: 10_000, filteredBy }]
const mark = Decision.append(VelocityEntry, {
  subject: "s",
  atMs: 1,
  orderId: "1",
  currency: "USD",
  amountMinor: 1,
  expiresAtMs: 9
})

const decide = (changes: Partial<Register.Registration>) => Register.decide(registration(changes))

it("a payment is accepted only if nobody was counted by the same rules meanwhile", () => {
  const turn = Decision.versionIs(VelocityTurn, ["card"], 7)
  const { decision } = decide({ marks: { guards: [turn], writes: [] } })
  assert.include(guardsOf(decision), "riskturns card v7")
})

describe("a payment is accepted", () => {
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
    ["and goes to the bank", {}, "authorizing", "moving", ["agenda bank:2"]],
    ["and goes to 3-D Secure", { gate }, "authenticating", "moving", ["authentications 1", "agenda threeds:1"]],
    ["with its CVV", { sealedCvv }, "authorizing", "moving", ["cvvs 1", "agenda bank:2"]],
    ["with the card that receives", { recipient }, "authorizing", "moving", ["payouts 1", "agenda bank:2"]],
    [
      "with what velocity rules count",
      { marks: Change.writing(mark) },
      "authorizing",
      "moving",
      ["riskmarks s,1,1", "agenda bank:2"]
    ],
    [
      "with the amounts that rules stopped before this one",
      { amounts: { leftMinor: [400], stopped } },
      "authorizing",
      "moving",
      ["requests 5", "agenda bank:2"]
    ],
    [
      "and stopped by a rule: nothing is asked, nothing kept",
      { filteredBy, gate, sealedCvv },
      "filtered",
      "filtered",
      ["agenda callback:1-1"]
    ],
    [
      "and stopped by a rule, the last of its amounts",
      { filteredBy, amounts: { leftMinor: [], stopped } },
      "filtered",
      "filtered",
      ["requests 5", "agenda callback:1-1"]
    ]
  ]
  it.each(cases)("%s", (_, changes, state, progress, written) => {
    const { decision, order } = decide(changes)
    assert.deepStrictEqual([order.state, rowsOf(decision, "requests")[0]?.progress], [state, progress])
    assert.deepStrictEqual(keysOf(decision), [...rows, ...written])
    assert.deepStrictEqual(guardsOf(decision), ["no orders clientOrder shop,INV-1"])
  })
})

describe("an order says", () => {
  const plain = {
    threeds: 0,
    cvvGiven: 0,
    filteredBy: null,
    errorCode: null,
    errorMessage: null,
    processedAtMs: null,
    amountsLeft: null,
    sequence: 0,
    descriptor: null,
    subscriptionId: null,
    createdAtMs: 2_000
  }
  const errorMessage = "Amount over the endpoint's limit"
  const over = { filteredBy, errorMessage, processedAtMs: 2_000 }
  const list = { leftMinor: [900, 400], stopped: [...stopped, ...stopped] }
  const cases: ReadonlyArray<readonly [what: string, changes: Partial<Register.Registration>, expected: object]> = [
    ["nothing that was not given", {}, {}],
    ["that it goes through 3-D Secure", { gate }, { threeds: 1 }],
    ["that it has a CVV", { sealedCvv }, { cvvGiven: 1 }],
    [
      "which rule stopped it, before 3-D Secure",
      { filteredBy, gate },
      { ...over, errorCode: decide({ filteredBy }).order.errorCode }
    ],
    ["which amounts are left, and its number among them", { amounts: list }, { amountsLeft: "900,400", sequence: 2 }],
    ["what the customer reads on the statement", { descriptor: "SHOP" }, { descriptor: "SHOP" }],
    ["to which recurring payment it belongs", { subscriptionId: "9" }, { subscriptionId: "9" }],
    ["when it began, of one that was booked before a restore", { createdAtMs: 7 }, { createdAtMs: 7 }]
  ]
  it.each(cases)("%s", (_, changes, expected) => {
    const { order } = decide(changes)
    const { errorMessage: message, ...others } = { ...plain, ...expected }
    assert.deepInclude(order, others)
    assert.strictEqual(order.errorMessage === null, message === null)
    assert.strictEqual(order.errorCode === null, order.filteredBy === null)
  })

  it("its number, of the amount that a rule stopped", () =>
    assert.strictEqual(decide({ filteredBy, amounts: { leftMinor: [], stopped } }).order.sequence, 0))
})

describe("its request", () => {
  it.each([
    ["is under way", {}, null],
    ["is over where a rule stopped it", { filteredBy }, 2_000]
  ] as const)("%s", (_, changes, finishedAtMs) =>
    assert.strictEqual(rowsOf(decide(changes).decision, "requests")[0]?.finishedAtMs, finishedAtMs)
  )

  it.each([
    ["sale", "sale"],
    ["preauth", "authorize"],
    ["payout", "pay"]
  ] as const)("asks for what its kind is: %s", (kind, action) => {
    const begun = { ...opening, kind, initiator: "merchant", sealedCvv: undefined, gate: undefined } as const
    assert.strictEqual(Register.requestOf(begun, Register.orderOf(begun)).action, action)
  })
})

describe("the bank or 3-D Secure is asked", () => {
  it.each([
    ["by this process", { claim }, ["bank:2"]],
    ["by this process, of 3-D Secure", { claim, gate }, ["threeds:1"]],
    ["by the next tick of a process that takes no work", {}, []],
    ["not at all of what a rule stopped, whose news goes out", { claim, filteredBy }, ["callback:1-1"]]
  ] as const)("%s", (_, changes, started) =>
    assert.deepStrictEqual(
      decide(changes).started.map(({ itemId }) => itemId),
      [...started]
    )
  )
})
