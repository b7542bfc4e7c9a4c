/** What the adapter makes of a bank that fails, as the gateway sees it: a lost answer is never a decline, and a decline never a loss. */
import { assert, describe, expect, it } from "@effect/vitest"
import type * as Acquirer from "@pay/gateway/Acquirer"
import { Effect, Redacted, Result } from "effect"
import * as Adyen from "../src/Adyen.ts"
import type { Fault } from "../src/simulator/Simulator.ts"
import * as Adapter from "./Adapter.ts"
import { authorization, settingsFile } from "./Sample.ts"

/** Names what came of a call: the answer, or why there is none. */
const named = <A extends { readonly _tag: string }>(call: Effect.Effect<A, Acquirer.AcquirerError>) =>
  Effect.map(Effect.result(call), (result) =>
    Result.isSuccess(result) ? result.success._tag : result.failure.reason._tag
  )

const hold = authorization()
const original = (processorTxId: string | undefined): Acquirer.Original => ({
  reference: hold.reference,
  kind: "authorize",
  processorTxId,
  amountMinor: hold.amountMinor,
  requestedAtMs: 0
})
const { card: _, capture: __, ...names } = hold
const followUp = (processorTxId: string | undefined): Acquirer.FollowUp => ({
  ...names,
  reference: "123-capture-1",
  original: original(processorTxId)
})

const pay = Effect.fnUntraced(function* ({ acquirer }: Adapter.Open) {
  const answer = yield* acquirer.authorize(hold)
  return answer._tag === "Approved" ? answer.processorTxId : assert.fail(answer._tag)
})

describe("a payment at Adyen", () => {
  it.effect.each([
    ["answerCut", "AnswerLost"],
    ["requestCut", "AnswerLost"],
    ["otherReference", "AnswerLost"],
    ["otherCurrency", "AnswerLost"],
    ["unknownResult", "AnswerLost"],
    ["garbled", "AnswerLost"],
    ["serverError", "AnswerLost"],
    ["transientError", "NotSent"]
  ] as const)("with %s is %s, and approved once when it is repeated", ([fault, outcome]) =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      adyen.weather.next(fault)
      assert.strictEqual(yield* named(acquirer.authorize(hold)), outcome)
      assert.strictEqual(yield* named(acquirer.authorize(hold)), "Approved")
      assert.strictEqual(adyen.payments.size, 1)
    })
  )

  it.effect("has the same body when it is repeated", () =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      yield* acquirer.authorize(hold)
      yield* acquirer.authorize(hold)
      assert.deepEqual(adyen.requests[0], adyen.requests[1])
    })
  )

  it.effect("of a part of the amount says which, and the gateway does not apply it", () =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      adyen.weather.next("partial")
      expect(yield* acquirer.authorize(hold)).toMatchObject({ _tag: "Approved", amountMinor: 521 })
    })
  )

  it.effect("to an address where no program listens was not sent", () =>
    Effect.gen(function* () {
      const make = Adyen.make({ ...settingsFile, url: "http://127.0.0.1:1/v71" })
      const { acquirer } = make(Adapter.toolkit)
      assert.strictEqual(yield* named(acquirer.authorize(hold)), "NotSent")
    })
  )

  it.effect.each([
    ["a wrong API key", { apiKey: "wrong" }, "NotSent"],
    ["an unknown merchant account", { merchantAccount: "CoffeeEU" }, "NotSent"]
  ] as const)("with %s is %s: Adyen has not done it", ([, change, outcome]) =>
    Effect.gen(function* () {
      const { adyen } = yield* Adapter.open
      const { acquirer } = Adyen.make({ ...settingsFile, url: adyen.url, ...change })(Adapter.toolkit)
      assert.strictEqual(yield* named(acquirer.authorize(hold)), outcome)
      assert.strictEqual(adyen.payments.size, 0)
    })
  )

  it.effect("that Adyen finds wrong is declined with its words, and no code of a merchant", () =>
    Effect.gen(function* () {
      const { acquirer } = yield* Adapter.open
      const wrong = { ...hold, card: { ...hold.card, pan: Redacted.make("4") } }
      expect(yield* acquirer.authorize(wrong)).toMatchObject({
        ...{ _tag: "Declined", code: "Adyen 702", reason: "systemMalfunction" },
        message: "Required or invalid field: paymentMethod.number"
      })
    })
  )

  it.effect("under the key of another request is lost: that one may have been done", () =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      yield* acquirer.authorize(hold)
      assert.strictEqual(yield* named(acquirer.authorize({ ...hold, amountMinor: 1 })), "AnswerLost")
      assert.strictEqual(adyen.payments.size, 1)
    })
  )

  it.effect("in an amount that Adyen does not take is declined, and nothing is sent", () =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      const answer = yield* acquirer.authorize({ ...hold, currency: "IDR" })
      expect(answer).toMatchObject({ _tag: "Declined", reason: "invalidAmount" })
      assert.deepEqual(adyen.requests, [])
    })
  )

  it.effect("names no card and no key in its error", () =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      const faults: ReadonlyArray<Fault> = ["answerCut", "garbled", "serverError", "unknownResult"]
      adyen.weather.next(...faults)
      for (const [index, fault] of faults.entries()) {
        const error = yield* Effect.flip(acquirer.authorize({ ...hold, reference: `12${index}-authorize-0` }))
        expect(JSON.stringify(error), fault).not.toMatch(/4111|737|an-api-key/)
      }
    })
  )
})

describe("a capture at Adyen", () => {
  it.effect.each([
    ["answerCut", "AnswerLost"],
    ["otherReference", "AnswerLost"],
    ["otherCurrency", "AnswerLost"],
    ["unknownResult", "AnswerLost"],
    ["garbled", "AnswerLost"],
    ["serverError", "AnswerLost"],
    ["transientError", "NotSent"]
  ] as const)("with %s is %s", ([fault, outcome]) =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const request = followUp(yield* pay(world))
      world.adyen.weather.next(fault)
      assert.strictEqual(yield* named(world.acquirer.followUp("capture", request)), outcome)
    })
  )

  it.effect("is received first, and its outcome comes in an event", () =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const answer = yield* world.acquirer.followUp("capture", followUp(yield* pay(world)))
      assert.strictEqual(answer._tag, "Accepted")
    })
  )

  it.effect("of a payment whose number is not known is declined, and nothing is sent", () =>
    Effect.gen(function* () {
      const { acquirer, adyen } = yield* Adapter.open
      for (const kind of ["capture", "refund", "void"] as const)
        expect(yield* acquirer.followUp(kind, followUp(undefined))).toMatchObject({ reason: "neverSent" })
      assert.deepEqual(adyen.requests, [])
    })
  )
})

describe("every call to Adyen", () => {
  it.effect("has the reference as its key", () =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const request = followUp(yield* pay(world))
      for (const kind of ["capture", "refund", "void"] as const)
        yield* world.acquirer.followUp(kind, { ...request, reference: `123-${kind}-1` })
      assert.deepEqual(
        world.adyen.requests.map(({ idempotencyKey }) => idempotencyKey),
        ["123-authorize-0", "123-capture-1", "123-refund-1", "123-void-1"]
      )
    })
  )
})

describe("the settings of Adyen", () => {
  it.each([
    ["url", "checkout-test.adyen.com"],
    ["url", "https://checkout-test.adyen.com/v71?x=1"],
    ["apiKey", ""],
    ["merchantAccount", ""],
    ["hmacKeys", []],
    ["hmacKeys", ["not hexadecimal"]],
    ["returnUrl", "/adyen"]
  ])("are refused if %s is %j, without repeating a secret", (name, value) => {
    const read = () => Adyen.make({ ...settingsFile, [name]: value })
    expect(read).toThrow(new RegExp(name))
    expect(read).not.toThrow(/an-api-key/)
  })

  it("say that an address without TLS is a simulator, which production refuses", () => {
    const capabilitiesOf = (url: string) => Adyen.make({ ...settingsFile, url })(Adapter.toolkit).acquirer.capabilities
    expect(capabilitiesOf("http://127.0.0.1:1/v71").simulated).toBe(true)
    expect(capabilitiesOf(settingsFile.url).simulated).toBeUndefined()
  })
})
