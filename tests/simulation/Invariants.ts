/** What is true at every moment, whatever merchant and bank have done; and what is true in the end. */
import { assert } from "@effect/vitest"
import { Agenda } from "@pay/gateway/Agenda"
import { Effect } from "effect"
import { Inbox } from "../faults/Inbox.ts"
import * as FaultsPlay from "../faults/Play.ts"
import * as Bank from "./Bank.ts"
import * as Merchant from "./Merchant.ts"

/** Money is neither made nor forgotten, and what a merchant was told stays true. */
export const always = Effect.fnUntraced(function* (orders: ReadonlyArray<Merchant.Order>) {
  yield* FaultsPlay.allIsWell
  for (const order of orders) {
    const { orderid } = order
    const atBank = yield* Bank.moved(orderid)
    assert.isAtMost(atBank.authorizedMinor, order.amountMinor, `${orderid}: authorised at the bank`)
    assert.isAtMost(atBank.capturedMinor + atBank.releasedMinor, atBank.authorizedMinor, `${orderid}: used at the bank`)
    assert.isAtMost(atBank.refundedMinor, atBank.capturedMinor, `${orderid}: refunded at the bank`)
    assert.isAtMost(atBank.captures, order.captures, `${orderid}: a capture had more than one effect`)
    assert.isAtMost(atBank.refunds, order.returns, `${orderid}: a return had more than one effect`)

    const told = yield* Merchant.ask(order)
    assert.isAtMost(told.authorizedMinor, order.amountMinor, `${orderid}: authorised`)
    assert.isAtMost(told.capturedMinor, told.authorizedMinor, `${orderid}: captured`)
    assert.isAtMost(told.returnedMinor, told.capturedMinor, `${orderid}: returned`)
    assert.isAtLeast(told.capturedMinor, order.capturedMinor, `${orderid}: captured before`)
    assert.isAtLeast(told.returnedMinor, order.returnedMinor, `${orderid}: returned before`)
    order.capturedMinor = told.capturedMinor
    order.returnedMinor = told.returnedMinor
    if (order.failedAs !== undefined) assert.strictEqual(told.status, order.failedAs, `${orderid}: has failed before`)
    if (told.status === "declined" || told.status === "error") {
      assert.strictEqual(told.authorizedMinor, 0, `${orderid}: money of a payment that failed`)
      order.failedAs = told.status
    }
  }
})

const isAbout =
  (order: string) =>
  ({ orderid }: Readonly<Record<string, string>>) =>
    orderid === order

/** Nothing moves any more, the bank's books say what ours say, and everything was told once. */
export const inTheEnd = Effect.fnUntraced(function* (orders: ReadonlyArray<Merchant.Order>) {
  yield* always(orders)
  const agenda = yield* Agenda
  assert.isUndefined(yield* agenda.nextDueMs, "something still waits")
  const { arrived } = yield* Inbox
  const ids = arrived.map(({ headers }) => headers["webhook-id"])
  assert.strictEqual(new Set(ids).size, ids.length, "an event that was taken came again")
  for (const order of orders) {
    const { orderid } = order
    const { authorizedMinor, capturedMinor, returnedMinor, status } = yield* Merchant.ask(order)
    assert.include(["approved", "declined", "error"], status, `${orderid} is not final`)
    const atBank = yield* Bank.moved(orderid)
    assert.deepInclude(atBank, { authorizedMinor, capturedMinor, refundedMinor: returnedMinor }, orderid)
    if (status === "approved")
      assert.strictEqual(atBank.capturedMinor + atBank.releasedMinor, authorizedMinor, `${orderid}: a hold was left`)
    const [first] = arrived.map(({ parameters }) => parameters).filter(isAbout(orderid))
    assert.deepInclude(first, { status }, `${orderid}: what was told first`)
  }
})
