/** What a run of the parity check finds in what bank and rail list, in their totals, and of a period. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Decision from "../src/kernel/Decision.ts"
import { Evidence } from "../src/kernel/Evidence.ts"
import { Job } from "../src/kernel/Job.ts"
import type * as Booking from "../src/orders/Booking.ts"
import { Order } from "../src/orders/Order.ts"
import { OrderRequest } from "../src/orders/OrderRequest.ts"
import { BankTask } from "../src/orders/outcomes/BankTask.ts"
import * as HoldTask from "../src/orders/outcomes/HoldTask.ts"
import * as Unexpected from "../src/orders/outcomes/Unexpected.ts"
import * as Adoption from "../src/orders/restored/Adoption.ts"
import { BankBooking } from "../src/orders/restored/BankBooking.ts"
import { item, sale } from "./domain/Sample.ts"
import {
  acceptedAtMs,
  booked,
  check,
  creation,
  hourMs,
  listed,
  nowMs,
  order,
  payouts,
  railTotals,
  run,
  totals,
  transferred,
  whole
} from "./ParitySeeds.ts"

describe("in what bank and rail list the parity check finds", () => {
  const deposits = payouts.map((write) =>
    write._tag === "Append" && write.entity.name === "orders"
      ? { ...write, row: { ...write.row, kind: "deposit" } }
      : write
  )
  const stranger = { ...listed, reference: "9-sale-0" }
  const strange = "booking 9-sale-0 at the bank: an order, sale of 100.00 USD"
  const nobodys = { ...listed, reference: "x" }
  const imported = (source: "bank" | "rail", booking: Booking.Booking) =>
    Decision.append(BankBooking, Adoption.rowOf(source, booking, "shop", 1))
  const soon = (atMs: number) => [
    Decision.append(Order, order),
    Decision.append(OrderRequest, { ...creation, acceptedAtMs: atMs }),
    ...booked
  ]
  const underWay = [Decision.append(Order, order), Decision.append(OrderRequest, { ...creation, progress: "moving" })]
  const output = { source: "bank", reference: "9-sale-0", verdict: "approved", amountMinor: 10_000 } as const
  const givenBack = Decision.append(BankTask, { ...Unexpected.taskOf(order, output, false, 1), state: "reversed" })
  const unlisted = "booking 1-sale-0 at the bank: approved, no such booking"
  check([
    ["nothing wrong", { rows: [...whole, ...payouts], bank: [listed], rail: [transferred] }, []],
    ["a booking on a later page that nobody knows here", { rows: whole, bank: [listed, stranger] }, [strange]],
    [
      "a booking under a number that is none of ours",
      { rows: whole, bank: [listed, nobodys] },
      ["booking x at the bank: an order, sale of 100.00 USD"]
    ],
    ["nothing in a booking that was given back", { rows: [...whole, givenBack], bank: [listed, stranger] }, []],
    ["a request that is not listed", { rows: whole, bank: [] }, [unlisted]],
    ["a request whose booking was declined", { rows: whole, bank: [{ ...listed, result: "declined" }] }, [unlisted]],
    ["nothing in a request of the last hour", { rows: soon(nowMs - hourMs), bank: [] }, []],
    ["a request from before the last hour", { rows: soon(nowMs - hourMs - 1), bank: [] }, [unlisted]],
    ["nothing unlisted where one order can be asked for", { rows: whole, bank: [], totals }, []],
    ["nothing unlisted where nothing is listed", { rows: whole }, []],
    [
      "nothing in another amount while its request is under way",
      { rows: underWay, bank: [{ ...listed, amountMinor: 1 }] },
      ["order 1: shop/7/USD/merchant_settlement: 10000, 0", "order 1: shop/7/USD/acquirer_receivable: -10000, 0"]
    ],
    [
      "a payout that is not listed",
      { rows: payouts, rail: [] },
      ["booking 3-pay-0 at the rail: approved, no such booking"]
    ],
    [
      "a deposit that is not listed",
      { rows: deposits, rail: [] },
      ["booking 3-pay-0 at the rail: approved, no such booking"]
    ],
    ["nothing of the rail's that the bank does not list", { rows: payouts, bank: [] }, []],
    [
      "what an operator imported, of a bank that cannot list",
      { rows: [...whole, imported("bank", stranger)] },
      [strange]
    ],
    [
      "nothing that an operator imported of a bank that can list",
      { rows: [...whole, imported("bank", stranger)], bank: [listed] },
      []
    ]
  ])
})

describe("of what the bank lists the parity check tells apart", () => {
  const declined = [Decision.append(Order, order), Decision.append(OrderRequest, { ...creation, progress: "declined" })]
  const other: Booking.Booking = { ...listed, reference: "1-refund-5", kind: "refund", amountMinor: 40 }
  const answer = (reference: string) =>
    Decision.append(Evidence, { evidenceId: reference, orderId: "1", reference, answer: "{}", atMs: 1 })
  const madeInVain = [...whole, answer(other.reference)]
  const request = Decision.append(OrderRequest, {
    ...{ ...creation, requestId: "9", action: "refund", operation: "RETURN", sequence: 5, amountMinor: 40 },
    progress: "moving"
  })
  const followed = [Decision.append(OrderRequest, { ...creation, requestId: "9", sequence: 6 })]
  const released = [
    Decision.append(OrderRequest, { ...creation, requestId: "9", action: "cancel", operation: "RETURN", sequence: 5 })
  ]
  const cases: ReadonlyArray<
    readonly [
      what: string,
      rows: ReadonlyArray<Decision.Write>,
      booking: Booking.Booking,
      expected: ReadonlyArray<string>
    ]
  > = [
    ["a request that ended otherwise", declined, listed, [listed.reference]],
    ["nothing that ended so", whole, listed, []],
    ["nothing that ended otherwise where the bank declined it, too", declined, { ...listed, result: "declined" }, []],
    ["nothing in another currency", declined, { ...listed, currency: "EUR" }, []],
    ["a request that ended otherwise beside another one", [...declined, ...followed], listed, [listed.reference]],
    ["no refund whose release was declined after it", [...whole, ...released], other, []],
    ["a reversal that was asked for in vain", madeInVain, other, ["1-refund-5 40"]],
    [
      "a hold that was released in vain",
      [...whole, answer("1-cancel-5")],
      { ...other, reference: "1-cancel-5" },
      ["1-cancel-5 40"]
    ],
    ["no reversal that nobody asked for", whole, other, []],
    ["no reversal of which something else was said", [...whole, answer("1-refund-6")], other, []],
    ["no reversal that was declined", madeInVain, { ...other, result: "declined" }, []],
    ["no reversal in another currency", madeInVain, { ...other, currency: "EUR" }, []],
    ["no reversal of a request that is under way", [...madeInVain, request], other, []],
    [
      "no other booking",
      [...whole, answer("1-capture-5")],
      { ...other, reference: "1-capture-5", kind: "capture" },
      []
    ],
    ["no reversal of an order that is not known", madeInVain, { ...other, reference: "9-refund-5" }, []]
  ]
  it.effect.each(cases)("%s", ([, rows, booking, expected]) =>
    Effect.gen(function* () {
      const { contradictions, reversals } = yield* run({ rows, bank: [booking] })
      assert.deepStrictEqual([...contradictions, ...reversals], [...expected])
    })
  )
})

describe("in the totals of one order the parity check finds", () => {
  const look = Decision.append(Job, item({ itemId: "rail:4", kind: "rail", subject: "4" }))
  const late = { paidMinor: 10_000, refusedLateMinor: 10_000 }
  const output = { source: "bank", reference: "1-capture-1", verdict: "approved", amountMinor: 500 } as const
  const task = (orderId: string) =>
    Decision.append(BankTask, { ...Unexpected.taskOf({ ...order, orderId }, output, false, 1), state: "reversed" })
  const hold = Decision.append(BankTask, {
    ...HoldTask.opened(order, "1-cancel-1", 1),
    ...{ state: "closed", closedBy: "gateway" }
  })
  const twice = { ...totals, capturedMinor: 10_500, refundedMinor: 500 }
  const differs = ["order 1: captured at the bank: 10000, 10500", "order 1: refunded at the bank: 0, 500"]
  check([
    ["nothing wrong", { rows: whole, bank: [], totals }, []],
    ["what only the bank did", { rows: whole, bank: [], totals: twice }, differs],
    ["nothing that was given back", { rows: [...whole, task("1")], bank: [], totals: twice }, []],
    [
      "what only the bank did, though it has released a hold",
      { rows: [...whole, hold], bank: [], totals: twice },
      differs
    ],
    ["what was given back for another order", { rows: [...whole, task("5")], bank: [], totals: twice }, differs],
    [
      "nothing wrong with the rail, nor anything of the rail's in a sale",
      { rows: [...payouts, ...whole], rail: [], railTotals },
      []
    ],
    [
      "a refusal that nobody will hear of",
      { rows: payouts, rail: [], railTotals: late },
      ["order 3: refused late by the rail: 0, 10000"]
    ],
    [
      "nothing in a refusal that a person has settled",
      { rows: [...payouts, task("3")], rail: [], railTotals: late },
      []
    ],
    ["nothing in a refusal that is still asked about", { rows: [...payouts, look], rail: [], railTotals: late }, []]
  ])
})

describe("of a period the parity check finds", () => {
  const period = { fromMs: 40 * hourMs, toMs: 60 * hourMs }
  const wrong = [
    "order 1: shop/7/USD/merchant_settlement: 10000, 0",
    "order 1: shop/7/USD/acquirer_receivable: -10000, 0"
  ]
  const at = (createdAtMs: number) => [Decision.append(Order, { ...order, createdAtMs })]
  const older = at(1)
  const imported = (atMs: number) => {
    const row = Adoption.rowOf("bank", { ...listed, reference: "9-sale-0", atMs }, "shop", 1)
    return { rows: [Decision.append(BankBooking, row)], period }
  }
  const strange = ["booking 9-sale-0 at the bank: an order, sale of 100.00 USD"]
  const edge = (acceptedAtMs: number) => ({
    rows: [Decision.append(Order, order), Decision.append(OrderRequest, { ...creation, acceptedAtMs }), ...booked],
    bank: [],
    period
  })
  const unlisted = ["booking 1-sale-0 at the bank: approved, no such booking"]
  check([
    ["an order that was created in it", { rows: at(period.fromMs), period }, wrong],
    ["an order that was created last in it", { rows: at(period.toMs - 1), period }, wrong],
    ["no order from before it", { rows: at(period.fromMs - 1), period }, []],
    ["no order from after it", { rows: at(period.toMs), period }, []],
    [
      "an older order that was booked in it",
      { rows: [...older, Decision.append(OrderRequest, creation)], bank: [listed], period },
      wrong
    ],
    [
      "no order of a booking that has none",
      { rows: [], bank: [{ ...listed, reference: "x" }], period },
      ["booking x at the bank: an order, sale of 100.00 USD"]
    ],
    [
      "a booking whose order is not here",
      { rows: [], bank: [listed], period },
      ["booking 1-sale-0 at the bank: an order, sale of 100.00 USD"]
    ],
    ["an imported booking in it", imported(period.fromMs), strange],
    ["no imported booking from before it", imported(period.fromMs - 1), []],
    ["no imported booking from after it", imported(period.toMs), []],
    ["what is not listed, an hour within it", edge(period.fromMs + hourMs), unlisted],
    ["nothing that may be listed before it", edge(period.fromMs + hourMs - 1), []],
    ["nothing that may be listed after it", edge(period.toMs - hourMs), []]
  ])

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
