import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import { Destination, PayoutRail, type RailRequest } from "@pay/gateway/PayoutRail"
import * as Card from "@pay/schema/Card"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Iban from "../../../packages/schema/src/Iban.ts"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as PayoutRailContract from "../src/PayoutRailContract.ts"
import { RailControl } from "../src/RailControl.ts"
import * as SandboxPayoutRail from "../src/SandboxPayoutRail.ts"
import * as TestRecipients from "../src/TestRecipients.ts"

const to = (kind: Destination.Kind, name: string): Destination.Destination => {
  const recipient = TestRecipients.byName(name)
  assert(recipient !== undefined)
  const result = Destination.of({ [Destination.fieldOf[kind]]: recipient.numbers[kind] })
  assert(result !== undefined)
  return result
}

const payment = (name: string, changes: Partial<RailRequest> = {}): RailRequest => ({
  reference: "1-pay-0",
  orderId: "1",
  clientOrderId: "order-1",
  merchantId: "shop",
  amountMinor: 1042,
  currency: "USD",
  destination: to("card", name),
  purpose: undefined,
  ...changes
})

describe("the simulated rail as a payout rail", () => {
  const cases = PayoutRailContract.cases({
    paid: Destination.kinds.map((kind) => to(kind, "ordinary")),
    refused: to("account", "no-account")
  })
  for (const { name, run } of cases) it.effect(name, () => Effect.provide(run, SandboxPayoutRail.layer()))
})

describe("the test recipients", () => {
  it("have valid numbers that no other test recipient has", () => {
    const numbers = TestRecipients.recipients.flatMap((recipient) => Object.values(recipient.numbers))
    assert.strictEqual(new Set(numbers).size, numbers.length)
    for (const { name, numbers } of TestRecipients.recipients) {
      assert.isTrue(Card.isNumber(numbers.card), name)
      assert.isTrue(Iban.isValid(numbers.account), name)
      assert.match(numbers.phone, /^\+1202555\d{4}$/)
      for (const number of Object.values(numbers)) assert.strictEqual(TestRecipients.find(number)?.name, name)
    }
  })

  it.effect("get the same answer by every kind of destination", () =>
    Effect.gen(function* () {
      const rail = yield* PayoutRail
      for (const kind of Destination.kinds) {
        const destination = to(kind, "pay-refused")
        const reference: AttemptReference = `${kind}-pay-0`
        assert.deepInclude(yield* rail.pay(payment("ordinary", { reference, destination })), {
          _tag: "Declined",
          code: 104
        })
      }
    }).pipe(Effect.provide(SandboxPayoutRail.layer()))
  )
})

describe("the simulated rail", () => {
  it.effect("treats a reused reference with other content as a defect of the gateway", () =>
    Effect.gen(function* () {
      const rail = yield* PayoutRail
      const control = yield* RailControl
      yield* rail.pay(payment("ordinary"))
      const exit = yield* Effect.exit(rail.pay(payment("ordinary", { amountMinor: 1 })))
      assert.strictEqual(exit._tag, "Failure")
      assert.lengthOf(yield* control.violations, 1)
      assert.deepStrictEqual(yield* control.books.totals("1"), { paidMinor: 1042, refusedLateMinor: 0 })
    }).pipe(Effect.provide(SandboxPayoutRail.layer()))
  )

  it.effect("books a late refusal of a test recipient, and one by request", () =>
    Effect.gen(function* () {
      const rail = yield* PayoutRail
      const control = yield* RailControl
      assert.deepInclude(yield* rail.pay(payment("refused-after-hour")), { _tag: "Approved" })
      yield* TestClock.adjust("59 minutes")
      assert.deepInclude(yield* rail.inquire("1-pay-0"), { _tag: "Approved" })
      yield* TestClock.adjust("1 minute")
      assert.deepInclude(yield* rail.inquire("1-pay-0"), { _tag: "Declined", code: 114 })
      assert.deepStrictEqual(yield* control.books.totals("1"), { paidMinor: 1042, refusedLateMinor: 1042 })
      yield* rail.pay(payment("ordinary", { reference: "2-pay-0", orderId: "2" }))
      yield* control.refuseLate("2-pay-0", { code: 104, message: "Restricted" })
      assert.deepInclude(yield* rail.inquire("2-pay-0"), { _tag: "Declined", code: 104 })
      assert.strictEqual((yield* Effect.exit(control.refuseLate("3-pay-0", { code: 1, message: "" })))._tag, "Failure")
    }).pipe(Effect.provide(SandboxPayoutRail.layer()))
  )

  it.effect("keeps its answers over a restart, and stores no full card number", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const railJournalPath = join(folder, "rail.journal")
      const withRail = <A, E>(work: Effect.Effect<A, E, PayoutRail>) =>
        Effect.provide(work, SandboxPayoutRail.layer({ railJournalPath }), { local: true })
      const rail = PayoutRail
      const first = yield* withRail(Effect.flatMap(rail, ({ pay }) => pay(payment("refused-after-hour"))))
      assert.deepStrictEqual(yield* withRail(Effect.flatMap(rail, ({ inquire }) => inquire("1-pay-0"))), first)
      yield* TestClock.adjust("1 hour")
      assert.deepInclude(yield* withRail(Effect.flatMap(rail, ({ inquire }) => inquire("1-pay-0"))), {
        _tag: "Declined"
      })
      const text = yield* Effect.promise(() => readFile(railJournalPath, "utf8"))
      assert.notInclude(text, Redacted.value(to("card", "refused-after-hour").number))
    })
  )
})
