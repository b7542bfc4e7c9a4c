/** Whatever becomes of a request and its answer on the way to the bank, the order ends as the bank has it, and never twice. */

import { assert, describe, it } from "@effect/vitest"
import { type Acquirer, AcquirerError, NotSent } from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/Booking"
import { approve, decline, type Kind, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as Timeline from "./Timeline.ts"

const authorisations = [
  { card: "ordinary", cvv2: "123", bank: "authorize 1042 Approved", observed: "0s approved" },
  { card: "arrives-twice", cvv2: "123", bank: "authorize 1042 Approved again 1", observed: "0s approved" },
  {
    card: "answer-lost",
    cvv2: "123",
    bank: "authorize 1042 Approved",
    observed: "0s unknown, 4s unknown, 5s approved"
  },
  {
    card: "answer-lost",
    cvv2: "116",
    bank: "authorize 1042 Declined",
    observed: "0s unknown, 4s unknown, 5s declined"
  },
  {
    card: "undecided",
    cvv2: "123",
    bank: "authorize 1042 Approved",
    observed: "0s unknown, 334s unknown, 335s approved"
  },
  {
    card: "arrives-late",
    cvv2: "123",
    bank: "authorize 1042 Approved",
    observed: "0s unknown, 34s unknown, 35s approved"
  },
  {
    card: "lost-once",
    cvv2: "123",
    bank: "authorize 1042 Approved",
    observed: "0s unknown, 59s unknown, 60s approved"
  },
  { card: "lost-always", cvv2: "123", bank: "", observed: "0s unknown, 15min unknown, 16min error, 1d error" },
  {
    card: "not-sent-twice",
    cvv2: "123",
    bank: "authorize 1042 Approved",
    observed: "0s processing, 2s processing, 3s approved"
  },
  { card: "not-sent", cvv2: "123", bank: "", observed: "0s processing, 15min processing, 16min error, 1d error" },
  {
    card: "ordinary",
    cvv2: "217",
    bank: "authorize 1042 Approved",
    observed: "0s unknown, 1h unknown, 1d unknown, 30d unknown"
  }
] as const

describe.each(["SALE", "PREAUTH"] as const)("the outcome of a %s", (name) => {
  it.live.each(authorisations)("card $card, code $cvv2: $observed", ({ bank, card, cvv2, observed }) =>
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
      yield* Timeline.follow(observed, look)
      assert.deepStrictEqual((yield* ClientMerchant.atBank(order)).join(), bank)
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )
})

interface UnusualDelivery {
  readonly says: string
  readonly plan: Scenario
  /** The statuses of the request over time. */
  readonly observed: string
}

const deliveries: ReadonlyArray<UnusualDelivery> = [
  { says: "declined", plan: { verdict: decline(declines.doNotHonour) }, observed: "0s declined" },
  { says: "arrives twice", plan: { delivery: { _tag: "ArrivesTwice" } }, observed: "0s approved" },
  { says: "answer lost", plan: { delivery: { _tag: "AnswerLost" } }, observed: "0s unknown, 4s unknown, 5s approved" },
  {
    says: "undecided for 60 s",
    plan: { delivery: { _tag: "Undecided", forMs: 60_000 } },
    observed: "0s unknown, 334s unknown, 335s approved"
  },
  {
    says: "arrives 20 s late",
    plan: { delivery: { _tag: "ArrivesLate", afterMs: 20_000 } },
    observed: "0s unknown, 34s unknown, 35s approved"
  },
  {
    says: "lost once",
    plan: { delivery: { _tag: "NeverArrives", times: 1 } },
    observed: "0s unknown, 59s unknown, 60s approved"
  },
  {
    says: "lost always",
    plan: { delivery: { _tag: "NeverArrives" } },
    observed: "0s unknown, 15min unknown, 16min error"
  },
  {
    says: "not sent twice",
    plan: { delivery: { _tag: "NotSent", times: 2 } },
    observed: "0s processing, 2s processing, 3s approved"
  },
  {
    says: "not sent",
    plan: { delivery: { _tag: "NotSent" } },
    observed: "0s processing, 15min processing, 16min error"
  },
  { says: "never decided", plan: { delivery: { _tag: "Undecided" } }, observed: "0s unknown, 1d unknown, 8d unknown" }
]

interface FollowUp {
  readonly creation: "SALE" | "PREAUTH"
  readonly name: "CAPTURE" | "VOID" | "RETURN"
  readonly kind: Kind
  /** What the order says it is: while the request moves, after it was approved, and if it was not. */
  readonly types: readonly [moving: string, done: string, otherwise: string]
  readonly books: readonly [before: string, done: string]
}

const followUps: ReadonlyArray<FollowUp> = [
  {
    creation: "PREAUTH",
    name: "CAPTURE",
    kind: "capture",
    types: ["capture", "capture", "preauth"],
    books: ["hold 1042", "hold 1042,capture 1042,capture 1042"]
  },
  {
    creation: "PREAUTH",
    name: "VOID",
    kind: "cancel",
    types: ["cancel", "cancel", "preauth"],
    books: ["hold 1042", "hold 1042,release 1042"]
  },
  {
    creation: "PREAUTH",
    name: "RETURN",
    kind: "cancel",
    types: ["cancel", "cancel", "preauth"],
    books: ["hold 1042", "hold 1042,release 1042"]
  },
  {
    creation: "SALE",
    name: "RETURN",
    kind: "refund",
    types: ["reversal", "reversal", "sale"],
    books: ["sale 1042", "sale 1042,refund 1042"]
  }
]

describe.each(followUps)("the outcome of a $name of a $creation", ({ books, creation, kind, name, types }) => {
  it.live.each(deliveries)("$says: $observed", ({ plan, observed }) =>
    Effect.gen(function* () {
      const { forOrder } = yield* SandboxControl
      const order = yield* ClientMerchant.create(creation)
      yield* World.settled
      yield* forOrder(order.orderid, kind, plan)
      const question = yield* ClientMerchant.act(name, order)
      const look = Effect.gen(function* () {
        const request = yield* ClientMerchant.statusOf(question)
        const { status, "transaction-type": type } = yield* ClientMerchant.status(order)
        const moves = request.status === "processing" || request.status === "unknown"
        const done = request.status === "approved"
        assert.strictEqual(type, types[moves ? 0 : done ? 1 : 2])
        assert.strictEqual(status, moves ? request.status : "approved")
        assert.strictEqual((yield* ClientMerchant.booked(order)).join(), books[done ? 1 : 0])
        return request.status
      })
      yield* Timeline.follow(observed, look)
      const bookings = (yield* ClientMerchant.atBank(order)).filter((booking) => booking.startsWith(kind))
      assert.isAtMost(bookings.length, 1)
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )
})

describe("a payment that the bank cannot decide", () => {
  it.live("is inquired about after 5 s, 30 s, 5 min, 1 h, then daily", () => {
    const askedAtMs: Array<number> = []
    const spoilBank = (bank: Acquirer["Service"]) => ({
      ...bank,
      inquire: (reference: AttemptReference) =>
        Effect.tap(bank.inquire(reference), () =>
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
