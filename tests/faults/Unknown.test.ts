/** Whatever becomes of a request and its answer on the way to the bank, the order ends as the bank has it, and never twice. */

import { assert, describe, it } from "@effect/vitest"
import { type Acquirer, AcquirerError, type Inquiry, NotSent } from "@pay/gateway/Acquirer"
import { approve, decline } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import * as TextTable from "../../packages/schema/test/TextTable.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Timeline from "./Timeline.ts"

/** The card and security code, the bookings of the bank, and the statuses of the order over time. */
const table = `
case                                                      | card           | code | at the bank                     | statuses
is approved                                               | ordinary       | 123  | authorize 1042 Approved         | 0s approved
is approved once if the request arrives twice             | arrives-twice  | 123  | authorize 1042 Approved again 1 | 0s approved
is found approved 5 s after the answer was lost           | answer-lost    | 123  | authorize 1042 Approved         | 0s unknown, 4s unknown, 5s approved
is found declined 5 s after the answer was lost           | answer-lost    | 116  | authorize 1042 Declined         | 0s unknown, 4s unknown, 5s declined
is found approved once the bank has decided               | undecided      | 123  | authorize 1042 Approved         | 0s unknown, 334s unknown, 335s approved
is found approved if the request arrives late             | arrives-late   | 123  | authorize 1042 Approved         | 0s unknown, 34s unknown, 35s approved
is sent again after a minute if the request was lost      | lost-once      | 123  | authorize 1042 Approved         | 0s unknown, 59s unknown, 60s approved
fails after 15 minutes if every request is lost           | lost-always    | 123  |                                 | 0s unknown, 15min unknown, 16min error, 1d error
is sent again after 3 s if the bank was unreachable twice | not-sent-twice | 123  | authorize 1042 Approved         | 0s processing, 2s processing, 3s approved
fails after 15 minutes if the bank is unreachable         | not-sent       | 123  |                                 | 0s processing, 15min processing, 16min error, 1d error
stays unknown while the bank cannot say                   | ordinary       | 217  | authorize 1042 Approved         | 0s unknown, 1h unknown, 1d unknown, 30d unknown
`
const [, ...rows] = TextTable.rows(table)

describe.each(["SALE", "PREAUTH"] as const)("the outcome of a %s", (name) => {
  for (const [title = "", card = "", cvv2 = "", bank, statuses = ""] of rows)
    it.live(title, () =>
      Effect.gen(function* () {
        const order = yield* ClientMerchant.create(name, { card, cvv2 })
        const look = Effect.gen(function* () {
          const { status, ...displayed } = yield* ClientMerchant.status(order)
          const approved = status === "approved"
          assert.deepStrictEqual(
            yield* ClientMerchant.booked(order),
            approved ? [`${name === "SALE" ? "sale" : "hold"} 1042`] : []
          )
          assert.strictEqual(displayed["authorized-amount"], approved ? "10.42" : "0.00")
          return status
        })
        yield* Timeline.follow(statuses, look)
        assert.deepStrictEqual((yield* ClientMerchant.atBank(order)).join(), bank)
        yield* ClientMerchant.allIsWell
      }).pipe(Effect.provide(World.layer(), { local: true }))
    )
})

/** The follow-up at the bank, the order's type if it is approved and if not, and the books before and after it. */
const followUps = [
  ["PREAUTH", "CAPTURE", "capture", "capture", "preauth", "hold 1042", "hold 1042,capture 1042,capture 1042"],
  ["PREAUTH", "VOID", "void", "cancel", "preauth", "hold 1042", "hold 1042,void 1042"],
  ["PREAUTH", "RETURN", "void", "cancel", "preauth", "hold 1042", "hold 1042,void 1042"],
  ["SALE", "RETURN", "refund", "reversal", "sale", "sale 1042", "sale 1042,refund 1042"]
] as const

for (const [creation, name, kind, type, otherType, booked, bookedAfter] of followUps)
  Deliveries.tests(`the outcome of a ${name} of a ${creation}`, (delivery, statuses) =>
    Effect.gen(function* () {
      const { forOrder } = yield* SandboxControl
      const order = yield* ClientMerchant.create(creation)
      yield* World.settled
      yield* forOrder(order.orderid, kind, delivery)
      const followUp = yield* ClientMerchant.act(name, order)
      const look = Effect.gen(function* () {
        const request = yield* ClientMerchant.statusOf(followUp)
        const { status, "transaction-type": displayedType } = yield* ClientMerchant.status(order)
        const moves = request.status === "processing" || request.status === "unknown"
        const done = request.status === "approved"
        assert.strictEqual(displayedType, moves || done ? type : otherType)
        assert.strictEqual(status, moves ? request.status : "approved")
        assert.strictEqual((yield* ClientMerchant.booked(order)).join(), done ? bookedAfter : booked)
        return request.status
      })
      yield* Timeline.follow(statuses, look)
      const bookings = (yield* ClientMerchant.atBank(order)).filter((booking) => booking.startsWith(kind))
      assert.isAtMost(bookings.length, 1)
      yield* ClientMerchant.allIsWell
    })
  )

describe("a payment that the bank cannot decide", () => {
  it.live("is inquired about after 5 s, 30 s, 5 min, 1 h, then daily", () => {
    const askedAtMs: Array<number> = []
    const spoilBank = (bank: Acquirer["Service"]) => ({
      ...bank,
      inquire: (inquiry: Inquiry) =>
        Effect.tap(bank.inquire(inquiry), () =>
          Effect.map(Clock.currentTimeMillis, (nowMs) => askedAtMs.push(nowMs / 1000))
        )
    })
    return Effect.gen(function* () {
      const startSeconds = (yield* Clock.currentTimeMillis) / 1000
      yield* ClientMerchant.create("SALE", { cvv2: "217" })
      yield* World.pass("5 days")
      const delays = askedAtMs.map((at, n) => at - (askedAtMs[n - 1] ?? startSeconds))
      assert.deepStrictEqual(delays, [5, 30, 300, 3600, 86_400, 86_400, 86_400, 86_400])
    }).pipe(Effect.provide(World.layer({ spoilBank }), { local: true }))
  })

  it.live.each([
    { verdict: approve, status: "approved", books: "sale 1042" },
    { verdict: decline(declines.notSufficientFunds), status: "declined", books: "" }
  ])("ends $status when the bank decides, however late", ({ books, status, verdict }) =>
    Effect.gen(function* () {
      const { settle } = yield* SandboxControl
      const order = yield* ClientMerchant.create("SALE", { cvv2: "217" })
      yield* World.pass("20 days")
      yield* settle(`${order.orderid}-sale-0`, verdict)
      yield* World.pass("1 day")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, status)
      assert.strictEqual((yield* ClientMerchant.booked(order)).join(), books)
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )

  const failures = [
    { how: "cannot be sent", inquire: Effect.fail(new AcquirerError({ reason: new NotSent({ message: "no line" }) })) },
    { how: "dies", inquire: Effect.die("a defect of the adapter") }
  ]
  it.live.each(failures)("stays unknown after an inquiry that $how, and is not sent again", ({ inquire }) =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE", { card: "answer-lost" })
      const look = Effect.map(ClientMerchant.status(order), ({ status }) => status)
      yield* Timeline.follow("0s unknown, 5s unknown, 35s unknown, 16min unknown, 5d unknown", look)
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
    }).pipe(
      Effect.provide(World.layer({ spoilBank: (bank) => ({ ...bank, inquire: () => inquire }) }), { local: true })
    )
  )

  it.live("is inquired about after an answer that takes longer than the deadline", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE", { card: "too-slow" })
      yield* World.settled
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "unknown")
      yield* World.pass("10 seconds")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer({ wall: "running", bank: { deadlineMs: 100 } }), { local: true }))
  )
})
