/** Each request to the bank as it leaves the gateway, and the requests that are never sent. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { BankNotice } from "../../src/orders/record/BankNotice.ts"
import { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import { Authentication } from "../../src/threeds/decide/Authentication.ts"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"
import * as ThreeDSBegin from "../../src/threeds/decide/ThreeDSBegin.ts"
import { eligibility, preauth, request, sale, transfer, verification } from "../domain/Sample.ts"
import { approved, authorizing, card, creation, cvv, recipient, runJob, type Setup, saleToSend, work } from "./Bank.ts"

describe("the request to the bank", () => {
  const pan = "4444333322221111"
  const cardInquiry = eligibility({ ...authorizing, amountMinor: 0 })
  const cases: ReadonlyArray<readonly [what: string, setup: Setup, requests: string]> = [
    ["is a sale", { ...saleToSend, rows: [card()] }, `1-sale-0 10000 USD captured from ${pan}`],
    [
      "is a sale with its CVV",
      { order: sale({ ...authorizing, hasCvv: 1 }), request: creation("sale"), rows: [card(), cvv("123")] },
      `1-sale-0 10000 USD captured from ${pan} cvv 123`
    ],
    [
      "is an authorization for a preauth",
      { order: preauth(authorizing), request: creation("authorize"), rows: [card()] },
      `1-authorize-0 10000 USD held from ${pan}`
    ],
    [
      "is an authorization of zero for a verification",
      { order: verification(authorizing), request: creation("verify", 0), rows: [card()] },
      `1-verify-0 0 USD held from ${pan}`
    ],
    [
      "is a transfer to its recipient",
      { order: transfer(authorizing), request: creation("transfer"), rows: [card(), recipient] },
      `1-transfer-0 10000 USD captured from ${pan} to 5555444433332222`
    ],
    [
      "is an inquiry whether a card can send",
      { order: cardInquiry, request: creation("eligibility", 0), rows: [card()] },
      `1-eligibility-0 ${pan} 12/2030`
    ],
    [
      "is an inquiry without expiry if the expiry is unknown",
      { order: { ...cardInquiry, expireYear: 0 }, request: creation("eligibility", 0), rows: [card()] },
      `1-eligibility-0 ${pan} without expiry`
    ]
  ]
  it.effect.each(cases.map(([what, setup, expected]) => [what, withoutCvv(setup), expected] as const))(
    "%s",
    ([, setup, expected]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* runJob(setup)).requests, [expected])
      })
  )

  const original = Decision.put(OrderRequest, { ...creation("authorize"), requestId: "9" })
  const hold = preauth({ requestId: "9", capturedMinor: 6_000, inFlightCount: 1 })
  const followUps: ReadonlyArray<
    readonly [what: string, changes: Partial<OrderRequest>, rows: ReadonlyArray<Decision.Write>, requests?: string]
  > = [
    ["is a capture", {}, [original], "capture 1-capture-1 of 1-authorize-0 4000"],
    [
      "is a release of the rest of the hold",
      { action: "void", amountMinor: 1 },
      [original],
      "void 1-void-1 of 1-authorize-0 4000"
    ],
    ["is a refund", { action: "refund", amountMinor: 500 }, [original], "refund 1-refund-1 of 1-authorize-0 500"],
    ["is none for a capture of an unknown authorization", {}, []]
  ]
  it.effect.each(followUps)("%s", ([, changes, rows, expected]) =>
    Effect.gen(function* () {
      const done = yield* runJob({ order: hold, request: { ...request(), ...changes }, rows, job: work })
      assert.deepStrictEqual(done.requests, expected === undefined ? [] : [expected])
    })
  )

  it.effect("is the refund first for a return of the whole amount", () =>
    Effect.gen(function* () {
      const { requests } = yield* runJob({
        order: { ...hold, refundingMinor: 6_000, voiding: 1 },
        request: request({ action: "refundThenVoid", operation: "RETURN", amountMinor: 6_000 }),
        rows: [original]
      })
      assert.deepStrictEqual(requests, ["refund 1-refund-1 of 1-authorize-0 6000"])
    })
  )

  /** Returns the setup with an order that states whether its CVV is among the rows: samples always state one. */
  function withoutCvv(setup: Setup): Setup {
    const isGiven = setup.rows?.some((write) => write._tag === "Put" && write.entity.name === "cvvs") ?? false
    return { ...setup, order: { ...setup.order, hasCvv: isGiven ? 1 : 0 } }
  }
})

describe("a request to the bank that cannot be sent", () => {
  const open = { ...authorizing, hasCvv: 0 } as const
  it.effect.each([
    ["the card is erased", { order: sale(open), request: creation("sale") }],
    ["the card's key is gone", { order: sale(open), request: creation("sale"), rows: [card("gone")] }],
    ["the order's CVV is erased", { order: sale(authorizing), request: creation("sale"), rows: [card()] }],
    [
      "the recipient of a transfer is unknown",
      { order: transfer(open), request: creation("transfer"), rows: [card()] }
    ],
    ["the card of an eligibility inquiry is erased", { order: eligibility(open), request: creation("eligibility", 0) }]
  ] as const)("fails its order: %s", ([, setup]) =>
    Effect.gen(function* () {
      const { requests, state } = yield* runJob(setup)
      assert.deepStrictEqual([requests, state], [[], "failed"])
    })
  )

  it.effect("is a defect if it is for the payout rail", () =>
    Effect.gen(function* () {
      const { requests, exit } = yield* runJob({ order: sale(open), request: creation("pay"), rows: [card()] })
      assert.deepStrictEqual([requests, Exit.isFailure(exit)], [[], true])
    })
  )
})

describe("the 3-D Secure result in the request to the bank", () => {
  const begin = { mode: "gateway", pageToken: "p", attempt: 1, browser: BrowserFacts.none } as const
  const { authentication } = ThreeDSBegin.begin({ merchantId: "m", orderId: "1" }, begin, 1, undefined)
  const full: Authentication = {
    ...authentication,
    protocol: "2.2.0",
    transStatus: "Y",
    serverTransId: "s",
    eci: "05",
    encryptedAuthenticationValue: Buffer.from("cavv").toString("base64url")
  }
  const bare = { protocol: "2.2.0", transStatus: "Y", transactionId: "s" }
  const cases: ReadonlyArray<readonly [what: string, row: Authentication | undefined, expected: object | undefined]> = [
    ["has all fields", full, { ...bare, eci: "05", value: "cavv" }],
    [
      "has the XID of version 1",
      { ...full, protocol: "1.0.2", serverTransId: null, xid: "x" },
      { ...bare, protocol: "1.0.2", transactionId: "x", eci: "05", value: "cavv" }
    ],
    [
      "lacks the fields that the issuer left out",
      { ...full, eci: null, encryptedAuthenticationValue: null },
      { ...bare, eci: undefined, value: undefined }
    ],
    ["is missing if 3-D Secure did not run", undefined, undefined],
    ["is missing if the card was not enrolled", { ...full, protocol: null }, undefined],
    ["is missing if 3-D Secure did not end", { ...full, transStatus: null }, undefined]
  ]
  it.effect.each(cases)("%s", ([, row, expected]) =>
    Effect.gen(function* () {
      const rows = [card(), ...(row === undefined ? [] : [Decision.put(Authentication, row)])]
      const { requests, proof } = yield* runJob({
        order: sale({ ...authorizing, hasAuthentication: 1, hasCvv: 0 }),
        request: creation("sale"),
        rows
      })
      assert.lengthOf(requests, 1)
      if (proof === undefined) return assert.isUndefined(expected)
      const { authenticationValue, ...others } = proof
      const value = authenticationValue === undefined ? undefined : Redacted.value(authenticationValue)
      return assert.deepStrictEqual<object | undefined>({ ...others, value }, expected)
    })
  )
})

describe("an outcome that arrives while its request is sent", () => {
  const accepted = { _tag: "Accepted", processorTxId: "T1" } as const
  const notice = (reference: string) =>
    Decision.append(BankNotice, {
      ...{ noticeId: "n", reference, orderId: "1", fact: "Outcome", atMs: 1 },
      answer: JSON.stringify(approved)
    })
  it.effect.each([
    ["is looked for at once", [notice("1-sale-0")], 0, 1],
    ["of another request does not wake the job", [notice("1-sale-9")], 5_000, 0],
    ["is waited for if it has not arrived", [], 5_000, 0]
  ] as const)("%s", ([, notices, dueInMs, wakes]) =>
    Effect.gen(function* () {
      const order = sale({ ...authorizing, hasCvv: 0 })
      const done = yield* runJob({ ...saleToSend, order, rows: [card(), ...notices], receipt: accepted })
      assert.deepStrictEqual([done.dueInMs, done.wakes], [dueInMs, wakes])
    })
  )
})

describe("a decline that ends all charges of a card", () => {
  const declined = { _tag: "Declined", code: "R1", message: "stopped", category: "stopped" } as const
  const stopped = ["v1.p 1 2000"]
  it.effect.each([
    ["is recorded for the stored card", "merchant", declined, stopped],
    ["concerns no card whose holder pays", "cardholder", declined, []],
    ["is not any decline", "merchant", { ...declined, category: "final" }, []]
  ] as const)("%s", ([, initiator, answer, expected]) =>
    Effect.gen(function* () {
      const order = sale({ ...authorizing, hasCvv: 0, initiator })
      const done = yield* runJob({ ...saleToSend, order, rows: [card()], answer })
      assert.deepStrictEqual(done.stopped, [...expected])
      assert.strictEqual(done.state, "declined")
    })
  )
})

describe("the hold of a preauth", () => {
  it.effect.each([
    ["is kept as the acquirer declares for its brand", { VISA: 5_000, MASTERCARD: 9_000 }, 7_000],
    ["is kept as the setting says for other brands", { MASTERCARD: 9_000 }, 2_000 + 7 * 86_400_000],
    ["is kept as the setting says if the acquirer declares nothing", undefined, 2_000 + 7 * 86_400_000]
  ] as const)("%s", ([, holdMs, until]) =>
    Effect.gen(function* () {
      const order = preauth({ ...authorizing, hasCvv: 0 })
      const done = yield* runJob({ order, request: creation("authorize"), rows: [card()], holdMs })
      assert.strictEqual(done.holdUntilMs, until)
    })
  )
})
