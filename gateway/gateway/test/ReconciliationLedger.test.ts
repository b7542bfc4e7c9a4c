/** What reconciliation reports about a ledger that was seeded with one error each. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../src/kernel/Decision.ts"
import { Evidence } from "../src/kernel/Evidence.ts"
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import { Balance } from "../src/kernel/LedgerTable.ts"
import * as Unexpected from "../src/orders/decide/Unexpected.ts"
import { BankTask } from "../src/orders/record/BankTask.ts"
import { Order } from "../src/orders/record/Order.ts"
import * as Fund from "../src/payouts/decide/Fund.ts"
import { Funding } from "../src/payouts/decide/Fund.ts"
import { sale } from "./domain/Sample.ts"
import {
  account,
  bookedPayout,
  bookedSale,
  type Case,
  entry,
  order,
  orderRows,
  reports,
  run
} from "./ReconciliationSeeds.ts"

describe("reconciliation of the ledger reports", () => {
  const funding: Funding = {
    reference: "w",
    merchantId: "shop",
    endpointId: "7",
    currency: "USD",
    amountMinor: 5,
    createdAtMs: 1
  }
  const balance = (name: string, minor: number) =>
    Decision.put(Balance, { account: account(name), minor: BigInt(minor) })
  const cases: ReadonlyArray<Case> = [
    ["nothing in a correct ledger", { rows: [...bookedSale, ...bookedPayout, ...Fund.decide(funding).writes] }, []],
    [
      "a movement that is not balanced",
      { rows: [...bookedSale, entry("x", "authorised", 5), Decision.post(account("authorised"), 5)] },
      ["movement x:seeded: 0, 5", "order 1: shop/7/USD/authorised: 0, 5"]
    ],
    [
      "a balance that is not the sum of its entries",
      { rows: [...bookedSale, balance("merchant_settlement", 9_999)] },
      ["balance shop/7/USD/merchant_settlement: 10000, 9999"]
    ],
    [
      "a balance without entries",
      { rows: [...bookedSale, balance("authorised", 3)] },
      ["balance shop/7/USD/authorised: 0, 3"]
    ],
    [
      "entries without a balance",
      { rows: [...bookedSale, entry("x", "authorised", 5), entry("y", "authorised", -4)] },
      [
        "movement x:seeded: 0, 5",
        "movement y:seeded: 0, -4",
        "balance shop/7/USD/authorised: 1, no balance",
        "order 1: shop/7/USD/authorised: 0, 1"
      ]
    ],
    [
      "no missing balance for entries whose sum is zero",
      { rows: [...bookedSale, entry("x", "authorised", 5), entry("y", "authorised", -5)] },
      ["movement x:seeded: 0, 5", "movement y:seeded: 0, -5"]
    ],
    [
      "an order whose entries lack its amounts",
      { rows: orderRows },
      ["order 1: shop/7/USD/merchant_settlement: 10000, 0", "order 1: shop/7/USD/acquirer_receivable: -10000, 0"]
    ],
    [
      "a posting without entries",
      { rows: [Decision.append(Funding, funding)] },
      ["funding w: shop/7/USD/payout_available: 5, 0"]
    ]
  ]
  it.effect.each(cases)("%s", reports)

  it.effect("its progress after each thousand entries and each thousand orders", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 1_000 }, (_, n) => {
        const each = sale({ orderId: `${n}`, clientOrderId: `INV-${n}`, capturedMinor: 1, authorizedMinor: 1 })
        return [Decision.append(Order, each), ...LedgerTable.book(each, each.orderId, `r${n}`, "sale", 1, 1)]
      }).flat()
      const { counts, findings, messages } = yield* run({ rows: many })
      assert.deepStrictEqual([counts, findings], [[1_000, 2_000], []])
      assert.deepStrictEqual(messages, [
        { orders: 0, entries: 1_000 },
        { orders: 0, entries: 2_000 },
        { orders: 1_000, entries: 2_000 }
      ])
    })
  )
})

describe("reconciliation of late answers reports", () => {
  const late = Decision.append(Evidence, {
    evidenceId: "e",
    orderId: "1",
    reference: "1-sale-0",
    answer: '{"_tag":"Declined"}',
    atMs: 1
  })
  const output = { source: "bank", reference: "1-sale-0", verdict: "declined", amountMinor: 10_000 } as const
  const settled = (state: BankTask["state"]) =>
    Decision.append(BankTask, { ...Unexpected.taskOf(order, output, false, 1), state })
  const contradiction = "order 1: what the bank said of 1-sale-0: approved, declined"
  const cases: ReadonlyArray<Case> = [
    ["an answer that contradicts the order", { rows: [...bookedSale, late] }, [contradiction]],
    ["an answer whose task is open", { rows: [...bookedSale, late, settled("open")] }, [contradiction]],
    ["nothing for an answer whose task is closed", { rows: [...bookedSale, late, settled("closed")] }, []],
    ["nothing for an answer that was reversed", { rows: [...bookedSale, late, settled("reversed")] }, []]
  ]
  it.effect.each(cases)("%s", reports)
})
