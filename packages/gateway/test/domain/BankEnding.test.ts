/** What the end of a bank's request writes beside order, request and books: holds, CVVs, pages, lists of amounts, schedules. */
import { assert, describe, it } from "@effect/vitest"
import * as HostedAttempt from "../../src/hosted/HostedAttempt.ts"
import * as Change from "../../src/kernel/Change.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Order } from "../../src/orders/Order.ts"
import type { BankRequest } from "../../src/orders/OrderRequest.ts"
import type * as AmountAttempts from "../../src/orders/outcomes/AmountAttempts.ts"
import * as CardAnswer from "../../src/orders/outcomes/CardAnswer.ts"
import * as HoldTask from "../../src/orders/outcomes/HoldTask.ts"
import * as BillingOutcome from "../../src/recurring/BillingOutcome.ts"
import { VelocityTurn } from "../../src/risk/Risk.ts"
import {
  eligibility,
  item,
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
  context: Omit<CardAnswer.OutcomeContext, "item">,
  answer: CardAnswer.Answer,
  changes: Partial<CardAnswer.Terms> = {}
) => CardAnswer.decide({ ...context, item: item({ tries: 3 }) }, answer, { ...terms, ...changes })

const begun = { state: "authorizing", capturedMinor: 0, authorizedMinor: 0 } as const
const creation = (action: BankRequest["action"], amountMinor = 10_000): BankRequest =>
  request({ operation: action.toUpperCase(), action, sequence: 0, amountMinor })

describe("what an approval makes of each kind of order", () => {
  const holdUntilMs = nowMs + 7 * dayMs
  const question = { ...begun, amountMinor: 100 }
  const cases: ReadonlyArray<
    readonly [kind: string, Order, BankRequest["action"], reserved: number, captured: number, until: number | null]
  > = [
    ["a sale is captured", sale(begun), "sale", 10_000, 10_000, null],
    ["a preauth is held until it lapses", preauth(begun), "authorize", 10_000, 0, holdUntilMs],
    ["a transfer is with its recipient", transfer(begun), "transfer", 10_000, 10_000, null],
    ["a verification holds nothing", verification(question), "verify", 0, 0, null],
    ["a question holds nothing", eligibility(question), "eligibility", 0, 0, null]
  ]
  it.each(cases)("%s", (_, order, action, authorizedMinor, capturedMinor, until) => {
    const { decision } = decide({ order, request: creation(action, order.amountMinor) }, approved)
    const expected = { authorizedMinor, capturedMinor, holdUntilMs: until }
    assert.deepInclude(rowsOf(decision, "orders")[0], expected)
    assert.deepStrictEqual(
      rowsOf(decision, "agenda").map(({ dueAtMs, itemId }) => `${itemId} ${dueAtMs}`),
      until === null ? [] : [`lapse:1 ${until}`]
    )
    assert.strictEqual(rowsOf(decision, "ledger").length > 0, authorizedMinor > 0)
  })
})

describe("the hold of a preauth", () => {
  const written = (order: Partial<Order>, changes: Partial<BankRequest>, answer: CardAnswer.Answer) =>
    keysOf(decide({ order: preauth({ movingCount: 1, ...order }), request: request(changes) }, answer).decision)
  const rows = ["orders 1", "requests 2"]
  const voiding = { operation: "VOID", action: "cancel", amountMinor: 10_000 } as const
  const lapsing = { ...voiding, operation: "LAPSE" } as const

  it.each([
    ["a part is captured: it goes on", {}, { amountMinor: 4_000 }, approved, ["-agenda bank:2"]],
    ["all is captured: it is over", {}, { amountMinor: 10_000 }, approved, ["-agenda lapse:1", "-agenda bank:2"]],
    ["released: it is over", { releasing: 1 }, voiding, approved, ["-agenda lapse:1", "-agenda bank:2"]],
    ["not released: it goes on", { releasing: 1 }, voiding, soft, ["-agenda bank:2"]],
    [
      "not lapsed: it is tried again",
      { releasing: 1 },
      lapsing,
      soft,
      ["agenda lapse:1", "banktasks 1-hold.declined", "-agenda bank:2"]
    ]
  ] as const)("%s", (_, order, changes, answer, expected) =>
    assert.deepStrictEqual(written(order, changes, answer), [...rows, ...expected])
  )

  const over = { holdUntilMs: nowMs } as const
  it.each([
    ["its time is over", over, { amountMinor: 4_000 }, soft, true],
    ["its time is not over", { holdUntilMs: nowMs + 1 }, { amountMinor: 4_000 }, soft, false],
    ["it has no time", { holdUntilMs: null }, { amountMinor: 4_000 }, soft, false],
    ["nothing of it is left", over, { amountMinor: 10_000 }, approved, false],
    ["another capture is under way", { ...over, capturingMinor: 9_000 }, { amountMinor: 4_000 }, soft, false],
    ["it was released", { ...over, releasing: 1 }, voiding, approved, false]
  ] as const)("lapses at once after what was under way, where %s", (_, order, changes, answer, lapses) => {
    const { decision } = decide(
      {
        order: preauth({ capturingMinor: changes.amountMinor, movingCount: 1, ...order }),
        request: request(changes)
      },
      answer
    )
    const due = rowsOf(decision, "agenda").filter(({ kind }) => kind === "lapse")
    assert.deepStrictEqual(
      due.map(({ dueAtMs, token }) => [dueAtMs, token]),
      lapses ? [[nowMs, null]] : []
    )
  })

  const refusals: ReadonlyArray<readonly [what: string, opened: boolean, answer: CardAnswer.Answer, tasks: number]> = [
    ["the first refusal of its release is a person's task", false, soft, 1],
    ["a further one is not told again", true, soft, 0],
    ["a release that was never sent is nobody's task", false, { _tag: "Unsendable" }, 0],
    ["one that was never sent is not told after a refusal", true, { _tag: "Unsendable" }, 0]
  ]
  it.each(refusals)("%s", (_, isOpened, answer, tasks) => {
    const order = preauth({ ...over, releasing: 1, movingCount: 1, callbackUrl: "https://shop.example/callback" })
    const hold = isOpened ? HoldTask.opened(order, "1-cancel-1", 1) : undefined
    const { decision, task } = decide({ order, request: request(lapsing), hold }, answer)
    assert.lengthOf(rowsOf(decision, "banktasks"), tasks)
    assert.strictEqual(task === undefined ? 0 : 1, tasks)
    assert.lengthOf(rowsOf(decision, "callbacks"), isOpened ? 0 : 1)
    assert.strictEqual(rowsOf(decision, "orders")[0]?.version, order.version + 1)
  })

  it("that is released closes its task, as it was read", () => {
    const order = preauth({ ...over, releasing: 1, movingCount: 1, callbackUrl: "https://shop.example/callback" })
    const hold = HoldTask.opened(order, "1-cancel-1", 1)
    const { decision } = decide({ order, request: request(lapsing), hold }, approved)
    assert.lengthOf(rowsOf(decision, "callbacks"), 1)
    assert.strictEqual(rowsOf(decision, "banktasks")[0]?.state, "closed")
    assert.include(guardsOf(decision), "banktasks 1-hold.declined v1")
  })

  it("whose own lapse is refused is not tried again at once, but a day later", () => {
    const order = preauth({ ...over, releasing: 1, movingCount: 1 })
    const { decision } = decide({ order, request: request(lapsing) }, soft)
    const due = rowsOf(decision, "agenda").map(({ dueAtMs }) => dueAtMs)
    assert.deepStrictEqual(due, [nowMs + dayMs])
  })

  it.each([
    ["where all of it was still held: the return is declined", 0, "declined"],
    ["where a part was refunded before: the return is done", 6_000, "approved"]
  ] as const)("is not released for a return %s", (_, capturedMinor, progress) => {
    const order = preauth({ capturedMinor, returnedMinor: capturedMinor, releasing: 1, movingCount: 1 })
    const { decision } = decide({ order, request: request({ operation: "RETURN", action: "cancel" }) }, soft)
    assert.strictEqual(rowsOf(decision, "requests")[0]?.progress, progress)
  })
})

describe("a CVV", () => {
  it.each([
    ["is erased when its order ends", { order: sale(begun), request: creation("sale") }, true],
    ["is not touched by a refund", { order: sale(), request: request({ action: "refund" }) }, false]
  ] as const)("%s", (_, context, isErased) =>
    assert.strictEqual(keysOf(decide(context, soft).decision).includes("-cvvs 1"), isErased)
  )
})

describe("after the refund of a whole return, the release of its hold", () => {
  const context = {
    order: preauth({ capturedMinor: 6_000, returningMinor: 6_000, releasing: 1, movingCount: 1 }),
    request: request({ operation: "RETURN", action: "refundThenCancel", amountMinor: 6_000 })
  }
  const free = { openAttempts: 0, startedAtMs: null, token: null, leaseUntilMs: 0 }
  const mine = { openAttempts: 1, startedAtMs: nowMs, token: "next", leaseUntilMs: 90_000 }
  it.each([
    ["is begun by this process", claim, mine, 1],
    ["waits for the next tick of a process that takes no work", undefined, free, 0]
  ] as const)("%s", (_, given, lease, startedCount) => {
    const { decision, started } = decide(context, approved, { claim: given })
    assert.deepInclude(rowsOf(decision, "agenda")[0], { itemId: "bank:2", tries: 0, dueAtMs: nowMs, ...lease })
    assert.lengthOf(started, startedCount)
  })
})

describe("a payment on a hosted page", () => {
  const attempt = request({ requestId: "5", operation: "FORM_ATTEMPT", action: "sale", sequence: 1 })
  const contextOf = (changes: Partial<ReturnType<typeof session>> = {}) => ({
    order: sale(begun),
    request: creation("sale"),
    continuation: HostedAttempt.continuation({ session: session(changes), attempt })
  })
  const closed = ["requests 5", "formsessions t", "-agenda session:1"]
  it.each([
    ["is over when it is approved", {}, approved, "settled", true],
    ["may be tried again after a decline", {}, soft, "registered", false],
    ["is over with the last attempt", { attempts: 3 }, soft, "declined", true],
    ["is over when its time is", { expiresAtMs: nowMs }, soft, "declined", true],
    ["is over when it was ended", { endedAtMs: 1 }, soft, "declined", true]
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
  const order = sale({ ...begun, amountsLeft: "900,400" })
  const context = (round: Partial<AmountAttempts.Round> | undefined): Omit<CardAnswer.OutcomeContext, "item"> => ({
    order,
    request: creation("sale"),
    round: round === undefined ? undefined : { attemptId: "5", stopped: [], next: undefined, ...round }
  })
  const stopped = [{ attemptId: "6", amountMinor: 900, filteredBy: "velocity:card" }]
  const next = { amountMinor: 900, marks: Change.none }

  it.each([
    ["goes on with the next amount", { next }, "authorizing", "moving", ["5"]],
    ["goes on past those that a rule stops", { next, stopped }, "authorizing", "moving", ["5", "6"]],
    ["ends when a rule stops the last", { stopped }, "filtered", "filtered", ["5", "6"]],
    ["ends when none is left", {}, "declined", "declined", ["5"]],
    ["is not there for a charge of one amount", undefined, "declined", "declined", []]
  ] as const)("%s", (_, round, state, progress, records) => {
    const { decision } = decide(context(round), soft)
    const [its, ...others] = rowsOf(decision, "requests")
    assert.deepStrictEqual([rowsOf(decision, "orders")[0]?.state, its?.progress], [state, progress])
    assert.deepStrictEqual(
      others.map(({ requestId }) => requestId),
      [...records]
    )
    assert.deepStrictEqual(guardsOf(decision), ["lease bank:2 mine", "orders 1 v3"])
  })

  it("goes on only if nobody was counted by the same rules meanwhile", () => {
    const marks = { guards: [Decision.versionIs(VelocityTurn, ["card"], 7)], writes: [] }
    const { decision } = decide(context({ next: { ...next, marks } }), soft)
    assert.include(guardsOf(decision), "riskturns card v7")
  })

  it.each([
    ["this process", claim, 1],
    ["the next tick", undefined, 0]
  ] as const)("its next amount is asked for by %s", (_, given, startedCount) =>
    assert.lengthOf(decide(context({ next }), soft, { claim: given }).started, startedCount)
  )
})

describe("the charge of a recurring payment", () => {
  const firstAtMs = nowMs
  const billed = {
    subscription: subscription({ state: "active" }),
    occurrence: occurrence({ firstAtMs, day: "1970-01-01" })
  }
  const context = { order: sale(begun), request: creation("sale"), continuation: BillingOutcome.continuation(billed) }
  it.each([
    ["is done", approved, "settled", "charged"],
    ["is tried again after a decline", soft, "registered", "retrying"],
    ["is over when the card is", hard, "declined", "failed"]
  ] as const)("%s, if nobody changed the recurring payment meanwhile", (_, answer, state, progress) => {
    const { decision } = decide(context, answer)
    assert.strictEqual(rowsOf(decision, "orders")[0]?.state, state)
    assert.strictEqual(rowsOf(decision, "occurrences")[0]?.progress, progress)
    assert.deepStrictEqual(guardsOf(decision), ["lease bank:2 mine", "orders 1 v3", "subscriptions 9 v4"])
  })
})
