import { assert, describe, it } from "@effect/vitest"
import type { LedgerEntry } from "../../src/kernel/LedgerTable.ts"
import type { BankTotals } from "../../src/orders/bank/BankBooks.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { OrderRequest } from "../../src/orders/record/OrderRequest.ts"
import type { Funding } from "../../src/payouts/decide/Fund.ts"
import * as OrderComparison from "../../src/reconciliation/decide/OrderComparison.ts"
import { preauth, request, sale, transfer } from "./Sample.ts"

/** The entries that the order should have. */
const entriesOf = ({ orderId, ...order }: Order): ReadonlyArray<LedgerEntry> =>
  OrderComparison.expectedBalances({ orderId, ...order }).map(([name, minor]) => {
    const account = `shop/7/USD/${name}`
    return { entryId: `2:${name}`, orderId, requestId: "2", cause: "seeded", account, minor, atMs: 1 }
  })

const nothing: BankTotals = {
  ...{ authorizedMinor: 0, capturedMinor: 0, transferredMinor: 0 },
  ...{ refundedMinor: 0, voidedMinor: 0 }
}
const whole = { ...nothing, authorizedMinor: 10_000 }

const table: ReadonlyArray<{
  readonly what: string
  readonly order: Order
  readonly bank: BankTotals
  readonly matches: ReadonlyArray<string>
}> = [
  { what: "a hold that both have", order: preauth(), bank: whole, matches: [] },
  {
    what: "a hold that only the bank released",
    order: preauth(),
    bank: { ...whole, voidedMinor: 10_000 },
    matches: ["order 1: released at the bank"]
  },
  {
    what: "a hold that the bank never released",
    order: preauth({ state: "voided" }),
    bank: whole,
    matches: ["order 1: released at the bank"]
  },
  {
    what: "the rest of a hold, released by both",
    order: preauth({ state: "settled", capturedMinor: 6_000 }),
    bank: { ...whole, capturedMinor: 6_000, voidedMinor: 4_000 },
    matches: []
  },
  {
    what: "a transfer",
    order: transfer(),
    bank: { ...whole, capturedMinor: 10_000, transferredMinor: 10_000 },
    matches: []
  },
  {
    what: "a transfer that the bank booked as a sale",
    order: transfer(),
    bank: { ...whole, capturedMinor: 10_000 },
    matches: ["order 1: transferred at the bank"]
  },
  {
    what: "a sale that the bank booked as a transfer",
    order: sale(),
    bank: { ...whole, capturedMinor: 10_000, transferredMinor: 10_000 },
    matches: ["order 1: transferred at the bank"]
  },
  {
    what: "a declined sale whose money the bank took",
    order: sale({ state: "declined" }),
    bank: { ...whole, capturedMinor: 10_000 },
    matches: ["order 1: money of a payment that is declined"]
  }
]

describe("reconciliation of an order with the bank's totals", () => {
  for (const { bank, matches, order, what } of table) {
    it(`compares ${what}`, () => {
      const findings = OrderComparison.ofOrder(order, entriesOf(order), [], bank)
      assert.deepStrictEqual(
        findings.map(({ where }) => where),
        matches
      )
    })
  }
})

const refunded = { ...whole, capturedMinor: 10_000, refundedMinor: 3_000 }
const accounts = (minor: number) => [
  `order 1: shop/7/USD/merchant_settlement ${minor} 0`,
  `order 1: shop/7/USD/acquirer_receivable ${-minor} 0`
]

describe("reconciliation of an order's amounts", () => {
  const followUps: ReadonlyArray<OrderRequest> = [
    request({ action: "sale", amountMinor: 10_000, progress: "processing" }),
    request({ progress: "processing", amountMinor: 1_000 }),
    request({ progress: "unknown", amountMinor: 2_000 }),
    request({ progress: "declined", amountMinor: 4_000 }),
    request({ action: "refund", progress: "processing", amountMinor: 500 }),
    request({ action: "refundThenVoid", progress: "processing", amountMinor: 250 })
  ]
  const moving = { capturedMinor: 5_000, capturingMinor: 3_000, refundingMinor: 750, inFlightCount: 4 }
  const open = { state: "unknown", authorizedMinor: 0, capturedMinor: 0 } as const
  const cases: ReadonlyArray<
    readonly [
      what: string,
      order: Order,
      requests: ReadonlyArray<OrderRequest>,
      bank: BankTotals | undefined | "notCompared",
      actual: ReadonlyArray<string>
    ]
  > = [
    [
      "accepts what the bank has of follow-ups under way: nothing",
      preauth(moving),
      followUps,
      { ...whole, capturedMinor: 5_000 },
      []
    ],
    [
      "accepts what the bank has of follow-ups under way: all of them",
      preauth(moving),
      followUps,
      { ...whole, capturedMinor: 8_000, refundedMinor: 750 },
      []
    ],
    [
      "reports more than the follow-ups under way, and less than those that have ended",
      preauth(moving),
      followUps,
      { ...whole, capturedMinor: 4_999, refundedMinor: 751, voidedMinor: 1 },
      ["captured at the bank 5000 to 8000 4999", "refunded at the bank 0 to 750 751", "released at the bank 0 1"]
    ],
    [
      "reports amounts under way without their requests",
      preauth(moving),
      [],
      "notCompared",
      ["amount being captured 0 3000", "amount being returned 0 750", "follow-ups under way 0 4"]
    ],
    [
      "reports more captured than was held",
      preauth({ capturedMinor: 9_000, capturingMinor: 1_001, inFlightCount: 1 }),
      [request({ amountMinor: 1_001 })],
      "notCompared",
      ["captured at most 10000 9000 + 1001"]
    ],
    [
      "accepts a hold that is captured completely",
      preauth({ capturedMinor: 9_000, capturingMinor: 1_000, inFlightCount: 1 }),
      [request({ amountMinor: 1_000 })],
      "notCompared",
      []
    ],
    [
      "reports more returned than was captured",
      sale({ refundedMinor: 9_000, refundingMinor: 1_001, inFlightCount: 1 }),
      [request({ action: "refund", amountMinor: 1_001 })],
      "notCompared",
      ["returned at most 10000 9000 + 1001"]
    ],
    [
      "accepts a sale that is returned completely",
      sale({ refundedMinor: 9_000, refundingMinor: 1_000, inFlightCount: 1 }),
      [request({ action: "refund", amountMinor: 1_000 })],
      "notCompared",
      []
    ],
    ["ignores the bank's totals while the outcome of the payment is unknown", sale(open), [], whole, []],
    ["accepts a refund that both have", sale({ refundedMinor: 3_000 }), [], refunded, []],
    ["reports a refund that only the bank has", sale(), [], refunded, ["refunded at the bank 0 3000"]],
    [
      "reports a payment that the bank does not know",
      sale(),
      [],
      undefined,
      ["authorised at the bank 10000 0", "captured at the bank 10000 0"]
    ]
  ]
  it.each(cases)("%s", (_, order, requests, bank, matches) =>
    assert.deepStrictEqual(
      OrderComparison.ofOrder(order, entriesOf(order), requests, bank).map(
        ({ expected, actual, where }) => `${where} ${expected} ${actual}`
      ),
      matches.map((what) => `order 1: ${what}`)
    )
  )
})

describe("reconciliation of an order's ledger entries", () => {
  const stray: LedgerEntry = { ...entry("payout_held", 7), account: "shop/7/EUR/payout_held" }
  const cases: ReadonlyArray<
    readonly [what: string, order: Order, entries: ReadonlyArray<LedgerEntry>, actual: ReadonlyArray<string>]
  > = [
    ["reports a sale without entries", sale(), [], accounts(10_000)],
    ["expects no entries of a sale that was not sent", sale({ state: "registered", capturedMinor: 0 }), [], []],
    [
      "accepts entries that cancel each other out",
      sale({ capturedMinor: 0 }),
      [entry("payout_held", 7), entry("payout_held", -7)],
      []
    ],
    [
      "reports a transfer without entries",
      transfer(),
      [],
      ["order 1: shop/7/USD/acquirer_receivable -10000 0", "order 1: shop/7/USD/payout_rail 10000 0"]
    ],
    ["reports an entry in another currency", sale({ capturedMinor: 0 }), [stray], [`order 1: ${stray.account} 0 7`]],
    [
      "reports a partly captured hold without entries",
      preauth({ capturedMinor: 6_000 }),
      [],
      ["order 1: shop/7/USD/authorised 4000 0", "order 1: shop/7/USD/authorised_contra -4000 0", ...accounts(6_000)]
    ],
    ["expects no entries of a voided hold", preauth({ state: "voided" }), [], []],
    [
      "reports a captured hold without entries whose rest was released",
      preauth({ state: "settled", capturedMinor: 6_000 }),
      [],
      accounts(6_000)
    ],
    ["expects no entries of a hold with an unknown outcome", preauth({ state: "unknown" }), [], []],
    [
      "reports a payout under way without entries",
      payoutOf("paying"),
      [],
      ["order 1: shop/7/USD/payout_available -10000 0", "order 1: shop/7/USD/payout_held 10000 0"]
    ],
    [
      "reports a paid payout without entries",
      payoutOf("paid"),
      [],
      ["order 1: shop/7/USD/payout_available -10000 0", "order 1: shop/7/USD/payout_rail 10000 0"]
    ],
    ["expects no entries of a bounced payout", payoutOf("bounced"), [], []]
  ]
  it.each(cases)("%s", (_, order, entries, matches) =>
    assert.deepStrictEqual(
      OrderComparison.ofOrder(order, entries, [], "notCompared")
        .map(({ expected, actual, where }) => `${where} ${expected} ${actual}`)
        .filter((finding) => !finding.includes("money of a payment")),
      [...matches]
    )
  )

  function entry(name: string, minor: number): LedgerEntry {
    return {
      entryId: name,
      orderId: "1",
      requestId: "2",
      cause: "seeded",
      account: `shop/7/USD/${name}`,
      minor,
      atMs: 1
    }
  }
  function payoutOf(state: Order["state"]): Order {
    return sale({ kind: "payout", state, authorizedMinor: 0, capturedMinor: 0 })
  }

  it("counts no follow-up for a payout under way", () => {
    const paying: OrderRequest = { ...request({ sequence: 0 }), action: "pay" }
    const entries = entriesOf(payoutOf("paying"))
    assert.deepStrictEqual(OrderComparison.ofOrder(payoutOf("paying"), entries, [paying], "notCompared"), [])
  })

  const funding: Funding = {
    reference: "wire-1",
    merchantId: "shop",
    endpointId: "7",
    currency: "USD",
    amountMinor: 1_250,
    createdAtMs: 1
  }
  const fund = [entry("payout_available", 1_250), entry("operator_funding", -1_250)]
  it.each([
    ["accepts the entries of a posting", fund, []],
    ["reports a posting without entries", [], ["1250 0"]],
    ["reports a posting that was booked twice", [...fund, ...fund], ["1250 2500"]]
  ] as const)("%s", (_, entries, result) =>
    assert.deepStrictEqual(
      OrderComparison.ofFunding(funding, entries).map(({ expected, actual }) => `${expected} ${actual}`),
      [...result]
    )
  )
})
