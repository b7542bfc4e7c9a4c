import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import { Result } from "effect"
import type { Job } from "../../src/kernel/Job.ts"
import type { RailTotals } from "../../src/orders/bank/BankBooks.ts"
import type * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { RailRequest } from "../../src/orders/record/OrderRequest.ts"
import * as PayoutAnswer from "../../src/payouts/decide/PayoutAnswer.ts"
import * as PayoutEnd from "../../src/payouts/decide/PayoutEnd.ts"
import * as PayoutPlan from "../../src/payouts/decide/PayoutPlan.ts"
import type { Payout } from "../../src/recipients/Recipient.ts"
import * as OrderComparison from "../../src/reconciliation/decide/OrderComparison.ts"
import { job, preauth, request, payout as sample } from "./Sample.ts"
import { isRow, readBy, rowsOf } from "./Written.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const callbackUrl = "https://shop.example/callback"

const order = (changes: Partial<Order> = {}): Order =>
  preauth({ kind: "payout", state: "paying", authorizedMinor: 0, bin: "", callbackUrl, ...changes })

const railRequest = (changes: Partial<RailRequest> = {}): RailRequest => ({
  ...request({ operation: "PAYOUT", sequence: 0, amountMinor: 10_000 }),
  action: "pay",
  ...changes
})

const payout = sample()

const terms = (nowMs = 2_000): PayoutAnswer.RailTimes => ({
  nowMs,
  claim: undefined,
  resubmitWithinMs: 15 * minuteMs,
  longestProcessingMs: minuteMs,
  underWayMs: Number.POSITIVE_INFINITY,
  lateRefusalAfterMs: [2 * hourMs, 24 * hourMs],
  approvalUntilMs: undefined
})

const contextOf = (
  changes: { order?: Order; request?: RailRequest; payout?: Payout; job?: Partial<Job> } = {}
): PayoutAnswer.PayoutContext => ({
  order: order(),
  request: railRequest(),
  payout,
  ...changes,
  job: job({ jobId: "rail:2", kind: "rail", ...changes.job })
})

const approved: Inquiry.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "R1" }
const declined: Inquiry.Answer = { _tag: "Declined", code: 114, message: "No account of the type requested" }

/** Returns `state progress account=minor due-in callbacks` of a decision. */
const summary = (next: Inquiry.Next, nowMs = 2_000): string => {
  const row = rowsOf(next.decision, "orders")[0]
  const ended = rowsOf(next.decision, "requests")[0]
  const booked = rowsOf(next.decision, "ledger").map(
    ({ account, minor }) => `${String(account).split("/").at(-1)}=${minor}`
  )
  const again = rowsOf(next.decision, "jobs").find(({ kind }) => kind === "rail")
  const removed = next.decision.writes.some((write) => write._tag === "Remove" && write.key[0] === "rail:2")
  return [
    row?.state ?? "same",
    ended?.progress ?? "same",
    ...booked,
    again === undefined ? (removed ? "done" : "kept") : `in ${(Number(again.dueAtMs) - nowMs) / 1000} s`,
    ...(next.resend ? ["resend"] : []),
    `${rowsOf(next.decision, "callbacks").length} callback${rowsOf(next.decision, "callbacks").length === 1 ? "" : "s"}`
  ].join(" ")
}

const release = "payout_held=-10000 payout_available=10000"
const paid = "payout_held=-10000 payout_rail=10000"

const table: ReadonlyArray<readonly [string, PayoutAnswer.PayoutContext, Inquiry.Answer, string]> = [
  ["a confirmed payment", contextOf(), approved, `paid approved ${paid} in 7200 s 1 callback`],
  ["a refused payment", contextOf(), declined, `declined declined ${release} done 1 callback`],
  ["a payment whose answer is lost", contextOf(), { _tag: "Lost" }, "unknown unknown in 5 s 0 callbacks"],
  ["a payment that was not sent", contextOf(), { _tag: "NotSent" }, "same same in 1 s 0 callbacks"],
  [
    "a payment whose recipient cannot be decrypted",
    contextOf(),
    { _tag: "Unsendable" },
    `failed error ${release} done 1 callback`
  ],
  [
    "a confirmed payment after an unknown outcome",
    contextOf({ order: order({ state: "unknown" }), request: railRequest({ progress: "unknown" }) }),
    approved,
    `paid approved ${paid} in 7200 s 1 callback`
  ],
  [
    "a payment whose outcome the rail cannot give",
    contextOf({
      order: order({ state: "unknown" }),
      request: railRequest({ progress: "unknown" }),
      job: { tries: 3 }
    }),
    { _tag: "CannotSay" },
    "unknown unknown in 3600 s 0 callbacks"
  ],
  [
    "a payment that the rail does not know yet",
    contextOf({ request: railRequest({ progress: "unknown" }), job: { startedAtMs: 1_000 } }),
    { _tag: "NotFound" },
    "unknown unknown in 5 s 0 callbacks"
  ],
  ["an approved check", check(), approved, "checked approved done 0 callbacks"],
  ["a declined check", check(), declined, `declined declined ${release} done 1 callback`],
  ...(["Lost", "NotSent", "Unsendable"] as const).map(
    (_tag) => [`a check answered with ${_tag}`, check(), { _tag }, "same same in 1 s 0 callbacks"] as const
  ),
  ["an inquiry for a late refusal, still paid", look(), approved, "same same in 86398 s 0 callbacks"],
  [
    "an inquiry for a late refusal, refused",
    look(),
    declined,
    "bounced declined payout_rail=-10000 payout_available=10000 done 1 callback"
  ],
  ["an inquiry for a late refusal, not answered", look(), { _tag: "CannotSay" }, "same same in 5 s 0 callbacks"]
]

function check(): PayoutAnswer.PayoutContext {
  return contextOf({ order: order({ state: "checking" }), request: railRequest({ action: "check" }) })
}

function look(): PayoutAnswer.PayoutContext {
  return contextOf({
    order: order({ state: "paid" }),
    request: railRequest({ progress: "approved" }),
    payout: { ...payout, paidAtMs: 0 }
  })
}

describe("the rail's answer to a payout", () => {
  for (const [name, work, answer, expected] of table) {
    it(`leads to the state and entries of the table: ${name}`, () => {
      const nowMs =
        name.startsWith("an inquiry for a late refusal") && answer._tag === "Approved" ? 2 * hourMs + 2_000 : 2_000
      const next = PayoutAnswer.decide(work, answer, terms(nowMs))
      const due = nowMs === 2_000 ? expected : expected.replace("86398", String(24 * 3600 - 2 * 3600 - 2))
      assert.strictEqual(summary(next, nowMs), due)
      assert.deepStrictEqual(next.decision.guards[0], { _tag: "LeaseIs", jobId: "rail:2", token: "mine" })
      const moved = rowsOf(next.decision, "orders")[0]
      if (moved === undefined || !isRow(moved)) return
      const booked = rowsOf(next.decision, "ledger")
      assert.strictEqual(
        booked.reduce((sum, { minor }) => sum + Number(minor), 0),
        0
      )
      assert.strictEqual(moved.version, work.order.version + 1)
    })
  }

  it("commits only to the order and the recipient that were read", () => {
    const { guards } = PayoutAnswer.decide(contextOf(), approved, terms()).decision
    const versions = guards.flatMap((guard) => (guard._tag === "VersionIs" ? [guard.entity.name] : []))
    assert.deepStrictEqual(versions, ["orders", "payouts"])
  })

  it("ends the inquiries for a late refusal after the last one", () => {
    const next = PayoutAnswer.decide(look(), approved, terms(25 * hourMs))
    assert.strictEqual(summary(next, 25 * hourMs), "same same done 0 callbacks")
  })

  it("fails a payment that the rail does not know, once it may not be sent again", () => {
    const nowMs = hourMs
    const work = contextOf({ request: railRequest({ progress: "unknown" }), job: { startedAtMs: 1_000 } })
    assert.strictEqual(
      summary(PayoutAnswer.decide(work, { _tag: "NotFound" }, terms(nowMs)), nowMs),
      `failed error ${release} done 1 callback`
    )
    const soon = 2 * minuteMs
    assert.strictEqual(
      summary(PayoutAnswer.decide(work, { _tag: "NotFound" }, terms(soon)), soon),
      `same same in ${-119} s resend 0 callbacks`
    )
  })
})

const lapse = (of: Order) =>
  PayoutEnd.giveUp(of, railRequest({ action: "check" }), "lapse", declines.lapsed, { nowMs: 5, claim: undefined })

describe("an unconfirmed payout check", () => {
  it("lapses and releases its amount, unless it is confirmed or final", () => {
    for (const state of ["checking", "checked"] as const) {
      const lapsed = lapse(order({ state }))
      assert(lapsed !== undefined)
      assert.deepStrictEqual(readBy(lapsed), ["orders 3"])
      assert.deepInclude(rowsOf(lapsed, "orders")[0], { state: "declined", errorCode: 98 })
      assert.lengthOf(rowsOf(lapsed, "callbacks"), 1)
    }
    for (const state of ["paying", "unknown", "paid", "bounced", "declined", "failed"] as const)
      assert.isUndefined(lapse(order({ state })))
  })
})

describe("payout-pay", () => {
  it("accepts a checked payout and no other order", () => {
    const states = ["registered", "checking", "checked", "paying", "unknown", "paid", "bounced", "declined"] as const
    const taken = states.filter((state) =>
      Result.isSuccess(PayoutPlan.pay(order({ state }), { nowMs: 5, approvalUntilMs: undefined }))
    )
    assert.deepStrictEqual(taken, ["checked"])
    assert.isTrue(Result.isFailure(PayoutPlan.pay(preauth(), { nowMs: 5, approvalUntilMs: undefined })))
  })

  it("states why it refuses another order", () => {
    const why = (of: Order) => {
      const refused = PayoutPlan.pay(of, { nowMs: 5, approvalUntilMs: undefined })
      return Result.isFailure(refused) ? refused.failure.message : "taken"
    }
    assert.strictEqual(why(preauth()), "Order 1 is no payout")
    assert.match(why(order({ state: "checking" })), /still being checked/)
    assert.match(why(order({ state: "paid" })), /no payout-check that waits to be paid \(approved\)/)
  })

  it.each([
    ["pays at once", undefined, "paying", false, []],
    ["waits for a second approver where the endpoint requires one", 9, "waiting", true, [9]]
  ] as const)("%s", (_, approvalUntilMs, state, waits, expires) => {
    const plan = Result.getOrThrow(PayoutPlan.pay(order({ state: "checked" }), { nowMs: 5, approvalUntilMs }))
    const decision = { guards: [], writes: plan.writes?.(railRequest()) ?? [] }
    const approvals = rowsOf(decision, "approvals").map(({ expiresAtMs }) => expiresAtMs)
    const removed = decision.writes.flatMap((write) => (write._tag === "Remove" ? write.key : []))
    assert.deepStrictEqual([plan.order.state, plan.waits, approvals], [state, waits, [...expires]])
    assert.deepStrictEqual(removed, waits ? [] : ["lapse:1"])
  })
})

const rail = { paidMinor: 0, refusedLateMinor: 0 }
const whole = { ...rail, paidMinor: 10_000 }
const back = { paidMinor: 10_000, refusedLateMinor: 10_000 }

describe("reconciliation of a payout with the rail's totals", () => {
  const rows: ReadonlyArray<readonly [string, Order["state"], RailTotals, boolean, ReadonlyArray<string>]> = [
    ["a payment that both have", "paid", whole, true, []],
    ["a payment that only the gateway has", "paid", rail, true, ["paid by the rail"]],
    ["a declined payment that the rail paid", "declined", whole, true, ["paid by the rail"]],
    ["a declined payment that the rail paid and refused late", "declined", back, true, []],
    ["a late refusal before the last inquiry", "paid", back, false, []],
    ["a late refusal after the last inquiry", "paid", back, true, ["refused late by the rail"]],
    ["a bounced payment that both have", "bounced", back, true, []],
    ["a bounced payment that only the gateway has", "bounced", whole, true, ["refused late by the rail"]],
    ["a payment with an unknown outcome", "unknown", whole, false, []]
  ]
  for (const [name, state, totals, looked, matches] of rows) {
    it(`compares ${name}`, () =>
      assert.deepStrictEqual(
        OrderComparison.ofRail(order({ state }), totals, looked).map(({ where }) => where),
        matches.map((what) => `order 1: ${what}`)
      ))
  }
})
