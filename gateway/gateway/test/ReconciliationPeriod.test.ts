/** What reconciliation of a period reports. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../src/kernel/Decision.ts"
import * as LedgerTable from "../src/kernel/LedgerTable.ts"
import type * as Booking from "../src/orders/record/Booking.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import * as Adoption from "../src/restore/Adoption.ts"
import { BankBooking } from "../src/restore/BankBooking.ts"
import { sale } from "./domain/Sample.ts"
import {
  acceptedAtMs,
  type Case,
  creation,
  hourMs,
  order,
  reports,
  run,
  saleBooking,
  saleEntries
} from "./ReconciliationSeeds.ts"

describe("reconciliation of a period reports", () => {
  const period = { fromMs: 40 * hourMs, toMs: 60 * hourMs }
  const wrong = [
    "order 1: shop/7/USD/merchant_settlement: 10000, 0",
    "order 1: shop/7/USD/acquirer_receivable: -10000, 0"
  ]
  const at = (createdAtMs: number) => [Decision.append(Order, { ...order, createdAtMs })]
  const older = at(1)
  const imported = (atMs: number) => {
    const row = Adoption.rowOf(Adoption.lists.bank, { ...saleBooking, reference: "9-sale-0", atMs }, "shop", 1)
    return { rows: [Decision.append(BankBooking, row)], period }
  }
  const unknownFinding = ["booking 9-sale-0 at the bank: an order, sale of 100.00 USD"]
  const edge = (finishedAtMs: number, bank: ReadonlyArray<Booking.Booking> = []) => ({
    rows: [
      Decision.append(Order, order),
      Decision.append(OrderRequest, { ...creation, acceptedAtMs: finishedAtMs, finishedAtMs }),
      ...saleEntries
    ],
    bank,
    period
  })
  const unlisted = ["booking 1-sale-0 at the bank: approved, no such booking"]
  const captured = (finishedAtMs: number, acceptedMs = finishedAtMs) => [
    Decision.append(OrderRequest, {
      ...{ ...creation, requestId: "9", action: "capture", operation: "CAPTURE", sequence: 1 },
      ...{ acceptedAtMs: acceptedMs, finishedAtMs }
    }),
    ...LedgerTable.book(order, "1", "9", "sale", 10_000, finishedAtMs)
  ]
  const cases: ReadonlyArray<Case> = [
    ["an order that was created in its first millisecond", { rows: at(period.fromMs), period }, wrong],
    ["an order that was created in its last millisecond", { rows: at(period.toMs - 1), period }, wrong],
    ["no order from before it", { rows: at(period.fromMs - 1), period }, []],
    ["no order from after it", { rows: at(period.toMs), period }, []],
    [
      "an older order that was booked in it",
      { rows: [...older, Decision.append(OrderRequest, creation)], bank: [saleBooking], period },
      wrong
    ],
    [
      "a booking under a foreign reference",
      { rows: [], bank: [{ ...saleBooking, reference: "x" }], period },
      ["booking x at the bank: an order, sale of 100.00 USD"]
    ],
    [
      "a booking without an order",
      { rows: [], bank: [saleBooking], period },
      ["booking 1-sale-0 at the bank: an order, sale of 100.00 USD"]
    ],
    ["an imported booking in it", imported(period.fromMs), unknownFinding],
    ["no imported booking from before it", imported(period.fromMs - 1), []],
    ["no imported booking from after it", imported(period.toMs), []],
    ["an unlisted approval of its first millisecond", edge(period.fromMs), unlisted],
    ["an unlisted approval of its last millisecond", edge(period.toMs - 1), unlisted],
    ["no unlisted approval from before it", edge(period.fromMs - 1), []],
    ["no unlisted approval from after it", edge(period.toMs), []],
    [
      "no approval that was booked just before it",
      edge(period.fromMs, [{ ...saleBooking, atMs: period.fromMs - 1 }]),
      []
    ],
    ["no approval that was booked just after it", edge(period.toMs - 1, [{ ...saleBooking, atMs: period.toMs }]), []],
    [
      "an older order whose unlisted capture was approved in it",
      { rows: [...older, ...captured(period.fromMs)], bank: [], period },
      ["booking 1-capture-1 at the bank: approved, no such booking"]
    ],
    [
      "no approval whose outcome was unknown for more than a day after its booking",
      {
        rows: [...older, ...captured(period.fromMs, period.fromMs - 30 * hourMs)],
        bank: [{ ...saleBooking, reference: "1-capture-1", kind: "capture", atMs: period.fromMs - 30 * hourMs }],
        period
      },
      []
    ]
  ]
  it.effect.each(cases)("%s", reports)

  it.effect("each order once, in pages", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 1_001 }, (_, n) =>
        Decision.append(
          Order,
          sale({ orderId: `${n}`, clientOrderId: `INV-${n}`, capturedMinor: 0, createdAtMs: acceptedAtMs + (n >> 1) })
        )
      )
      const { counts, findings } = yield* run({ rows: many, period })
      assert.deepStrictEqual([counts, findings], [[1_001, 0], []])
    })
  )
})
