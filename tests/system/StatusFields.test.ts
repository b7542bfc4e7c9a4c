/** What `status` tells: every field that the contract declares is filled for some order, and each amount has one meaning. */
import { assert, layer } from "@effect/vitest"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as Sample from "@pay/schema/Sample"
import { StatusResponse } from "@pay/schema/StatusResponse"
import { Effect } from "effect"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Transfers from "../harness/Transfers.ts"

const { threeds3dsGateway, threedsMerchant, usd } = TestGateway.endpoints
const part = (amount: string): TestMerchant.Fields => ({ amount, currency: "USD" })
const redirect_url = "https://shop.example/back"

/** A sale with the sandbox's card of this name, where 3-D Secure asks for a browser. */
const authenticating = (name: string, endpointId: string) => {
  const credit_card_number = ThreeDSTestCards.cards.find((card) => card.name === name)?.number ?? ""
  const fields = { ...Sample.browser, redirect_url, credit_card_number, cvv2: "123" }
  return Effect.map(TestMerchant.order("SALE", fields, { endpointId }), (order) => ({ order, endpointId }))
}

const at = (endpointId: string) => (order: TestMerchant.Order) => ({ order, endpointId })

const givenBack = Effect.gen(function* () {
  const order = yield* TestMerchant.order("SALE", { merchant_data: "cart=17", phone: "+12125550123" })
  yield* TestMerchant.done("RETURN", order, part("1.00"))
  return order
})

/** Orders that together have every field of a status. */
const orders = {
  "a sale, part of it given back": Effect.map(givenBack, at(usd)),
  "a declined sale": Effect.map(TestMerchant.order("SALE", { cvv2: "116" }), at(usd)),
  "the gateway's 3-D Secure": authenticating("challenge", threeds3dsGateway),
  "a method page": authenticating("method-challenge", threedsMerchant),
  "a challenge": authenticating("challenge", threedsMerchant),
  "3-D Secure 1.0.2": authenticating("version1", threedsMerchant),
  "3-D Secure that is over": authenticating("frictionless", threedsMerchant),
  "a payout": Effect.map(TestPayouts.made("PAYOUT", TestPayouts.plain), at(usd)),
  "a transfer to a card": Effect.map(Transfers.done(Transfers.transfer()), at(usd)),
  "a recurring payment": Effect.map(Recurring.created(), ({ order }) => ({ order, endpointId: usd }))
}

/** The reference of a card that was verified in the older dialect. */
const ofOlderDialect = ["card-ref-id", "card-hash-id"]
/** What the simulated bank does not report; see BankAnswers.test.ts. */
const ofOtherBanks = ["processor-rrn", "auth-response-code"]
const elsewhere: ReadonlySet<string> = new Set([...ofOlderDialect, ...ofOtherBanks])

layer(TestGateway.layer(), { excludeTestServices: true })("status", (it) => {
  it.effect("has every declared field and no other", () =>
    Effect.gen(function* () {
      const names = new Set<string>()
      for (const made of Object.values(orders)) {
        const { endpointId, order } = yield* made
        const body = yield* TestMerchant.status(order, { endpointId })
        for (const name of Object.keys(body)) names.add(name)
      }
      const created = yield* TestMerchant.create("SALE")
      yield* TestMerchant.settled
      for (const name of Object.keys(yield* TestMerchant.outcomeOf(created))) names.add(name)
      const declared = Object.keys(StatusResponse.fields).filter((name) => !elsewhere.has(name))
      assert.deepStrictEqual([...names].sort(), declared.sort())
    })
  )

  const holds: ReadonlyArray<
    readonly [
      done: string,
      creation: "PREAUTH" | "SALE",
      steps: ReadonlyArray<readonly [TestMerchant.FollowUp, string]>,
      left: string
    ]
  > = [
    [
      "captured and given back in part",
      "PREAUTH",
      [
        ["CAPTURE", "4.00"],
        ["RETURN", "1.00"]
      ],
      "6.42"
    ],
    [
      "captured in part, the rest released",
      "PREAUTH",
      [
        ["CAPTURE", "4.00"],
        ["VOID", ""]
      ],
      "0.00"
    ],
    ["sold and given back in part", "SALE", [["RETURN", "1.00"]], "0.00"]
  ]
  it.effect.each(holds)(
    "shows as remaining-amount what a capture without amount takes: %s",
    ([_, creation, steps, left]) =>
      Effect.gen(function* () {
        const order = yield* TestMerchant.order(creation)
        for (const [name, amount] of steps) yield* TestMerchant.done(name, order, amount === "" ? {} : part(amount))
        const before = yield* TestMerchant.status(order)
        assert.strictEqual(before["remaining-amount"], left)
        const reply = yield* TestMerchant.act("CAPTURE", order, {}, { headers: { "idempotency-key": "the rest" } })
        yield* TestMerchant.settled
        const after = yield* TestMerchant.status(order)
        const taken = Number(after["captured-amount"]) - Number(before["captured-amount"])
        assert.strictEqual(taken.toFixed(2), left)
        assert.strictEqual(reply.status, left === "0.00" ? 400 : 200)
        assert.strictEqual(after["remaining-amount"], "0.00")
        yield* TestMerchant.assertClean
      })
  )
})
