/** The rows that the end of a payout or its check writes beside order and ledger: recipient, hosted page, next inquiry. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import type { HostedSession } from "../../src/hosted/decide/HostedSession.ts"
import type * as Inquiry from "../../src/orders/decide/Inquiry.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { RailRequest } from "../../src/orders/record/OrderRequest.ts"
import * as PayoutAnswer from "../../src/payouts/decide/PayoutAnswer.ts"
import * as PayoutEnd from "../../src/payouts/decide/PayoutEnd.ts"
import { job, payout, request, sale, session } from "./Sample.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const nowMs = 2_000
const terms: PayoutAnswer.RailTimes = {
  nowMs,
  claim: undefined,
  resubmitWithinMs: 900_000,
  longestProcessingMs: 60_000,
  underWayMs: Number.POSITIVE_INFINITY,
  lateRefusalAfterMs: [1_000, 5_000],
  approvalUntilMs: undefined
}
const approved: Inquiry.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "R1" }
const declined: Inquiry.Answer = { _tag: "Declined", code: 114, message: "No account of the type requested" }

const order = (state: Order["state"]): Order => sale({ kind: "payout", state, authorizedMinor: 0, capturedMinor: 0 })
const pay: RailRequest = { ...request({ operation: "PAYOUT", sequence: 0, amountMinor: 10_000 }), action: "pay" }
const check: RailRequest = { ...pay, action: "check" }
const contextOf = (state: Order["state"], ask: RailRequest): PayoutAnswer.PayoutContext => ({
  order: order(state),
  request: ask,
  job: job({ jobId: "rail:2", kind: "rail" }),
  payout: payout()
})
const attempt = { ...check, requestId: "5", operation: "HOSTED_ATTEMPT" }
const onPage = (changes: Partial<HostedSession> = {}) => ({ form: { session: session(changes), attempt } })
const both = ["lease rail:2 mine", "orders 1 v3"]

describe("a payout that is confirmed", () => {
  it.each([
    ["is recorded with its recipient", {}, {}, ["payouts 1", "jobs rail:2"], [...both, "payouts 1 v1"]],
    ["may have a recipient that a restored copy lacks", { payout: undefined }, {}, ["jobs rail:2"], both],
    [
      "causes no inquiry at a rail without late refusals",
      {},
      { lateRefusalAfterMs: [] },
      ["payouts 1", "-jobs rail:2"],
      [...both, "payouts 1 v1"]
    ]
  ] as const)("%s", (_, changes, more, written, guards) => {
    const { decision } = PayoutAnswer.decide({ ...contextOf("paying", pay), ...changes }, approved, {
      ...terms,
      ...more
    })
    assert.deepStrictEqual(keysOf(decision), ["orders 1", "requests 2", ...written])
    assert.deepStrictEqual(guardsOf(decision), [...guards])
  })

  it.each([
    ["before the first time", 999, 1_000],
    ["at the first time", 1_000, 5_000],
    ["after the first time", 1_001, 5_000]
  ] as const)("causes its next inquiry for a late refusal at the next time: %s", (_, lookedAtMs, dueAtMs) => {
    const paid = { ...contextOf("paid", { ...pay, progress: "approved" }), payout: payout({ paidAtMs: 0 }) }
    const { decision } = PayoutAnswer.decide(paid, approved, { ...terms, nowMs: lookedAtMs })
    assert.strictEqual(rowsOf(decision, "jobs")[0]?.dueAtMs, dueAtMs)
  })
})

describe("a payout that is refused", () => {
  it.each([
    ["during its check does not lapse any more", "checking", check, ["-jobs lapse:1", "-jobs rail:2"]],
    ["during its payment had no lapse scheduled", "paying", pay, ["-jobs rail:2"]]
  ] as const)("%s", (_, state, request, written) => {
    const { decision } = PayoutAnswer.decide(contextOf(state, request), declined, terms)
    assert.deepStrictEqual(keysOf(decision), ["orders 1", "requests 2", ...written])
  })

  it("does not end because of a payment that was never sent, unless it is being paid", () => {
    const next = PayoutAnswer.decide(contextOf("checked", pay), { _tag: "Unsendable" }, terms)
    assert.isTrue(next.unexpected)
    assert.deepStrictEqual(keysOf(next.decision), ["-jobs rail:2"])
  })

  it("stays refused when its check is approved late", () =>
    assert.isTrue(PayoutAnswer.decide(contextOf("declined", check), approved, terms).unexpected))
})

describe("a payout to a recipient who answered on a hosted page", () => {
  const over = ["hostedSessions t", "-jobs session:1"]
  it.each([
    ["is paid when the rail approves the check", {}, approved, {}, "paying", ["jobs rail:2", "-jobs session:1"]],
    [
      "waits for a second approver where the endpoint requires one",
      {},
      approved,
      { approvalUntilMs: 9_000 },
      "waiting",
      ["-jobs rail:2", "approvals 1", "jobs lapse:1", "-jobs session:1"]
    ],
    [
      "allows another attempt after a decline",
      {},
      declined,
      {},
      "registered",
      ["requests 5", "hostedSessions t", "-jobs rail:2"]
    ],
    [
      "ends with the last attempt",
      { attempts: 3 },
      declined,
      {},
      "declined",
      ["requests 5", ...over, "-jobs lapse:1", "-jobs rail:2"]
    ],
    [
      "ends with the first decline after its time",
      { expiresAtMs: nowMs },
      declined,
      {},
      "declined",
      ["requests 5", ...over, "-jobs lapse:1", "-jobs rail:2"]
    ]
  ] as const)("%s", (_, changes, answer, more, state, written) => {
    const { decision } = PayoutAnswer.decide({ ...contextOf("checking", check), ...onPage(changes) }, answer, {
      ...terms,
      ...more
    })
    assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    assert.deepStrictEqual(keysOf(decision), ["orders 1", "requests 2", ...written])
  })
})

describe("a payout that waits for approval", () => {
  const reason = { code: declines.lapsed.code, message: declines.lapsed.message }
  const giveUp = (
    event: "lapse" | "reject" | "filter",
    state: Order["state"],
    more = {},
    page: Partial<HostedSession> | undefined = undefined
  ) => {
    const form = page === undefined ? undefined : onPage(page).form
    const ended = PayoutEnd.giveUp(
      order(state),
      check,
      event,
      { ...reason, ...more },
      { nowMs, claim: undefined },
      form
    )
    return ended ?? { guards: [], writes: [] }
  }
  const filteredBy = "limit:amount"
  it.each([
    ["lapses", "lapse", "checked", {}, "declined", "declined", null],
    ["is rejected", "reject", "waiting", {}, "declined", "declined", null],
    ["is stopped by a risk rule", "filter", "registered", { filteredBy }, "filtered", "filtered", filteredBy]
  ] as const)("ends when it %s", (_, event, state, more, ended, progress, rule) => {
    const decision = giveUp(event, state, more)
    assert.deepInclude(rowsOf(decision, "orders")[0], { state: ended, filteredBy: rule })
    assert.strictEqual(rowsOf(decision, "requests")[0]?.progress, progress)
  })

  it.each([
    ["it has no hosted page", undefined, []],
    ["its hosted page ends too", {}, ["requests 5", "hostedSessions t", "-jobs session:1"]],
    ["a hosted page that has ended stays as it is", { endedAtMs: 1 }, []]
  ] as const)("when it lapses: %s", (_, page, written) =>
    assert.deepStrictEqual(keysOf(giveUp("lapse", "checked", {}, page)), [
      "orders 1",
      "requests 2",
      ...written,
      "-jobs rail:2"
    ])
  )
})
