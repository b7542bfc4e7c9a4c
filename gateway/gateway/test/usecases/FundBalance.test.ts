/** Postings of an operator to the payout balance. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Funding } from "../../src/payouts/decide/Fund.ts"
import * as Fund from "../../src/payouts/decide/Fund.ts"
import * as FundBalance from "../../src/payouts/FundBalance.ts"
import { keysOf } from "../domain/Written.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

const request: FundBalance.Posting = {
  reference: "wire-1",
  merchant: "shop",
  endpoint: "7",
  currency: undefined,
  amount: "12.50"
}
const funding: Funding = {
  reference: "wire-1",
  merchantId: "shop",
  endpointId: "7",
  currency: "USD",
  amountMinor: 1_250,
  createdAtMs: ScriptedServices.nowMs
}
const both = ScriptedServices.endpoint({ currencies: new Set(["USD", "EUR"]) })

const add = (
  changes: Partial<FundBalance.Posting>,
  setup: ScriptedServices.Script,
  rows: ReadonlyArray<Decision.Write>
) => {
  const recording = ScriptedServices.newRecording()
  return Effect.gen(function* () {
    yield* ScriptedServices.seed(rows, recording)
    const { add } = yield* FundBalance.make
    const done = yield* add({ ...request, ...changes }, "operator:alice")
    const text =
      done._tag === "Wrong"
        ? done.message
        : `${done._tag === "Booked" && done.isReplay ? "again " : ""}${done._tag} ${done.funding.amountMinor} ${done.funding.currency}`
    return { text, decisions: recording.decisions }
  }).pipe(Effect.provide(ScriptedServices.layer(setup, recording)))
}

describe("an operator's posting to the payout balance", () => {
  const same = Fund.decide(funding).writes
  const other = Fund.decide({ ...funding, amountMinor: 1 }).writes
  const cases: ReadonlyArray<
    readonly [
      what: string,
      changes: Partial<FundBalance.Posting>,
      setup: ScriptedServices.Script,
      rows: ReadonlyArray<Decision.Write>,
      expected: string,
      commits: number
    ]
  > = [
    ["has the endpoint's only currency", {}, {}, [], "Booked 1250 USD", 1],
    [
      "has the named currency if the endpoint has several",
      { currency: "EUR" },
      { endpoint: both },
      [],
      "Booked 1250 EUR",
      1
    ],
    [
      "is refused without a currency if the endpoint has several",
      {},
      { endpoint: both },
      [],
      "endpoint 7 takes USD, EUR: give one as currency",
      0
    ],
    [
      "is refused in a currency that the endpoint does not accept",
      { currency: "JPY" },
      {},
      [],
      "endpoint 7 takes USD: give one as currency",
      0
    ],
    ["is refused for an unknown endpoint", { endpoint: "8" }, {}, [], "merchant shop has no endpoint 8", 0],
    [
      "is refused for a group of endpoints",
      { endpoint: ScriptedServices.groupId },
      {},
      [],
      "merchant shop has no endpoint 70",
      0
    ],
    [
      "is refused for another merchant's endpoint",
      { merchant: "other" },
      {},
      [],
      "merchant other has no endpoint 7",
      0
    ],
    [
      "is refused with more decimals than its currency has",
      { amount: "12.505" },
      {},
      [],
      "amount 12.505 has more decimals than its currency",
      0
    ],
    ["is booked once when it is repeated", {}, {}, same, "again Booked 1250 USD", 0],
    ["is refused under a reference with another amount", {}, {}, other, "Differs 1 USD", 0],
    [
      "is booked once when two equal ones commit at the same time",
      {},
      { meanwhile: [same] },
      [],
      "again Booked 1250 USD",
      1
    ]
  ]
  it.effect.each(cases)("%s", ([, changes, setup, rows, expected, commits]) =>
    Effect.gen(function* () {
      const { decisions, text } = yield* add(changes, setup, rows)
      if (expected.startsWith("amount 12.505")) assert.match(text, /^amount 12.505 /)
      else assert.strictEqual(text, expected)
      assert.lengthOf(decisions, commits)
      for (const decision of decisions) assert.lengthOf(keysOf(decision), 2)
    })
  )
})

describe("the payout balances of a merchant", () => {
  it.effect("are listed for each endpoint and currency, without other accounts", () => {
    const recording = ScriptedServices.newRecording()
    const post = (place: string, minor: number) => Decision.post(`shop/${place}`, minor)
    return Effect.gen(function* () {
      yield* ScriptedServices.seed(
        [
          post("7/USD/payout_available", 70),
          post("7/USD/payout_held", 20),
          post("7/USD/payout_rail", 10),
          post("7/USD/merchant_settlement", 5),
          post("7/EUR/payout_available", 3),
          post("8/USD/merchant_settlement", 5),
          Decision.post("shopping/7/USD/payout_available", 9)
        ],
        recording
      )
      const { show } = yield* FundBalance.make
      const usd = { endpointId: "7", currency: "USD", availableMinor: 70n, heldMinor: 20n, paidMinor: 10n }
      const eur = { endpointId: "7", currency: "EUR", availableMinor: 3n, heldMinor: 0n, paidMinor: 0n }
      assert.sameDeepMembers([...(yield* show("shop"))], [usd, eur])
    }).pipe(Effect.provide(ScriptedServices.layer({}, recording)))
  })
})
