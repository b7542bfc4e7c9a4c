import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import type { Job } from "../../src/kernel/Job.ts"
import * as CardAnswer from "../../src/orders/decide/CardAnswer.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import type { BankRequest } from "../../src/orders/record/OrderRequest.ts"
import * as OrderComparison from "../../src/reconciliation/decide/OrderComparison.ts"
import { eligibility, job, preauth, request, sale, transfer, verification } from "./Sample.ts"
import { isRow, rowsOf } from "./Written.ts"

const minuteMs = 60_000
const { decide } = CardAnswer

const terms = (changes: Partial<CardAnswer.CardTimes> = {}): CardAnswer.CardTimes => ({
  nowMs: 2_000,
  claim: undefined,
  holdMs: 7 * 86_400_000,
  resubmitWithinMs: 15 * minuteMs,
  longestProcessingMs: minuteMs,
  underWayMs: Number.POSITIVE_INFINITY,
  ...changes
})

const approved: CardAnswer.Answer = { _tag: "Approved", approvalCode: "A1", processorTxId: "PNTEST-1" }
const declined: CardAnswer.Answer = { _tag: "Declined", code: 116, message: "Not sufficient funds" }
const callbackUrl = "https://shop.example/callback"

const fresh = { state: "authorizing", authorizedMinor: 0, capturedMinor: 0, callbackUrl } as const
/** Every action, with the order as it is while the bank is asked. */
const actions: Readonly<Record<string, { order: Order; request: BankRequest }>> = {
  sale: {
    order: sale(fresh),
    request: request({ operation: "SALE", action: "sale", sequence: 0, amountMinor: 10_000 })
  },
  authorize: {
    order: preauth(fresh),
    request: request({ operation: "PREAUTH", action: "authorize", sequence: 0, amountMinor: 10_000 })
  },
  verify: {
    order: verification(fresh),
    request: request({ operation: "ACCOUNT_VERIFICATION", action: "verify", sequence: 0, amountMinor: 0 })
  },
  transfer: {
    order: transfer(fresh),
    request: request({ operation: "TRANSFER_V4", action: "transfer", sequence: 0, amountMinor: 10_000 })
  },
  eligibility: {
    order: eligibility(fresh),
    request: request({ operation: "PAN_ELIGIBILITY_SEND", action: "eligibility", sequence: 0, amountMinor: 0 })
  },
  capture: { order: preauth({ callbackUrl, capturingMinor: 4_000, inFlightCount: 1 }), request: request() },
  "capture of all": {
    order: preauth({ callbackUrl, capturingMinor: 10_000, inFlightCount: 1 }),
    request: request({ amountMinor: 10_000 })
  },
  void: {
    order: preauth({ callbackUrl, voiding: 1, inFlightCount: 1 }),
    request: request({ operation: "VOID", action: "void", amountMinor: 10_000 })
  },
  "void after a capture": {
    order: preauth({ callbackUrl, capturedMinor: 6_000, voiding: 1, inFlightCount: 1 }),
    request: request({ operation: "VOID", action: "void", amountMinor: 4_000 })
  },
  lapse: {
    order: preauth({ callbackUrl, voiding: 1, inFlightCount: 1 }),
    request: request({ operation: "LAPSE", action: "void", amountMinor: 10_000 })
  },
  refund: {
    order: sale({ callbackUrl, refundingMinor: 4_000, inFlightCount: 1 }),
    request: request({ operation: "RETURN", action: "refund" })
  },
  "refund of all": {
    order: sale({ callbackUrl, refundingMinor: 10_000, inFlightCount: 1 }),
    request: request({ operation: "RETURN", action: "refund", amountMinor: 10_000 })
  },
  "refund, then void": {
    order: preauth({ callbackUrl, capturedMinor: 6_000, refundingMinor: 6_000, voiding: 1, inFlightCount: 1 }),
    request: request({ operation: "RETURN", action: "refundThenVoid", amountMinor: 6_000 })
  }
}

const contextOf = (name: string, jobs: Partial<Job> = {}): CardAnswer.OutcomeContext => {
  const result = actions[name]
  if (result === undefined) throw new Error(`no action ${name}`)
  return { ...result, job: job(jobs) }
}

const read = (next: CardAnswer.Next) => {
  const order = rowsOf(next.decision, "orders")[0]
  const ended = rowsOf(next.decision, "requests")[0]
  const events = rowsOf(next.decision, "callbacks")
  const again = rowsOf(next.decision, "jobs").find(({ kind }) => kind === "bank")
  return { order, ended, events, again, ledger: rowsOf(next.decision, "ledger") }
}

/** Action × answer: the order's state, captured/returned/in flight; the request's progress; callbacks; ms until the inquiry. */
const outcome = (name: string, answer: CardAnswer.Answer): string => {
  const { again, ended, events, order } = read(decide(contextOf(name), answer, terms()))
  const amounts =
    order === undefined
      ? "-"
      : `${order.capturedMinor}/${order.refundedMinor}/${Number(order.capturingMinor) + Number(order.refundingMinor)}`
  return [
    order?.state ?? "-",
    amounts,
    ended?.progress ?? "-",
    events.length,
    again === undefined ? "done" : Number(again.dueAtMs) - 2_000
  ].join(" ")
}

const table = `
action                 | approved                              | declined                            | lost
sale                   | settled 10000/0/0 approved 1 done     | declined 0/0/0 declined 1 done      | unknown 0/0/0 unknown 0 5000
authorize              | authorized 0/0/0 approved 1 done      | declined 0/0/0 declined 1 done      | unknown 0/0/0 unknown 0 5000
verify                 | verified 0/0/0 approved 1 done        | declined 0/0/0 declined 1 done      | unknown 0/0/0 unknown 0 5000
transfer               | settled 10000/0/0 approved 1 done     | declined 0/0/0 declined 1 done      | unknown 0/0/0 unknown 0 5000
eligibility            | verified 0/0/0 approved 1 done        | declined 0/0/0 declined 1 done      | unknown 0/0/0 unknown 0 5000
capture                | authorized 4000/0/0 approved 1 done   | authorized 0/0/0 declined 1 done    | authorized 0/0/4000 unknown 0 5000
capture of all         | settled 10000/0/0 approved 1 done     | authorized 0/0/0 declined 1 done    | authorized 0/0/10000 unknown 0 5000
void                   | voided 0/0/0 approved 1 done          | authorized 0/0/0 declined 1 done    | authorized 0/0/0 unknown 0 5000
void after a capture   | settled 6000/0/0 approved 1 done      | authorized 6000/0/0 declined 1 done | authorized 6000/0/0 unknown 0 5000
lapse                  | lapsed 0/0/0 approved 1 done          | authorized 0/0/0 declined 1 done    | authorized 0/0/0 unknown 0 5000
refund                 | settled 10000/4000/0 approved 1 done  | settled 10000/0/0 declined 1 done   | settled 10000/0/4000 unknown 0 5000
refund of all          | settled 10000/10000/0 approved 1 done | settled 10000/0/0 declined 1 done   | settled 10000/0/10000 unknown 0 5000
refund, then void      | authorized 6000/6000/0 processing 0 0 | authorized 6000/0/0 declined 1 done | authorized 6000/0/6000 unknown 0 5000
`
const [, ...cases] = TextTable.rows(table)

describe("the bank's answer to a card order", () => {
  it("has a row in the table for every action", () =>
    assert.deepStrictEqual(
      cases.map(([action]) => action),
      Object.keys(actions)
    ))

  for (const [action = "", ...expected] of cases) {
    it(`leads to the states of the table: ${action}`, () => {
      assert.deepStrictEqual(
        [approved, declined, { _tag: "Lost" } as const].map((answer) => outcome(action, answer)),
        expected
      )
      assert.strictEqual(outcome(action, { _tag: "CannotSay" }), outcome(action, { _tag: "Lost" }))
    })

    it(`books what reconciliation expects: ${action}`, () => {
      const before = contextOf(action)
      for (const answer of [approved, declined, { _tag: "Lost" } as const]) {
        const { ledger, order } = read(decide(before, answer, terms()))
        assert.strictEqual(
          ledger.reduce((sum, { minor }) => sum + Number(minor), 0),
          0
        )
        const booked = new Map<unknown, number>()
        for (const { account, minor } of ledger) booked.set(account, (booked.get(account) ?? 0) + Number(minor))
        assert.isTrue(order === undefined || isRow(order))
        if (order === undefined || !isRow(order)) continue
        const earlier = new Map(OrderComparison.expectedBalances(before.order))
        for (const [name, expected] of OrderComparison.expectedBalances(order)) {
          assert.strictEqual(
            booked.get(`shop/7/USD/${name}`) ?? 0,
            expected - (earlier.get(name) ?? 0),
            `${name} after ${answer._tag}`
          )
        }
      }
    })

    it(`commits only under its lease and to the order that was read: ${action}`, () => {
      for (const answer of [approved, declined, { _tag: "Lost" } as const]) {
        assert.deepStrictEqual(
          decide(contextOf(action), answer, terms()).decision.guards.map((guard) => guard._tag),
          ["LeaseIs", "VersionIs"]
        )
      }
    })
  }

  it("leads to inquiries after 5 s, 30 s, 5 min and 1 h, then daily, while the outcome is unknown", () => {
    const delays = [0, 1, 2, 3, 4, 5, 50].map((tries) => {
      const { again } = read(decide(contextOf("sale", { tries }), { _tag: "CannotSay" }, terms()))
      return (Number(again?.dueAtMs) - 2_000) / 1000
    })
    assert.deepStrictEqual(delays, [5, 30, 300, 3600, 86_400, 86_400, 86_400])
  })

  it("leads to a further inquiry after months in which the bank could not give the outcome", () => {
    const nowMs = 100 * 86_400_000
    const { again, order } = read(decide(contextOf("sale", { tries: 50 }), { _tag: "CannotSay" }, terms({ nowMs })))
    assert.strictEqual(order?.state, "unknown")
    assert.strictEqual(again?.dueAtMs, nowMs + 86_400_000)
  })

  it("leads to a first inquiry after 5 s when it is lost, however often sending had failed before", () => {
    const { again } = read(decide(contextOf("sale", { tries: 4, startedAtMs: 1_000 }), { _tag: "Lost" }, terms()))
    assert.deepInclude(again, { dueAtMs: 7_000, tries: 1, startedAtMs: 2_000 })
  })

  const notFound: CardAnswer.Answer = { _tag: "NotFound" }
  /** Returns a sale whose answer was lost. */
  const lostSale = (jobs: Partial<Job> = {}): CardAnswer.OutcomeContext => {
    const context = contextOf("sale", { startedAtMs: 1_000, openAttempts: 2, tries: 1, ...jobs })
    return { ...context, request: { ...context.request, progress: "unknown" } }
  }

  it("leads to no resending at the first 'not found' after the process that sent the request died", () => {
    const nowMs = 1_000 + 10 * minuteMs
    const next = decide(contextOf("sale", { startedAtMs: 1_000, openAttempts: 2 }), notFound, terms({ nowMs }))
    assert.isFalse(next.resend)
    assert.deepInclude(read(next).again, { startedAtMs: nowMs, dueAtMs: nowMs + 5_000 })
  })

  it("leads to no resending at 'not found' within the bank's processing time", () => {
    const next = decide(lostSale(), notFound, terms({ nowMs: 1_000 + minuteMs - 1 }))
    assert.isFalse(next.resend)
    assert.strictEqual(read(next).ended?.progress, "unknown")
  })

  it("leads to resending under the same reference at 'not found' after the processing time", () => {
    const nowMs = 1_000 + minuteMs
    const next = decide(lostSale(), notFound, terms({ nowMs }))
    assert.isTrue(next.resend)
    assert.strictEqual(read(next).again?.startedAtMs, nowMs)
    assert.strictEqual(read(next).again?.token, "mine")
  })

  it("fails the order at 'not found' later than 15 minutes after acceptance", () => {
    const nowMs = 1_000 + 15 * minuteMs + 1
    const next = decide(lostSale(), notFound, terms({ nowMs }))
    assert.isFalse(next.resend)
    assert.strictEqual(read(next).order?.state, "failed")
    assert.strictEqual(read(next).ended?.progress, "error")
  })

  it("leads to another sending a second later if the request was not sent", () => {
    const { again, order } = read(decide(contextOf("sale"), { _tag: "NotSent" }, terms()))
    assert.isUndefined(order)
    assert.deepInclude(again, { openAttempts: 0, startedAtMs: null, token: null, dueAtMs: 3_000 })
  })

  it("ends resending in time, except for a request that may have been sent", () => {
    const lateMs = 1_000 + 15 * minuteMs + 1
    const late = (jobs: Partial<Job>, nowMs = lateMs) =>
      CardAnswer.isTooLate(contextOf("sale", jobs), nowMs, 15 * minuteMs)
    assert.isTrue(late({ tries: 1, openAttempts: 1 }))
    assert.isFalse(late({ tries: 1, openAttempts: 1 }, lateMs - 1))
    assert.isFalse(late({ tries: 1, openAttempts: 2 }), "an open attempt is inquired about")
    assert.isFalse(late({ tries: 0, openAttempts: 1 }), "the first sending")
  })

  it("erases the CVV, and an erased CVV fails an order that is not sent yet", () => {
    assert.strictEqual(read(decide(contextOf("sale"), { _tag: "Unsendable" }, terms())).order?.state, "failed")
    for (const answer of [approved, declined, { _tag: "Unsendable" } as const]) {
      const { decision } = decide(contextOf("sale"), answer, terms())
      assert.isTrue(
        decision.writes.some((write) => write._tag === "Remove" && write.entity.name === "cvvs"),
        answer._tag
      )
    }
  })

  it.each([
    ["sale", 6_000, "declined declined"],
    ["authorize", 6_000, "declined declined"],
    // Its receiver has the part, which no bank returns.
    ["transfer", 6_000, "unknown unknown"],
    ["capture", 3_000, "authorized unknown"],
    ["refund", 3_000, "settled unknown"],
    ["sale", 0, "unknown unknown"],
    ["sale", 10_001, "unknown unknown"]
  ] as const)("never takes a part for the whole: %s, approved for %s", (name, amountMinor, expected) => {
    const next = decide(contextOf(name), { ...approved, amountMinor }, terms())
    const { ended, ledger, order } = read(next)
    assert.strictEqual(`${order?.state} ${ended?.progress}`, expected)
    assert.deepStrictEqual(ledger, [])
    assert.strictEqual(next.unexpected === true, expected === "declined declined")
    assert.strictEqual(next.unapplied === undefined, expected === "declined declined")
  })

  it("releases what is left of the hold, whatever amount the request had before", () => {
    const order = preauth({ capturedMinor: 4_000, voiding: 1 })
    const refunded = request({ operation: "RETURN", action: "void", amountMinor: 4_000 })
    assert.strictEqual(CardAnswer.askedMinor({ order, request: refunded }), 6_000)
    const { decision } = decide({ order, request: refunded, job: job() }, { ...approved, amountMinor: 6_000 }, terms())
    const released = rowsOf(decision, "ledger").map(({ cause, minor }) => `${cause} ${minor}`)
    assert.deepStrictEqual(released, ["void -6000", "void 6000"])
  })
})
