/** The rows of an accepted payout: its amount is held at once, and no payment starts before its check or approval. */
import { assert, describe, it } from "@effect/vitest"
import * as Jobs from "../../src/kernel/Jobs.ts"
import type * as Register from "../../src/orders/decide/Register.ts"
import type { Order } from "../../src/orders/record/Order.ts"
import * as PayoutRegister from "../../src/payouts/decide/PayoutRegister.ts"
import { opening, recipient } from "./Opening.ts"
import { guardsOf, keysOf, rowsOf } from "./Written.ts"

const filteredBy = "limit:amount"
const claim: Jobs.Claim = { token: "mine", leaseUntilMs: 90_000 }
const registration = (changes: Partial<PayoutRegister.Registration> = {}): PayoutRegister.Registration => ({
  opening: { ...opening, operation: "PAYOUT", kind: "payout" },
  payout: recipient,
  action: "pay",
  approvalUntilMs: undefined,
  lapsesAtMs: 90_000,
  claim: () => undefined,
  ...changes
})
const stopped = { ...opening, operation: "PAYOUT", kind: "payout", filteredBy } as const

const isNew = "no orders clientOrder shop,INV-1"
const isCovered = "shop/7/USD/payout_available >= 10000"
const hold = ["shop/7/USD/payout_available -10000", "shop/7/USD/payout_held 10000"]
const messages = ["jobs callback:1-1"]

const read = ({ decision, order }: Register.Registered) => ({
  state: order.state,
  request: rowsOf(decision, "requests").map(({ action, progress }) => `${action} ${progress}`)[0],
  rows: keysOf(decision),
  guards: guardsOf(decision),
  booked: rowsOf(decision, "ledger").map(({ account, minor }) => `${account} ${minor}`)
})

describe("an accepted payout", () => {
  const rows = ["orders 1", "requests 2", "payouts 1"]
  const approvalUntilMs = 50_000
  const cases: ReadonlyArray<
    readonly [
      what: string,
      changes: Partial<PayoutRegister.Registration>,
      state: Order["state"],
      request: string,
      jobs: ReadonlyArray<string>
    ]
  > = [
    ["is paid at once in one step", {}, "paying", "pay processing", ["jobs rail:2"]],
    [
      "is checked, and lapses without a confirmation",
      { action: "check" },
      "checking",
      "check processing",
      ["jobs lapse:1", "jobs rail:2"]
    ],
    [
      "waits for a second approver where the endpoint requires one",
      { approvalUntilMs },
      "waiting",
      "pay processing",
      ["approvals 1", "jobs lapse:1"]
    ],
    [
      "is checked before its second approver is asked",
      { action: "check", approvalUntilMs },
      "checking",
      "check processing",
      ["jobs lapse:1", "jobs rail:2"]
    ]
  ]
  it.each(cases)("%s", (_, changes, state, request, jobs) =>
    assert.deepStrictEqual(read(PayoutRegister.decide(registration(changes))), {
      state,
      request,
      rows: [...rows, ...jobs],
      guards: [isNew, isCovered],
      booked: hold
    })
  )

  it.each([
    ["a risk rule stops it", () => PayoutRegister.decide(registration({ opening: stopped })), "filtered"],
    ["the balance is too low", () => PayoutRegister.decide(registration()).ifBalanceTooLow?.(), "declined"]
  ] as const)("ends without a hold, with a callback, if %s", (_, decide, state) => {
    const decided = decide()
    assert(decided !== undefined)
    const request = `pay ${state}`
    assert.deepStrictEqual(read(decided), { state, request, rows: [...rows, ...messages], guards: [isNew], booked: [] })
  })

  it.each([
    ["at once in a process that takes jobs", {}, claim, ["rail:2"]],
    ["at the next run of the scheduler otherwise", {}, undefined, []],
    ["not before a second approver agrees", { approvalUntilMs }, claim, []]
  ] as const)("is sent to the rail %s", (_, changes, newClaim, started) =>
    assert.deepStrictEqual(
      Jobs.started(PayoutRegister.decide(registration({ ...changes, claim: () => newClaim })).decision).map(
        ({ jobId }) => jobId
      ),
      [...started]
    )
  )
})

describe("a payout whose recipient answers on a hosted page", () => {
  const openForm = (changes: Partial<PayoutRegister.PayoutStart>) => {
    const ends: Array<boolean> = []
    const { claim: currentClaim, opening: currentOpening } = registration()
    const page = (ended: boolean) => {
      ends.push(ended)
      return []
    }
    return {
      decided: PayoutRegister.openForm({ opening: currentOpening, claim: currentClaim, ...changes }, page),
      ends
    }
  }

  it("holds its amount until the recipient answers", () => {
    const { decided, ends } = openForm({})
    assert.deepStrictEqual(read(decided), {
      state: "registered",
      request: "check processing",
      rows: ["orders 1", "requests 2"],
      guards: [isNew, isCovered],
      booked: hold
    })
    assert.deepStrictEqual(ends, [false])
  })

  it.each([
    ["a risk rule stops it", { opening: stopped }, "filtered"],
    ["the balance is too low", {}, "declined"]
  ] as const)("has no open page if %s", (_, changes, state) => {
    const { decided, ends } = openForm(changes)
    const over = state === "filtered" ? decided : decided.ifBalanceTooLow?.()
    assert(over !== undefined)
    const rows = ["orders 1", "requests 2", ...messages]
    assert.deepStrictEqual(read(over), { state, request: `check ${state}`, rows, guards: [isNew], booked: [] })
    assert.isTrue(ends.at(-1))
  })
})
