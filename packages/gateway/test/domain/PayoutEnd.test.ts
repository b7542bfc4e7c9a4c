/** What the end of a payout, or of its check, writes beside order and books: its recipient, its page, its next look. */
import { assert, describe, it } from "@effect/vitest"
import { declines } from "@pay/schema/Decline"
import type { HostedSession } from "../../src/hosted/HostedSession.ts"
import type { Order } from "../../src/orders/Order.ts"
import type { RailRequest } from "../../src/orders/OrderRequest.ts"
import type * as Inquiry from "../../src/orders/outcomes/Inquiry.ts"
import * as PayoutAnswer from "../../src/payouts/PayoutAnswer.ts"
import * as PayoutEnd from "../../src/payouts/PayoutEnd.ts"
import { item, payout, request, sale, session } from "./Sample.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const nowMs = 2_000
const terms: PayoutAnswer.Terms = {
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
  item: item({ itemId: "rail:2", kind: "rail" }),
  payout: payout()
})
const attempt = { ...check, requestId: "5", operation: "FORM_ATTEMPT" }
const onPage = (changes: Partial<HostedSession> = {}) => ({ form: { session: session(changes), attempt } })
const both = ["lease rail:2 mine", "orders 1 v3"]

describe("a payout that is confirmed", () => {
  it.each([
    ["is its recipient's from now on", {}, {}, ["payouts 1", "agenda rail:2"], [...both, "payouts 1 v1"]],
    ["may be to somebody whom a restored copy does not know", { payout: undefined }, {}, ["agenda rail:2"], both],
    [
      "is not asked about where the rail refuses nothing late",
      {},
      { lateRefusalAfterMs: [] },
      ["payouts 1", "-agenda rail:2"],
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
    ["before the first moment", 999, 1_000],
    ["at the first moment", 1_000, 5_000],
    ["past the first moment", 1_001, 5_000]
  ] as const)("is asked about at the next moment: looked at %s", (_, lookedAtMs, dueAtMs) => {
    const paid = { ...contextOf("paid", { ...pay, progress: "approved" }), payout: payout({ paidAtMs: 0 }) }
    const { decision } = PayoutAnswer.decide(paid, approved, { ...terms, nowMs: lookedAtMs })
    assert.strictEqual(rowsOf(decision, "agenda")[0]?.dueAtMs, dueAtMs)
  })
})

describe("a payout that is refused", () => {
  it.each([
    ["while it is checked: it does not lapse any more", "checking", check, ["-agenda lapse:1", "-agenda rail:2"]],
    ["while it is paid: nothing was to lapse", "paying", pay, ["-agenda rail:2"]]
  ] as const)("%s", (_, state, request, written) => {
    const { decision } = PayoutAnswer.decide(contextOf(state, request), declined, terms)
    assert.deepStrictEqual(keysOf(decision), ["orders 1", "requests 2", ...written])
  })

  it("for a sending that never was, does not end what is not being paid", () => {
    const next = PayoutAnswer.decide(contextOf("checked", pay), { _tag: "Unsendable" }, terms)
    assert.isTrue(next.unexpected)
    assert.deepStrictEqual(keysOf(next.decision), ["-agenda rail:2"])
  })

  it("for good, when its check was approved although it is over", () =>
    assert.isTrue(PayoutAnswer.decide(contextOf("declined", check), approved, terms).unexpected))
})

describe("what a recipient entered on a page", () => {
  const over = ["formsessions t", "-agenda session:1"]
  it.each([
    ["is paid once the rail can pay there", {}, approved, {}, "paying", ["agenda rail:2", "-agenda session:1"]],
    [
      "waits for a second person",
      {},
      approved,
      { approvalUntilMs: 9_000 },
      "waiting",
      ["-agenda rail:2", "approvals 1", "agenda lapse:1", "-agenda session:1"]
    ],
    ["may be put right", {}, declined, {}, "registered", ["requests 5", "formsessions t", "-agenda rail:2"]],
    [
      "is over with the last attempt",
      { attempts: 3 },
      declined,
      {},
      "declined",
      ["requests 5", ...over, "-agenda lapse:1", "-agenda rail:2"]
    ],
    [
      "is over when its time is",
      { expiresAtMs: nowMs },
      declined,
      {},
      "declined",
      ["requests 5", ...over, "-agenda lapse:1", "-agenda rail:2"]
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

describe("a payout that waits for a person", () => {
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
    return ended?.decision ?? { guards: [], writes: [] }
  }
  const filteredBy = "limit:amount"
  it.each([
    ["lapses", "lapse", "checked", {}, "declined", "declined", null],
    ["is refused", "reject", "waiting", {}, "declined", "declined", null],
    ["is stopped by a rule", "filter", "registered", { filteredBy }, "filtered", "filtered", filteredBy]
  ] as const)("ends when it %s", (_, event, state, more, ended, progress, rule) => {
    const decision = giveUp(event, state, more)
    assert.deepInclude(rowsOf(decision, "orders")[0], { state: ended, filteredBy: rule })
    assert.strictEqual(rowsOf(decision, "requests")[0]?.progress, progress)
  })

  it.each([
    ["has no page", undefined, []],
    ["takes its page with it", {}, ["requests 5", "formsessions t", "-agenda session:1"]],
    ["leaves a page alone that has ended", { endedAtMs: 1 }, []]
  ] as const)("and %s", (_, page, written) =>
    assert.deepStrictEqual(keysOf(giveUp("lapse", "checked", {}, page)), [
      "orders 1",
      "requests 2",
      ...written,
      "-agenda rail:2"
    ])
  )
})
