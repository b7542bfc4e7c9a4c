import { assert, describe, it } from "@effect/vitest"
import type { Scenario } from "@pay/sandbox/Outcome"
import { RailControl } from "@pay/sandbox/RailControl"
import { Effect } from "effect"
import * as Approver from "../harness/Approver.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Copies from "./Copies.ts"

const { endpoints } = TestGateway
const { toAccount } = PayoutPage
const opening = 1_000_000
const merchants = Merchants.both({ [endpoints.usd]: { risk: { block: { cards: ["444455"] } } } })

/** The order's status; the available, held and paid balance; how often the rail has paid. */
const outcome = Effect.fnUntraced(function* (order: TestMerchant.Order, endpointId: string = endpoints.usd) {
  const { books } = yield* RailControl
  const payments = (yield* books.ofOrder(order.orderid)).filter(({ request }) => request.kind === "pay")
  const orderStatus = yield* TestPayouts.orderStatus(order, { endpointId })
  return [orderStatus, ...(yield* TestPayouts.balances(endpointId)), payments.length]
})
const paid = ["approved payout_approved", opening - 1042, 0, 1042, 1]

/** Whatever it was, it stays so: the rail is asked whether it refused late, and the books add up. */
const assertStays = Effect.fnUntraced(function* (
  order: TestMerchant.Order,
  expected: ReadonlyArray<unknown>,
  endpointId?: string
) {
  for (const later of ["1 minute", "6 days"] as const) {
    yield* TestMerchant.pass(later)
    assert.deepStrictEqual(yield* outcome(order, endpointId), expected)
  }
  yield* TestPayouts.assertClean
})

const wrong = PayoutPage.planned("no-account")
const wallet = { action: "pay", way: "wallet", wallet: "wallet-4711", recipient: "Jane Doe" }
const blocked = { action: "pay", way: "card", number: "4444 5555 6666 1111", recipient: "Jane Doe" }

interface Page {
  readonly when: string
  /** What its recipient filled in before the copy was made, and after that. */
  readonly before?: ReadonlyArray<TestMerchant.Fields>
  readonly after: ReadonlyArray<TestMerchant.Fields>
  /** What they send in the copy; left out: nothing, and its time is over. */
  readonly inCopy?: TestMerchant.Fields
  readonly expected?: ReadonlyArray<unknown>
}

const pages: ReadonlyArray<Page> = [
  { when: "was paid at the last attempt, and its time is over", before: [wrong], after: [wrong, toAccount] },
  { when: "was paid, and is filled in with a card that is blocked", after: [wrong, toAccount], inCopy: blocked },
  { when: "was never paid", after: [wrong], expected: ["declined payout_expired", opening, 0, 0, 0] }
]

describe("a hosted payout page that was open in a restored copy ends with the rail's outcome if it", () => {
  it.live.each(pages)("$when", ({ after, before = [], expected = paid, inCopy }) =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { order, url } = yield* PayoutPage.open()
        for (const [attempts, fields] of before.entries()) yield* PayoutPage.receive(url, fields, String(attempts))
        yield* backup
        for (const [index, fields] of after.entries()) {
          yield* PayoutPage.receive(url, fields, String(before.length + index))
        }
        return { order, token: new URL(url).pathname }
      }),
      Effect.fnUntraced(function* ({ order, token }) {
        yield* TestMerchant.pass("10 minutes")
        const url = `${yield* HostedPage.baseUrl}${token}`
        if (inCopy === undefined) yield* TestMerchant.pass("31 minutes")
        else yield* HostedPage.visit(url, { form: { attempts: "0", ...inCopy } })
        yield* TestMerchant.settled
        yield* assertStays(order, expected)
        assert.notProperty(
          yield* TestMerchant.status(order),
          "destination",
          "it went where it was told before the restore"
        )
      }),
      { after: { merchants } }
    )
  )
})

describe("a payout that is still under way after a restore", () => {
  it.live("keeps its page open", () =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { next } = yield* RailControl
        const { order, url } = yield* PayoutPage.open()
        yield* backup
        yield* TestMerchant.pass("29 minutes")
        yield* next("pay", stuck)
        yield* PayoutPage.receive(url, toAccount)
        yield* TestMerchant.pass("30 seconds")
        return { order, token: new URL(url).pathname }
      }),
      Effect.fnUntraced(function* ({ order, token }) {
        const url = `${yield* HostedPage.baseUrl}${token}`
        for (const action of ["cancel", "pay"])
          yield* HostedPage.visit(url, { form: { ...wallet, attempts: "0", action } })
        yield* TestMerchant.pass("35 seconds")
        assert.strictEqual(yield* TestPayouts.orderStatus(order), "processing payout_processing")
        yield* TestMerchant.pass("2 minutes")
        yield* assertStays(order, paid)
      })
    )
  )
})

const { approval, usd } = endpoints
const agreed = ({ orderid }: TestMerchant.Order) => Approver.decide(orderid, "approve")

interface Waiting {
  readonly when: string
  readonly endpointId: string
  readonly made: TestPayouts.Creation
  readonly former: (order: TestMerchant.Order) => ReturnType<typeof agreed> | ReturnType<typeof TestPayouts.pay>
  readonly rejected?: true
}

/** Its time is over 35 seconds after the copy was put back, and the payment arrives 15 seconds after that. */
const stuck: Scenario = { delivery: { _tag: "ArrivesLate", afterMs: 80_000 } }

const waiting: ReadonlyArray<Waiting> = [
  {
    when: "a check that its merchant paid after the copy",
    endpointId: usd,
    made: "PAYOUT_V4_CHECK",
    former: TestPayouts.pay
  },
  {
    when: "a payout that was approved after the copy and is rejected now",
    endpointId: approval,
    made: "PAYOUT",
    former: agreed,
    rejected: true
  }
]

describe("a payout that waited for a person in a restored copy ends with the rail's outcome", () => {
  it.live.each(waiting)("$when", ({ endpointId, former: act, made, rejected }) =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const order = yield* TestPayouts.made(made, TestPayouts.plain, { endpointId })
        yield* backup
        yield* act(order)
        yield* TestMerchant.settled
        return order
      }),
      Effect.fnUntraced(function* (order) {
        yield* TestMerchant.pass("10 minutes")
        if (rejected === true) yield* Approver.decide(order.orderid, "reject")
        else yield* TestMerchant.pass("25 hours")
        yield* TestMerchant.settled
        yield* assertStays(order, paid, endpointId)
      })
    )
  )
})
