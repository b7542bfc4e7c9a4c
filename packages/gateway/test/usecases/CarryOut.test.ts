/** What the bank is asked for, and what it is never asked for: each request, as it leaves the gateway. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import { OrderRequest } from "../../src/orders/OrderRequest.ts"
import { Authentication } from "../../src/threeds/Authentication.ts"
import * as BrowserFacts from "../../src/threeds/BrowserFacts.ts"
import * as ThreeDSBegin from "../../src/threeds/ThreeDSBegin.ts"
import { eligibility, preauth, request, sale, transfer, verification } from "../domain/Sample.ts"
import { aSale, begun, card, carryOut, creation, cvv, type Given, recipient, work } from "./Bank.ts"

describe("the bank is asked for", () => {
  const pan = "4444333322221111"
  const question = eligibility({ ...begun, amountMinor: 0 })
  const cases: ReadonlyArray<readonly [what: string, given: Given, requests: string]> = [
    ["a sale", { ...aSale, rows: [card()] }, `1-sale-0 10000 USD captured from ${pan}`],
    [
      "a sale with its CVV",
      { order: sale({ ...begun, cvvGiven: 1 }), request: creation("sale"), rows: [card(), cvv("123")] },
      `1-sale-0 10000 USD captured from ${pan} cvv 123`
    ],
    [
      "a hold",
      { order: preauth(begun), request: creation("authorize"), rows: [card()] },
      `1-authorize-0 10000 USD held from ${pan}`
    ],
    [
      "a verification",
      { order: verification(begun), request: creation("verify", 0), rows: [card()] },
      `1-verify-0 0 USD held from ${pan}`
    ],
    [
      "a transfer to its recipient",
      { order: transfer(begun), request: creation("transfer"), rows: [card(), recipient] },
      `1-transfer-0 10000 USD captured from ${pan} to 5555444433332222`
    ],
    [
      "whether a card can send",
      { order: question, request: creation("eligibility", 0), rows: [card()] },
      `1-eligibility-0 ${pan} 12/2030`
    ],
    [
      "whether a card can send whose expiry nobody knows",
      { order: { ...question, expireYear: 0 }, request: creation("eligibility", 0), rows: [card()] },
      `1-eligibility-0 ${pan} without expiry`
    ]
  ]
  it.effect.each(cases.map(([what, given, wanted]) => [what, withoutCvv(given), wanted] as const))(
    "%s",
    ([, given, wanted]) =>
      Effect.gen(function* () {
        assert.deepStrictEqual((yield* carryOut(given)).requests, [wanted])
      })
  )

  const original = Decision.put(OrderRequest, { ...creation("authorize"), requestId: "9" })
  const hold = preauth({ requestId: "9", capturedMinor: 6_000, movingCount: 1 })
  const followUps: ReadonlyArray<
    readonly [what: string, changes: Partial<OrderRequest>, rows: ReadonlyArray<Decision.Write>, requests: string]
  > = [
    ["a capture", {}, [original], "capture 1-capture-1 of 1-authorize-0 4000"],
    [
      "a release of what is left",
      { action: "cancel", amountMinor: 1 },
      [original],
      "cancel 1-cancel-1 of 1-authorize-0 4000"
    ],
    ["a refund", { action: "refund", amountMinor: 500 }, [original], "refund 1-refund-1 of 1-authorize-0 500"],
    ["a capture of what nobody knows the beginning of", {}, [], "capture 1-capture-1 of  4000"]
  ]
  it.effect.each(followUps)("%s", ([, changes, rows, wanted]) =>
    Effect.gen(function* () {
      const done = yield* carryOut({ order: hold, request: { ...request(), ...changes }, rows, item: work })
      assert.deepStrictEqual(done.requests, [wanted])
    })
  )

  it.effect("a whole return: the refund first", () =>
    Effect.gen(function* () {
      const { requests } = yield* carryOut({
        order: { ...hold, returningMinor: 6_000, releasing: 1 },
        request: request({ action: "refundThenCancel", operation: "RETURN", amountMinor: 6_000 }),
        rows: [original]
      })
      assert.deepStrictEqual(requests, ["refund 1-refund-1 of 1-authorize-0 6000"])
    })
  )

  /** Samples say that a CVV was given: where none is among the rows, none was. */
  function withoutCvv(given: Given): Given {
    const isGiven = given.rows?.some((write) => write._tag === "Put" && write.entity.name === "cvvs") ?? false
    return { ...given, order: { ...given.order, cvvGiven: isGiven ? 1 : 0 } }
  }
})

describe("nothing is sent, and the order fails, where", () => {
  const open = { ...begun, cvvGiven: 0 } as const
  it.effect.each([
    ["the card is erased", { order: sale(open), request: creation("sale") }],
    ["the card's key is gone", { order: sale(open), request: creation("sale"), rows: [card("gone")] }],
    ["a CVV was given and is gone", { order: sale(begun), request: creation("sale"), rows: [card()] }],
    ["a transfer's recipient is not known", { order: transfer(open), request: creation("transfer"), rows: [card()] }],
    ["the card in question is erased", { order: eligibility(open), request: creation("eligibility", 0) }]
  ] as const)("%s", ([, given]) =>
    Effect.gen(function* () {
      const { requests, state } = yield* carryOut(given)
      assert.deepStrictEqual([requests, state], [[], "failed"])
    })
  )

  it.effect("it is for the payout rail: that is a defect", () =>
    Effect.gen(function* () {
      const { requests, exit } = yield* carryOut({ order: sale(open), request: creation("pay"), rows: [card()] })
      assert.deepStrictEqual([requests, Exit.isFailure(exit)], [[], true])
    })
  )
})

describe("3-D Secure tells the bank", () => {
  const begin = { mode: "gateway", pageToken: "p", attempt: 1, browser: BrowserFacts.nothing } as const
  const { authentication } = ThreeDSBegin.begin({ merchantId: "m", orderId: "1" }, begin, 1, undefined)
  const full: Authentication = {
    ...authentication,
    protocol: "2.2.0",
    transStatus: "Y",
    serverTransId: "s",
    eci: "05",
    sealedAuthenticationValue: Buffer.from("cavv").toString("base64url")
  }
  const bare = { protocol: "2.2.0", transStatus: "Y", transactionId: "s" }
  const cases: ReadonlyArray<readonly [what: string, row: Authentication | undefined, expected: object | undefined]> = [
    ["all it says", full, { ...bare, eci: "05", value: "cavv" }],
    [
      "under its number of version 1",
      { ...full, protocol: "1.0.2", serverTransId: null, xid: "x" },
      { ...bare, protocol: "1.0.2", transactionId: "x", eci: "05", value: "cavv" }
    ],
    [
      "without what it leaves out",
      { ...full, eci: null, sealedAuthenticationValue: null },
      { ...bare, eci: undefined, value: undefined }
    ],
    ["nothing where it did not run", undefined, undefined],
    ["nothing where it was not enrolled", { ...full, protocol: null }, undefined],
    ["nothing where it did not end", { ...full, transStatus: null }, undefined]
  ]
  it.effect.each(cases)("%s", ([, row, expected]) =>
    Effect.gen(function* () {
      const rows = [card(), ...(row === undefined ? [] : [Decision.put(Authentication, row)])]
      const { requests, proof } = yield* carryOut({
        order: sale({ ...begun, threeds: 1, cvvGiven: 0 }),
        request: creation("sale"),
        rows
      })
      assert.lengthOf(requests, 1)
      if (proof === undefined) return assert.isUndefined(expected)
      const { authenticationValue: sealed, ...others } = proof
      const value = sealed === undefined ? undefined : Redacted.value(sealed)
      return assert.deepStrictEqual<object | undefined>({ ...others, value }, expected)
    })
  )
})
