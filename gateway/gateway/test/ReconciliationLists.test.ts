/** What reconciliation reports about the bookings and totals of bank and rail. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../src/kernel/Decision.ts"
import { Evidence } from "../src/kernel/Evidence.ts"
import { Job } from "../src/kernel/Job.ts"
import * as HoldTask from "../src/orders/decide/HoldTask.ts"
import * as Unexpected from "../src/orders/decide/Unexpected.ts"
import { BankTask } from "../src/orders/record/BankTask.ts"
import type * as Booking from "../src/orders/record/Booking.ts"
import { Order } from "../src/orders/record/Order.ts"
import { OrderRequest } from "../src/orders/record/OrderRequest.ts"
import * as Adoption from "../src/restore/Adoption.ts"
import { BankBooking } from "../src/restore/BankBooking.ts"
import { job } from "./domain/Sample.ts"
import {
  acceptedAtMs,
  bookedPayout,
  bookedSale,
  type Case,
  creation,
  hourMs,
  nowMs,
  order,
  payoutBooking,
  railTotals,
  reports,
  run,
  saleBooking,
  saleEntries,
  totals
} from "./ReconciliationSeeds.ts"

describe("reconciliation with listed bookings reports", () => {
  const deposits = bookedPayout.map((write) =>
    write._tag === "Append" && write.entity.name === "orders"
      ? { ...write, row: { ...write.row, kind: "deposit" } }
      : write
  )
  const unknownBooking = { ...saleBooking, reference: "9-sale-0" }
  const unknownFinding = "booking 9-sale-0 at the bank: an order, sale of 100.00 USD"
  const foreignBooking = { ...saleBooking, reference: "x" }
  const imported = (source: "bank" | "rail", booking: Booking.Booking) =>
    Decision.append(BankBooking, Adoption.rowOf(Adoption.lists[source], booking, "shop", 1))
  const acceptedAt = (atMs: number) => [
    Decision.append(Order, order),
    Decision.append(OrderRequest, { ...creation, acceptedAtMs: atMs, finishedAtMs: atMs }),
    ...saleEntries
  ]
  const inFlight = [
    Decision.append(Order, order),
    Decision.append(OrderRequest, { ...creation, progress: "processing" })
  ]
  const wrongEntries = [
    "order 1: shop/7/USD/merchant_settlement: 10000, 0",
    "order 1: shop/7/USD/acquirer_receivable: -10000, 0"
  ]
  const output = { source: "bank", reference: "9-sale-0", verdict: "approved", amountMinor: 10_000 } as const
  const reversalTask = Decision.append(BankTask, { ...Unexpected.taskOf(order, output, false, 1), state: "reversed" })
  const unlisted = "booking 1-sale-0 at the bank: approved, no such booking"
  const cases: ReadonlyArray<Case> = [
    [
      "nothing if all is booked",
      { rows: [...bookedSale, ...bookedPayout], bank: [saleBooking], rail: [payoutBooking] },
      []
    ],
    [
      "a booking on a later page without an order",
      { rows: bookedSale, bank: [saleBooking, unknownBooking] },
      [unknownFinding]
    ],
    [
      "a booking under a foreign reference",
      { rows: bookedSale, bank: [saleBooking, foreignBooking] },
      ["booking x at the bank: an order, sale of 100.00 USD"]
    ],
    [
      "a booking that is listed twice",
      { rows: bookedSale, bank: [saleBooking, saleBooking] },
      ["booking 1-sale-0 at the bank: one booking, again sale of 100.00 USD"]
    ],
    [
      "bookings outside of the period that was asked for, as those with times in seconds",
      {
        ...{ rows: bookedSale, listsEverything: true, period: { fromMs: acceptedAtMs - hourMs, toMs: nowMs } },
        bank: [
          { ...saleBooking, atMs: acceptedAtMs / 1000 },
          { ...unknownBooking, atMs: acceptedAtMs / 1000 }
        ]
      },
      [
        "the bank's list: only bookings of the period that was asked for, with times in milliseconds, 2 others, the first 1-sale-0 at 180000"
      ]
    ],
    [
      "nothing for a booking that was reversed",
      { rows: [...bookedSale, reversalTask], bank: [saleBooking, unknownBooking] },
      []
    ],
    [
      "a row that is no booking, and what the other rows say",
      { rows: bookedSale, bank: [{ ...saleBooking, amountMinor: Number.NaN }, unknownBooking], totals },
      [
        "row 1 of a page of the bank's list, 1-sale-0: a booking, amountMinor: Expected a whole number from 0",
        unknownFinding
      ]
    ],
    [
      "totals of an order that cannot be read",
      { rows: bookedSale, bank: [saleBooking], totals: { ...totals, capturedMinor: Number.NaN } },
      ["order 1: totals of the bank or rail: totals, bankBooks.totals: capturedMinor: Expected a whole number from 0"]
    ],
    ["a request that is not listed", { rows: bookedSale, bank: [] }, [unlisted]],
    [
      "a request whose booking was declined",
      { rows: bookedSale, bank: [{ ...saleBooking, result: "declined" }] },
      [unlisted]
    ],
    ["nothing for a request of the last hour", { rows: acceptedAt(nowMs - hourMs), bank: [] }, []],
    ["a request that is older than an hour", { rows: acceptedAt(nowMs - hourMs - 1), bank: [] }, [unlisted]],
    ["no unlisted request if the bank returns totals per order", { rows: bookedSale, bank: [], totals }, []],
    ["no unlisted request if the bank cannot list bookings", { rows: bookedSale }, []],
    [
      "no booking of a request in flight that the bank may still be processing",
      { rows: inFlight, bank: [{ ...saleBooking, amountMinor: 1, atMs: nowMs - hourMs + 1 }] },
      [...wrongEntries]
    ],
    [
      "a booking of a request that is still in flight, and what to do",
      { rows: inFlight, bank: [{ ...saleBooking, atMs: nowMs - hourMs }] },
      [
        "booking 1-sale-0 at the bank: processing, sale of 100.00 USD: the gateway still inquires; if it does not end, resolve it: pay orders resolve 1",
        ...wrongEntries
      ]
    ],
    [
      "a payout that is not listed",
      { rows: bookedPayout, rail: [] },
      ["booking 3-pay-0 at the rail: approved, no such booking"]
    ],
    [
      "a deposit that is not listed",
      { rows: deposits, rail: [] },
      ["booking 3-pay-0 at the rail: approved, no such booking"]
    ],
    ["no payout that only the bank does not list", { rows: bookedPayout, bank: [] }, []],
    [
      "an imported booking of a bank that cannot list",
      { rows: [...bookedSale, imported("bank", unknownBooking)] },
      [unknownFinding]
    ],
    [
      "no imported booking of a bank that can list",
      { rows: [...bookedSale, imported("bank", unknownBooking)], bank: [saleBooking] },
      []
    ]
  ]
  it.effect.each(cases)("%s", reports)
})

describe("reconciliation finds a contradiction or a reversal in", () => {
  const declined = [Decision.append(Order, order), Decision.append(OrderRequest, { ...creation, progress: "declined" })]
  const other: Booking.Booking = { ...saleBooking, reference: "1-refund-5", kind: "refund", amountMinor: 40 }
  const answer = (reference: string) =>
    Decision.append(Evidence, { evidenceId: reference, orderId: "1", reference, answer: "{}", atMs: 1 })
  const withLateAnswer = [...bookedSale, answer(other.reference)]
  const request = Decision.append(OrderRequest, {
    ...{ ...creation, requestId: "9", action: "refund", operation: "RETURN", sequence: 5, amountMinor: 40 },
    progress: "processing"
  })
  const followed = [Decision.append(OrderRequest, { ...creation, requestId: "9", sequence: 6 })]
  const released = [
    Decision.append(OrderRequest, { ...creation, requestId: "9", action: "void", operation: "RETURN", sequence: 5 })
  ]
  const cases: ReadonlyArray<
    readonly [
      what: string,
      rows: ReadonlyArray<Decision.Write>,
      booking: Booking.Booking,
      expected: ReadonlyArray<string>
    ]
  > = [
    ["a booking whose request ended differently", declined, saleBooking, [saleBooking.reference]],
    ["no booking that matches its request", bookedSale, saleBooking, []],
    ["no declined booking of a declined request", declined, { ...saleBooking, result: "declined" }, []],
    ["no booking in another currency", declined, { ...saleBooking, currency: "EUR" }, []],
    [
      "a booking whose request ended differently, beside another request",
      [...declined, ...followed],
      saleBooking,
      [saleBooking.reference]
    ],
    ["no refund of a return whose request is now a release", [...bookedSale, ...released], other, []],
    ["a refund that is known only from a late answer", withLateAnswer, other, ["1-refund-5 40"]],
    [
      "a release that is known only from a late answer",
      [...bookedSale, answer("1-void-5")],
      { ...other, reference: "1-void-5" },
      ["1-void-5 40"]
    ],
    ["no refund without a late answer", bookedSale, other, []],
    ["no refund with a late answer for another reference", [...bookedSale, answer("1-refund-6")], other, []],
    ["no refund that the bank declined", withLateAnswer, { ...other, result: "declined" }, []],
    ["no refund in another currency", withLateAnswer, { ...other, currency: "EUR" }, []],
    ["no refund whose request is in flight", [...withLateAnswer, request], other, []],
    ["no capture", [...bookedSale, answer("1-capture-5")], { ...other, reference: "1-capture-5", kind: "capture" }, []],
    ["no refund of an unknown order", withLateAnswer, { ...other, reference: "9-refund-5" }, []]
  ]
  it.effect.each(cases)("%s", ([, rows, booking, expected]) =>
    Effect.gen(function* () {
      const { contradictions, reversals } = yield* run({ rows, bank: [booking] })
      assert.deepStrictEqual([...contradictions, ...reversals], [...expected])
    })
  )
})

describe("reconciliation with totals per order reports", () => {
  const look = Decision.append(Job, job({ jobId: "rail:4", kind: "rail", subject: "4" }))
  const late = { paidMinor: 10_000, refusedLateMinor: 10_000 }
  const output = { source: "bank", reference: "1-capture-1", verdict: "approved", amountMinor: 500 } as const
  const task = (orderId: string) =>
    Decision.append(BankTask, { ...Unexpected.taskOf({ ...order, orderId }, output, false, 1), state: "reversed" })
  const hold = Decision.append(BankTask, {
    ...HoldTask.opened(order, "1-void-1", 1),
    ...{ state: "closed", closedBy: "gateway" }
  })
  const twice = { ...totals, capturedMinor: 10_500, refundedMinor: 500 }
  const differs = ["order 1: captured at the bank: 10000, 10500", "order 1: refunded at the bank: 0, 500"]
  const cases: ReadonlyArray<Case> = [
    ["nothing if the totals are equal", { rows: bookedSale, bank: [], totals }, []],
    ["amounts that only the bank has", { rows: bookedSale, bank: [], totals: twice }, differs],
    ["nothing that was reversed", { rows: [...bookedSale, task("1")], bank: [], totals: twice }, []],
    [
      "amounts that only the bank has, although a hold was released",
      { rows: [...bookedSale, hold], bank: [], totals: twice },
      differs
    ],
    [
      "a difference that was reversed for another order",
      { rows: [...bookedSale, task("5")], bank: [], totals: twice },
      differs
    ],
    [
      "nothing for a paid payout, and no rail totals for a sale",
      { rows: [...bookedPayout, ...bookedSale], rail: [], railTotals },
      []
    ],
    [
      "a late refusal that is no longer inquired",
      { rows: bookedPayout, rail: [], railTotals: late },
      ["order 3: refused late by the rail: 0, 10000"]
    ],
    [
      "nothing for a late refusal that an operator settled",
      { rows: [...bookedPayout, task("3")], rail: [], railTotals: late },
      []
    ],
    [
      "nothing for a late refusal that is still inquired",
      { rows: [...bookedPayout, look], rail: [], railTotals: late },
      []
    ]
  ]
  it.effect.each(cases)("%s", reports)
})
