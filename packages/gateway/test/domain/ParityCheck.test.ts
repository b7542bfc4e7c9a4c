import { assert, describe, it } from "@effect/vitest"
import type { LedgerEntry } from "../../src/domain/entities/Ledger.ts"
import type { Order } from "../../src/domain/entities/Order.ts"
import type { OrderRequest } from "../../src/domain/entities/OrderRequest.ts"
import * as ParityCheck from "../../src/domain/ParityCheck.ts"
import type { BankTotals } from "../../src/ports/BankBooks.ts"
import { preauth, request, sale, transfer } from "./Sample.ts"

/** The entries that the order should have. */
const entriesOf = (order: Order): ReadonlyArray<LedgerEntry> =>
  ParityCheck.expectedBalances(order).map(([name, minor]) => ({
    entryId: `2:${name}`,
    orderId: order.orderId,
    requestId: "2",
    cause: "seeded",
    account: `shop/7/USD/${name}`,
    minor,
    atMs: 1
  }))

const nothing: BankTotals = {
  authorizedMinor: 0,
  capturedMinor: 0,
  transferredMinor: 0,
  refundedMinor: 0,
  releasedMinor: 0
}
const whole = { ...nothing, authorizedMinor: 10_000 }

const table: ReadonlyArray<{
  readonly what: string
  readonly order: Order
  readonly bank: BankTotals
  readonly found: ReadonlyArray<string>
}> = [
  { what: "a hold that stands", order: preauth(), bank: whole, found: [] },
  {
    what: "a hold that only the bank released",
    order: preauth(),
    bank: { ...whole, releasedMinor: 10_000 },
    found: ["order 1: released at the bank"]
  },
  {
    what: "a hold that the bank never released",
    order: preauth({ state: "voided", released: 1 }),
    bank: whole,
    found: ["order 1: released at the bank"]
  },
  {
    what: "the rest of a hold, released by both",
    order: preauth({ state: "settled", capturedMinor: 6_000, released: 1 }),
    bank: { ...whole, capturedMinor: 6_000, releasedMinor: 4_000 },
    found: []
  },
  {
    what: "a transfer",
    order: transfer(),
    bank: { ...whole, capturedMinor: 10_000, transferredMinor: 10_000 },
    found: []
  },
  {
    what: "a transfer that the bank took for a sale",
    order: transfer(),
    bank: { ...whole, capturedMinor: 10_000 },
    found: ["order 1: transferred at the bank"]
  },
  {
    what: "a sale that the bank took for a transfer",
    order: sale(),
    bank: { ...whole, capturedMinor: 10_000, transferredMinor: 10_000 },
    found: ["order 1: transferred at the bank"]
  },
  {
    what: "a decline that kept the money",
    order: sale({ state: "declined" }),
    bank: { ...whole, capturedMinor: 10_000 },
    found: ["order 1: money of a payment that is declined"]
  }
]

describe("what the parity check finds in", () => {
  for (const { bank, found, order, what } of table) {
    it(what, () => {
      const findings = ParityCheck.ofOrder(order, entriesOf(order), [], bank)
      assert.deepStrictEqual(
        findings.map(({ where }) => where),
        found
      )
    })
  }
})

const approval = '{"_tag":"Approved"}'

describe("what the parity check finds in an answer that came too late for", () => {
  const rows: ReadonlyArray<readonly [string, string, OrderRequest["progress"], string, number]> = [
    ["a payment that was declined meanwhile", "1-sale-1", "declined", approval, 1],
    ["a payment that was approved anyway", "1-sale-1", "approved", approval, 0],
    ["a payment that was approved, and says that it is declined", "1-sale-1", "approved", '{"_tag":"Declined"}', 1],
    ["a payment, and says nothing", "1-sale-1", "declined", '{"_tag":"Unknown"}', 0],
    ["another payment", "1-sale-2", "declined", approval, 0],
    ["a check of a payout, which moves nothing", "1-check-1", "declined", approval, 0]
  ]
  it.each(rows)("%s", (_, reference, progress, answer, found) => {
    const evidence = { evidenceId: "1", reference, orderId: "1", answer, atMs: 1 }
    const findings = ParityCheck.ofEvidence(evidence, [request({ progress, finishedAtMs: 1 })])
    assert.strictEqual(findings.length, found)
  })
})
