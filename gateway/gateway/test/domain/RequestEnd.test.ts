/** The rows that a bank's answer writes beside order, request and ledger: holds, CVVs, hosted pages, lists of amounts, schedules. */
import { assert, describe, it } from "@effect/vitest"
import * as HostedAttempt from "../../src/hosted/decide/HostedAttempt.ts"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import * as Jobs from "../../src/kernel/Jobs.ts"
import type * as AmountAttempts from "../../src/orders/decide/AmountAttempts.ts"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import * as HoldTask from "../../src/orders/decide/HoldTask.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { BankRequest } from "../../src/orders/record/OrderRequest.ts"
import * as BillingOutcome from "../../src/recurring/decide/BillingOutcome.ts"
import { VelocityCounter } from "../../src/risk/Risk.ts"
import {
  eligibility,
  job,
  occurrence,
  preauth,
  request,
  sale,
  session,
  subscription,
  transfer,
  verification
} from "./Sample.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const dayMs = 86_400_000
const nowMs = 2_000
const claim = { token: "next", leaseUntilMs: 90_000 }
const terms = {
  nowMs,
  claim: undefined,
  holdMs: 7 * dayMs,
  resubmitWithinMs: 900_000,
  longestProcessingMs: 60_000,
  underWayMs: Number.POSITIVE_INFINITY
}

const approved: CardAnswer.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
const soft: CardAnswer.Answer = { _tag: "Declined", code: 116, message: "Not sufficient funds" }
const hard: CardAnswer.Answer = { _tag: "Declined", code: 209, message: "Stolen card" }

const decide = (
  context: Omit<CardAnswer.OutcomeContext, "job">,
  answer: CardAnswer.Answer,
  changes: Partial<CardAnswer.CardTimes> = {}
) => CardAnswer.decide({ ...context, job: job({ tries: 3 }) }, answer, { ...terms, ...changes })

const authorizing = { state: "authorizing", capturedMinor: 0, authorizedMinor: 0 } as const
const creation = (action: BankRequest["action"], amountMinor = 10_000): BankRequest =>
  request({ operation: action.toUpperCase(), action, sequence: 0, amountMinor })

describe("an approval", () => {
  const holdUntilMs = nowMs + 7 * dayMs
  const withoutHold = { ...authorizing, amountMinor: 100 }
  const cases: ReadonlyArray<
    readonly [kind: string, Order, BankRequest["action"], reserved: number, captured: number, until: number | null]
  > = [
    ["captures a sale", sale(authorizing), "sale", 10_000, 10_000, null],
    ["holds the amount of a preauth until it lapses", preauth(authorizing), "authorize", 10_000, 0, holdUntilMs],
    ["captures a transfer", transfer(authorizing), "transfer", 10_000, 10_000, null],
    ["holds no money for a verification", verification(withoutHold), "verify", 0, 0, null],
    ["holds no money for an eligibility inquiry", eligibility(withoutHold), "eligibility", 0, 0, null]
  ]
  it.each(cases)("%s", (_, order, action, authorizedMinor, capturedMinor, until) => {
    const { decision } = decide({ order, request: creation(action, order.amountMinor) }, approved)
    const expected = { authorizedMinor, capturedMinor, holdUntilMs: until }
    assert.deepInclude(rowsOf(decision, "orders")[0], expected)
    assert.deepStrictEqual(
      rowsOf(decision, "jobs").map(({ dueAtMs, jobId }) => `${jobId} ${dueAtMs}`),
      until === null ? [] : [`lapse:1 ${until}`]
    )
    assert.strictEqual(rowsOf(decision, "ledger").length > 0, authorizedMinor > 0)
  })
})

describe("the callbacks about a payment that was charged back before its outcome", () => {
  const order = sale({ ...authorizing, chargedBackMinor: 4_000, notifyUrl: "https://shop.example/notify" })
  it.each([
    ["follow its approval", approved, ["sale approved 100.00", "chargeback approved 40.00"]],
    ["are none if it is declined", soft, ["sale declined 100.00"]]
  ] as const)("%s", (_, answer, expected) => {
    const { decision } = decide({ order, request: creation("sale") }, answer)
    const sent = rowsOf(decision, "callbacks").map(({ query }) => new URLSearchParams(String(query)))
    assert.deepStrictEqual(
      sent.map((fields) => ["type", "status", "amount"].map((name) => fields.get(name)).join(" ")),
      [...expected]
    )
  })
})

describe("the hold of a preauth", () => {
  const written = (order: Partial<Order>, changes: Partial<BankRequest>, answer: CardAnswer.Answer) =>
    keysOf(decide({ order: preauth({ inFlightCount: 1, ...order }), request: request(changes) }, answer).decision)
  const rows = ["orders 1", "requests 2"]
  const voiding = { operation: "VOID", action: "void", amountMinor: 10_000 } as const
  const lapsing = { ...voiding, operation: "LAPSE" } as const

  it.each([
    ["continues after a partial capture", {}, { amountMinor: 4_000 }, approved, ["-jobs bank:2"]],
    ["ends when all of it is captured", {}, { amountMinor: 10_000 }, approved, ["-jobs lapse:1", "-jobs bank:2"]],
    ["ends when it is released", { voiding: 1 }, voiding, approved, ["-jobs lapse:1", "-jobs bank:2"]],
    ["continues when its void is declined", { voiding: 1 }, voiding, soft, ["-jobs bank:2"]],
    [
      "is scheduled to lapse again when its lapse is declined",
      { voiding: 1 },
      lapsing,
      soft,
      ["jobs lapse:1", "bankTasks 1-hold.declined", "-jobs bank:2"]
    ]
  ] as const)("%s", (_, order, changes, answer, expected) =>
    assert.deepStrictEqual(written(order, changes, answer), [...rows, ...expected])
  )

  const over = { holdUntilMs: nowMs } as const
  it.each([
    ["its time is over: yes", over, { amountMinor: 4_000 }, soft, true],
    ["its time is not over: no", { holdUntilMs: nowMs + 1 }, { amountMinor: 4_000 }, soft, false],
    ["it has no time limit: no", { holdUntilMs: null }, { amountMinor: 4_000 }, soft, false],
    ["all of it is captured: no", over, { amountMinor: 10_000 }, approved, false],
    ["another capture is under way: no", { ...over, capturingMinor: 9_000 }, { amountMinor: 4_000 }, soft, false],
    ["it is released: no", { ...over, voiding: 1 }, voiding, approved, false]
  ] as const)("lapses at once when its last open request ends: %s", (_, order, changes, answer, lapses) => {
    const { decision } = decide(
      {
        order: preauth({ capturingMinor: changes.amountMinor, inFlightCount: 1, ...order }),
        request: request(changes)
      },
      answer
    )
    const due = rowsOf(decision, "jobs").filter(({ kind }) => kind === "lapse")
    assert.deepStrictEqual(
      due.map(({ dueAtMs, token }) => [dueAtMs, token]),
      lapses ? [[nowMs, null]] : []
    )
  })

  const refusals: ReadonlyArray<readonly [what: string, opened: boolean, answer: CardAnswer.Answer, tasks: number]> = [
    ["has a task for an operator after the first declined release", false, soft, 1],
    ["has no second task after a further declined release", true, soft, 0],
    ["has no task for a release that was never sent", false, { _tag: "Unsendable" }, 0],
    ["has no second task for a release that was never sent after a declined one", true, { _tag: "Unsendable" }, 0]
  ]
  it.each(refusals)("%s", (_, isOpened, answer, tasks) => {
    const order = preauth({ ...over, voiding: 1, inFlightCount: 1, callbackUrl: "https://shop.example/callback" })
    const hold = isOpened ? HoldTask.opened(order, "1-void-1", 1) : undefined
    const { decision, task } = decide({ order, request: request(lapsing), hold }, answer)
    assert.lengthOf(rowsOf(decision, "bankTasks"), tasks)
    assert.strictEqual(task === undefined ? 0 : 1, tasks)
    assert.lengthOf(rowsOf(decision, "callbacks"), isOpened ? 0 : 1)
    assert.strictEqual(rowsOf(decision, "orders")[0]?.version, order.version + 1)
  })

  it("closes its task, at the version that was read, when it is released", () => {
    const order = preauth({ ...over, voiding: 1, inFlightCount: 1, callbackUrl: "https://shop.example/callback" })
    const hold = HoldTask.opened(order, "1-void-1", 1)
    const { decision } = decide({ order, request: request(lapsing), hold }, approved)
    assert.lengthOf(rowsOf(decision, "callbacks"), 1)
    assert.strictEqual(rowsOf(decision, "bankTasks")[0]?.state, "closed")
    assert.include(guardsOf(decision), "bankTasks 1-hold.declined v1")
  })

  it("is released again a day after its lapse was declined", () => {
    const order = preauth({ ...over, voiding: 1, inFlightCount: 1 })
    const { decision } = decide({ order, request: request(lapsing) }, soft)
    const due = rowsOf(decision, "jobs").map(({ dueAtMs }) => dueAtMs)
    assert.deepStrictEqual(due, [nowMs + dayMs])
  })

  it.each([
    ["and the return is declined if nothing was captured", 0, "declined"],
    ["and the return is approved if a part was refunded before", 6_000, "approved"]
  ] as const)("stays when the bank declines the release of a return, %s", (_, capturedMinor, progress) => {
    const order = preauth({ capturedMinor, refundedMinor: capturedMinor, voiding: 1, inFlightCount: 1 })
    const { decision } = decide({ order, request: request({ operation: "RETURN", action: "void" }) }, soft)
    assert.strictEqual(rowsOf(decision, "requests")[0]?.progress, progress)
  })
})

describe("a CVV", () => {
  it.each([
    ["is erased when its order has a final status", { order: sale(authorizing), request: creation("sale") }, true],
    ["is not erased by a refund", { order: sale(), request: request({ action: "refund" }) }, false]
  ] as const)("%s", (_, context, isErased) =>
    assert.strictEqual(keysOf(decide(context, soft).decision).includes("-cvvs 1"), isErased)
  )
})

describe("the release of a hold after the refund of a whole return", () => {
  const context = {
    order: preauth({ capturedMinor: 6_000, refundingMinor: 6_000, voiding: 1, inFlightCount: 1 }),
    request: request({ operation: "RETURN", action: "refundThenVoid", amountMinor: 6_000 })
  }
  const free = { openAttempts: 0, startedAtMs: null, token: null, leaseUntilMs: 0 }
  const mine = { openAttempts: 1, startedAtMs: nowMs, token: "next", leaseUntilMs: 90_000 }
  it.each([
    ["is started by a process that takes jobs", claim, mine, 1],
    ["waits for the scheduler in a process that takes no jobs", undefined, free, 0]
  ] as const)("%s", (_, newClaim, lease, startedCount) => {
    const { decision } = decide(context, approved, { claim: newClaim })
    assert.deepInclude(rowsOf(decision, "jobs")[0], { jobId: "bank:2", tries: 0, dueAtMs: nowMs, ...lease })
    assert.lengthOf(Jobs.started(decision), startedCount)
  })
})

describe("a payment on a hosted page", () => {
  const attempt = request({ requestId: "5", operation: "HOSTED_ATTEMPT", action: "sale", sequence: 1 })
  const contextOf = (changes: Partial<ReturnType<typeof session>> = {}) => ({
    order: sale(authorizing),
    request: creation("sale"),
    continuation: HostedAttempt.continuation({ session: session(changes), attempt })
  })
  const closed = ["requests 5", "hostedSessions t", "-jobs session:1"]
  it.each([
    ["ends when it is approved", {}, approved, "settled", true],
    ["allows another attempt after a decline", {}, soft, "registered", false],
    ["ends with the last attempt", { attempts: 3 }, soft, "declined", true],
    ["ends with the first decline after its time", { expiresAtMs: nowMs }, soft, "declined", true],
    ["ends with the first decline after it was closed", { endedAtMs: 1 }, soft, "declined", true]
  ] as const)("%s", (_, changes, answer, state, isOver) => {
    const { decision } = decide(contextOf(changes), answer)
    assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    const rows = keysOf(decision)
    assert.deepStrictEqual(
      closed.filter((row) => rows.includes(row)),
      isOver ? closed : closed.slice(0, 2)
    )
  })
})

describe("a list of amounts", () => {
  const order = sale({ ...authorizing, remainingAmounts: "900,400" })
  const context = (round: Partial<AmountAttempts.Round> | undefined): Omit<CardAnswer.OutcomeContext, "job"> => ({
    order,
    request: creation("sale"),
    round: round === undefined ? undefined : { attemptId: "5", stopped: [], next: undefined, ...round }
  })
  const stopped = [{ attemptId: "6", amountMinor: 900, filteredBy: "velocity:card" }]
  const next = { amountMinor: 900, velocityEntries: Change.none }

  it.each([
    ["continues with the next amount after a decline", { next }, "authorizing", "processing", ["5"]],
    ["skips amounts that a risk rule stops", { next, stopped }, "authorizing", "processing", ["5", "6"]],
    ["ends when a risk rule stops the last amount", { stopped }, "filtered", "filtered", ["5", "6"]],
    ["ends when no amount is left", {}, "declined", "declined", ["5"]],
    ["does not exist for a charge of one amount", undefined, "declined", "declined", []]
  ] as const)("%s", (_, round, state, progress, records) => {
    const { decision } = decide(context(round), soft)
    const [requestRow, ...others] = rowsOf(decision, "requests")
    assert.deepStrictEqual([rowsOf(decision, "orders")[0]?.state, requestRow?.progress], [state, progress])
    assert.deepStrictEqual(
      others.map(({ requestId }) => requestId),
      [...records]
    )
    assert.deepStrictEqual(guardsOf(decision), ["lease bank:2 mine", "orders 1 v3"])
  })

  it("continues only if the counts of its risk rules are unchanged at the commit", () => {
    const velocityEntries = { guards: [Decision.versionIs(VelocityCounter, ["card"], 7)], writes: [] }
    const { decision } = decide(context({ next: { ...next, velocityEntries } }), soft)
    assert.include(guardsOf(decision), "velocityCounters card v7")
  })

  it.each([
    ["at once in a process that takes jobs", claim, 1],
    ["at the next run of the scheduler otherwise", undefined, 0]
  ] as const)("requests its next amount %s", (_, newClaim, startedCount) =>
    assert.lengthOf(Jobs.started(decide(context({ next }), soft, { claim: newClaim }).decision), startedCount)
  )
})

describe("the charge of a recurring payment", () => {
  const firstAtMs = nowMs
  const billed = {
    subscription: subscription({ state: "active" }),
    occurrence: occurrence({ firstAtMs, day: "1970-01-01" })
  }
  const context = {
    order: sale(authorizing),
    request: creation("sale"),
    continuation: BillingOutcome.continuation(billed)
  }
  it.each([
    ["is complete after an approval", approved, "settled", "charged"],
    ["is tried again after a soft decline", soft, "registered", "retrying"],
    ["fails after a hard decline", hard, "declined", "failed"]
  ] as const)("%s, and commits only if the recurring payment is unchanged", (_, answer, state, progress) => {
    const { decision } = decide(context, answer)
    assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    assert.strictEqual(rowsOf(decision, "occurrences")[0]?.progress, progress)
    assert.deepStrictEqual(guardsOf(decision), ["lease bank:2 mine", "orders 1 v3", "subscriptions 9 v4"])
  })
})
