/** A data folder is copied, and both copies charge the same recurring payments at the same bank. */
import { cpSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { decline } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { temporaryFolder } from "../../packages/sqlite/test/TemporaryFolder.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

const merchantsWith = (numbers: "long" | "short") => Sandbox.merchants.map((merchant) => ({ ...merchant, numbers }))

/** The approvals of the bank, each with its reference. */
const approvals = Effect.gen(function* () {
  const { books, violations } = yield* SandboxControl
  assert.deepStrictEqual(yield* violations, [])
  const approved = (yield* books.all).filter(({ answer }) => answer._tag === "Approved")
  return approved.map(({ request }) => request.reference).sort()
})

const weeks = (count: number) => `${7 * count} days` as const

interface Row {
  readonly numbers: "long" | "short"
  /** Occurrences before the folder is copied. The short numbers of 60 are reserved together. */
  readonly before: number
  readonly isDeclinedFirst: boolean
}

const rows: ReadonlyArray<Row> = [
  { numbers: "long", before: 0, isDeclinedFirst: false },
  { numbers: "long", before: 2, isDeclinedFirst: true },
  { numbers: "short", before: 0, isDeclinedFirst: false },
  { numbers: "short", before: 2, isDeclinedFirst: true },
  { numbers: "short", before: 60, isDeclinedFirst: false }
]

const expected: Readonly<Record<Row["numbers"], RegExp>> = {
  long: /^7\d{18}-sale-[01]$/,
  short: /^\d{1,10}-sale-[01]$/
}

describe("two gateways on two copies of a store", () => {
  it.live.each(rows)("charge each occurrence once at the bank: %o", ({ before, isDeclinedFirst, numbers }) =>
    Effect.gen(function* () {
      const around = yield* temporaryFolder
      const [one, two] = [join(around, "one"), join(around, "two")]
      const merchants = merchantsWith(numbers)
      const id = yield* Effect.gen(function* () {
        const subscription = yield* Recurring.created({ period: "weekly", expire_year: "2099" })
        if (before > 0) yield* TestMerchant.pass(weeks(before))
        return subscription.id
      }).pipe(TestGateway.running(one, { merchants }))
      cpSync(one, two, { recursive: true })

      const original = yield* Effect.gen(function* () {
        const { next } = yield* SandboxControl
        yield* TestMerchant.order("SALE")
        if (isDeclinedFirst) yield* next("authorize", { verdict: decline(declines.notSufficientFunds) })
        yield* TestMerchant.pass("9 days")
        return { approved: yield* approvals, order: yield* Recurring.chargeOf(id, before + 1) }
      }).pipe(TestGateway.running(one, { merchants }))
      assert.lengthOf(original.approved, before + 3)

      yield* Effect.gen(function* () {
        yield* TestMerchant.settled
        yield* TestMerchant.pass("2 days")
        const order = yield* Recurring.chargeOf(id, before + 1)
        assert.strictEqual(order.orderId, original.order.orderId)
        assert.deepStrictEqual(yield* approvals, original.approved)
        assert.match(`${order.orderId}-sale-${order.sequence}`, expected[numbers])
      }).pipe(TestGateway.quietly(two, { merchants, bank: Copies.withBankOf(one) }))
    })
  )
})
