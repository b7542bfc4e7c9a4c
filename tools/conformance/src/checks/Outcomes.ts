/**
 * Checks of what the bank's answers lead to: final statuses, outcomes that stay open, and what the passage of time may change.
 */
import * as Money from "@pay/schema/Money"
import type * as PayApi from "@pay/schema/PayApi"
import { Effect } from "effect"
import * as Capability from "../Capability.ts"
import * as Check from "../Check.ts"
import * as Expect from "../Expect.ts"
import { advance } from "../Gateway.ts"
import * as Orders from "../Orders.ts"
import * as Samples from "../Samples.ts"
import type { CardRole } from "../Settings.ts"

const silent = "docs/assumptions.md#calls-to-the-bank"
const statuses = "docs/assumptions.md#statuses"

const ends = (name: PayApi.Name, role: CardRole, expected: string): Check.Check =>
  Check.make({
    id: `outcome/${name.toLowerCase()}-${role}`,
    title: `${name.toLowerCase()} with the card "${role}" ends ${expected}`,
    clause: expected === "approved" ? "docs/specification.md#transactions" : statuses,
    needs: [Capability.card(role)],
    program: Effect.gen(function* () {
      const order = yield* Orders.settled(name, role, expected)
      const body = yield* Orders.status(order)
      if (expected === "approved") return
      yield* Expect.that(
        Expect.textOf(body, "error-code") !== undefined,
        `status of a ${expected} order has no error-code`
      )
    })
  })

/** Makes a sale whose outcome stays open, and waits for its status. */
const open = Effect.fnUntraced(function* (role: CardRole) {
  const order = yield* Orders.create("SALE", yield* Orders.card(role))
  const body = yield* Orders.settledOrUnknown(order)
  return { order, body }
})

const timed = (
  id: string,
  title: string,
  role: CardRole,
  program: Check.Program,
  clause: Check.Clause = silent
): Check.Check =>
  Check.make({
    id: `time/${id}`,
    title,
    clause,
    needs: [Capability.card(role), Capability.clock],
    alone: true,
    program
  })

/** Moves business time forward in steps until the order is final. */
const finalAfter = Effect.fnUntraced(function* (order: Orders.Order, by: string, times: number) {
  for (let step = 0; step < times; step += 1) {
    yield* advance(by)
    const body = yield* Orders.status(order)
    if (Orders.isFinal(body)) return body
  }
  return yield* Orders.status(order)
})

const approvedLater = (role: CardRole, what: string): Check.Check =>
  timed(
    role,
    `a payment whose ${what} is not declined, and ends approved`,
    role,
    Effect.gen(function* () {
      const { body, order } = yield* open(role)
      yield* Expect.that(
        body.status === "unknown" || body.status === "approved",
        `its status is ${String(body.status)}`
      )
      const later = yield* finalAfter(order, "1m", 12)
      yield* Expect.equal(later.status, "approved", "the status after minutes")
    })
  )

const moving: ReadonlyArray<Check.Check> = [
  timed(
    "unknown",
    "an outcome that the bank never reports stays unknown",
    "unknown",
    Effect.gen(function* () {
      const { body, order } = yield* open("unknown")
      yield* Expect.equal(body.status, "unknown", "the status")
      yield* advance("2d")
      yield* Expect.equal((yield* Orders.status(order)).status, "unknown", "the status two days later")
    })
  ),
  approvedLater("answerLost", "answer is lost"),
  approvedLater("undecided", "outcome the bank cannot report for a minute"),
  timed(
    "never-arrives",
    "a payment that never reaches the bank ends error within half an hour, and is not sent again later",
    "neverArrives",
    Effect.gen(function* () {
      const { order } = yield* open("neverArrives")
      const later = yield* finalAfter(order, "5m", 6)
      yield* Expect.equal(later.status, "error", "the status half an hour later")
    }),
    "docs/assumptions.md#calls-to-the-bank"
  ),
  timed(
    "hold",
    "an uncaptured hold lapses",
    "approved",
    Effect.gen(function* () {
      const order = yield* Orders.settled("PREAUTH")
      yield* advance("8d")
      yield* Orders.expectState(order, "approved cancel 10.42 0.00 0.00 0.00", "eight days later")
      const { reply } = yield* Orders.act("CAPTURE", order, "1.00")
      yield* Expect.refused(reply, "orderState", undefined, "a capture of a lapsed hold")
    }),
    "docs/assumptions.md#holds"
  )
]

const many = 40

export const all: ReadonlyArray<Check.Check> = [
  ends("SALE", "approved", "approved"),
  ends("PREAUTH", "approved", "approved"),
  ends("ACCOUNT_VERIFICATION", "approved", "approved"),
  ends("SALE", "declined", "declined"),
  ends("PREAUTH", "declined", "declined"),
  Check.make({
    id: "outcome/durable",
    title: `each of ${many} payments keeps its amounts after a partial capture`,
    clause: "docs/assumptions.md#calls-to-the-bank",
    needs: [Capability.amounts],
    program: Effect.forEach(
      Array.from({ length: many }, (_, index) => index),
      (index) =>
        Effect.gen(function* () {
          const order = yield* Orders.settled("PREAUTH")
          const partMinor = 100 * ((index % 9) + 1)
          const part = Money.fromMinor(partMinor, "USD")
          yield* Orders.done("CAPTURE", order, part)
          const left = Money.fromMinor(1042 - partMinor, "USD")
          yield* Orders.expectState(order, `approved capture 10.42 ${part} 0.00 ${left}`, "after a capture")
        }),
      { concurrency: 4, discard: true }
    )
  }),
  Check.make({
    id: "outcome/status-by-one-name",
    title: "status finds an order by client_orderid alone and by orderid alone",
    clause: "docs/assumptions.md#statuses",
    needs: [],
    program: Effect.gen(function* () {
      const order = yield* Orders.settled("SALE")
      for (const absent of [{ client_orderid: "" }, { orderid: "" }]) {
        const body = yield* Orders.status(order, absent)
        yield* Expect.equal(Expect.textOf(body, "paynet-order-id"), order.orderId, "paynet-order-id of the answer")
        yield* Expect.equal(
          Expect.textOf(body, "merchant-order-id"),
          order.clientOrderId,
          "merchant-order-id of the answer"
        )
      }
    })
  }),
  Check.make({
    id: "outcome/amount",
    title: "status returns the amount of a payment, and not its card number",
    clause: "docs/specification.md#resources",
    needs: [Capability.assumptions],
    program: Effect.gen(function* () {
      const order = yield* Orders.settled("SALE")
      const reply = yield* Orders.statusReply(order)
      const body = yield* Expect.accepted(reply)
      yield* Expect.equal(body.amount, Samples.amount, "the amount")
      const number = order.fields.credit_card_number ?? ""
      yield* Expect.that(!reply.text.includes(number), "the answer to status has the card number")
    })
  }),
  ...moving
]
