/**
 * One order from preauth to void, with each fault at each of its writes: the process ends there and another continues, or the process
 * runs on without the answer to its write. The result is always the same.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"
import * as EveryWrite from "./EveryWrite.ts"
import * as StoreFault from "./StoreFault.ts"

const server_callback_url = "http://shop.example/callback"

/** Repeats a request until it is answered: as the same payment, or under the same Idempotency-Key. */
const insist = <A, E, R>(ask: Effect.Effect<A, E, R>) => Effect.retry(ask, { times: 2 })

/** Passes enough time for a lease to end and for a lost request to be sent again. */
const rest = World.pass("5 minutes")

const scenario = Effect.gen(function* () {
  const order = yield* insist(ClientMerchant.create("PREAUTH", { client_orderid: "scenario", server_callback_url }))
  yield* rest
  const follow = (name: "CAPTURE" | "RETURN" | "VOID", amount: string | undefined) =>
    insist(
      ClientMerchant.act(name, order, amount === undefined ? {} : { amount, currency: "USD" }, {
        idempotencyKey: `scenario-${name}`
      })
    ).pipe(Effect.andThen(rest))
  yield* follow("CAPTURE", "4.00")
  yield* follow("RETURN", "1.00")
  yield* follow("VOID", undefined)
  return order
})

const look = Effect.fnUntraced(function* (order: ClientMerchant.Asked) {
  const status = yield* ClientMerchant.status(order)
  assert.deepInclude(status, {
    status: "approved",
    "transaction-type": "capture",
    "captured-amount": "4.00",
    "returned-amount": "1.00",
    "remaining-amount": "0.00"
  })
  assert.deepStrictEqual(yield* ClientMerchant.booked(order), [
    "hold 1042",
    "capture 400",
    "capture 400",
    "refund 100",
    "void 642"
  ])
  assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [
    "authorize 1042 Approved",
    "capture 400 Approved",
    "refund 100 Approved",
    "void 642 Approved"
  ])
  const { arrived } = yield* Inbox
  const events = new Set(arrived.map(({ headers, parameters }) => `${headers["webhook-id"]} ${parameters.type}`))
  assert.deepStrictEqual(
    [...events],
    ["preauth", "capture", "reversal", "cancel"].map((type, n) => `${order.orderid}-${n + 1} ${type}`)
  )
  assert.isAtMost(arrived.length, 5)
  yield* ClientMerchant.allIsWell
})

describe("requests under way when a process ends", () => {
  it.live("are continued by the next process at once, before the lease ends", () =>
    Effect.gen(function* () {
      const fault = StoreFault.make(2, "the process ends before it")
      const order = yield* Effect.provide(
        Effect.tap(ClientMerchant.create("SALE"), () => fault.over),
        EveryWrite.gatewayWith(fault),
        { local: true }
      )
      const status = yield* Effect.provide(
        Effect.andThen(World.settled, ClientMerchant.status(order)),
        World.gateway(),
        {
          local: true
        }
      )
      assert.strictEqual(status.status, "approved")
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
    }).pipe(Effect.provide(World.outside(), { local: true }))
  )
})

/** Four requests, each with three writes: its acceptance, the bank's answer, the callback. */
EveryWrite.suite("an order from preauth to void", 12, Effect.flatMap(scenario, look))
