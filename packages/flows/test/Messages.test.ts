/** Tests what a person reads in each error of a flow, and whether the flow may be run again. */
import { assert, describe, it } from "@effect/vitest"
import * as FlowError from "../src/order/FlowError.ts"
import type { OrderStatus } from "../src/order/OrderStatus.ts"

const about = { clientOrderId: "order-1", evidence: [] }
const order: OrderStatus = { clientOrderId: "order-1", orderId: "7", status: "declined" }
const ended = { ...about, order }
const reason = "Not sufficient funds"
const sale = { ...about, operation: "SALE" }
const problem = { field: "amount", code: 1, message: "amount is required" }
const flow = "CardSale"
const anotherTry = "If the customer tries again, give the payment a clientOrderId of its own"

const {
  Abandoned,
  Declined,
  Failed,
  Filtered,
  NeedsAPerson,
  NeverHappened,
  NotAccepted,
  NotAuthenticated,
  PayloadDiffers,
  PayloadInvalid,
  StillUnknown,
  StorageFailed,
  Unreachable
} = FlowError

const rows: ReadonlyArray<
  readonly [error: FlowError.FlowError | FlowError.ExecuteError, retryable: boolean, message: string]
> = [
  [new Declined({ ...ended, reason, hard: false }), false, `order-1 was declined: Not sufficient funds. ${anotherTry}`],
  [
    new Declined({ ...ended, reason: "Stolen card.", hard: true }),
    false,
    "order-1 was declined: Stolen card. Do not use this card again"
  ],
  [
    new Filtered({ ...ended, reason: "over the limit" }),
    false,
    "order-1 was filtered: over the limit. Do not retry it automatically"
  ],
  [new NotAuthenticated(ended), false, `order-1: the cardholder was not authenticated. ${anotherTry}`],
  [new Abandoned(ended), false, `order-1 was abandoned by the customer. ${anotherTry}`],
  [
    new Failed({ ...ended, reason: "error" }),
    false,
    "order-1 failed: error. Try again later: give the payment a clientOrderId of its own"
  ],
  [
    new NotAccepted({ ...sale, status: 400, reason: "the amount is too large", problems: [] }),
    false,
    "SALE of order-1 was not accepted: the amount is too large. Nothing was done: correct it and run it again"
  ],
  [
    new NotAccepted({ ...sale, code: 51, reason: "the gateway has 2.00 USD under this clientOrderId", problems: [] }),
    false,
    "SALE of order-1 was not accepted: the gateway has 2.00 USD under this clientOrderId. Give another payment a clientOrderId of its own; ask for the status to see the order that has this one"
  ],
  [
    new NotAccepted({ ...sale, status: 429, reason: "too many requests", problems: [], retryAfterMs: 1500 }),
    true,
    "SALE of order-1 was not accepted: too many requests. Nothing was done: run it again after 2 s"
  ],
  [
    new NotAccepted({ ...sale, status: 429, reason: "too many requests", problems: [] }),
    true,
    "SALE of order-1 was not accepted: too many requests. Nothing was done: run it again later"
  ],
  [
    new Unreachable({ ...sale, code: "ECONNREFUSED" }),
    true,
    "SALE of order-1 was not sent (ECONNREFUSED): no program listens at the gateway's address: check the host and the port of baseUrl. Run it again"
  ],
  [
    new NeverHappened({ ...sale, missing: "cvv2" }),
    true,
    "SALE of order-1 never happened: the gateway has no such order. Run it again with cvv2, without which it cannot be sent"
  ],
  [
    new StillUnknown({ ...sale, order: { ...order, status: "processing" } }),
    true,
    "the outcome of SALE of order-1 is still unknown. The order 7 is processing. Run it again to continue asking"
  ],
  [
    new NeedsAPerson({ ...sale, reason: "the gateway reports the amount 10.42 USD, and 1.00 USD was requested" }),
    false,
    "SALE of order-1 needs a person: the gateway reports the amount 10.42 USD, and 1.00 USD was requested. Compare it with the gateway before you pay, refund or deliver anything"
  ],
  [
    new PayloadInvalid({ flow, problems: [problem] }),
    false,
    "CardSale was not executed: amount is required. Correct the payload"
  ],
  [
    new PayloadDiffers({ flow, id: "CardSale/order-1" }),
    false,
    "CardSale/order-1 was executed with another payload: give the new one a name of its own, or execute the first payload"
  ],
  [
    new StorageFailed({ flow, reason: "database or disk is full" }),
    true,
    "CardSale cannot be stored: database or disk is full. Run it again"
  ]
]

describe("an error of a flow says what to do", () => {
  it.each(rows)("$_tag", (error, retryable, message) => {
    assert.deepStrictEqual([error.message, error.retryable], [message, retryable])
  })
  it("in each of its kinds", () => {
    const all = [...FlowError.FlowError.members, ...FlowError.ExecuteError.members].map(({ identifier }) => identifier)
    assert.sameMembers([...new Set(rows.map(([{ _tag }]) => _tag))], all)
  })
})
