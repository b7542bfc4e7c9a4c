/** A hold that the bank refuses to release: one task, until the hold is released or an operator has closed the task. */
import { assert, describe, it } from "@effect/vitest"
import { CallbackEvent, Job } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { approve, decline } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Effect, Schema } from "effect"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"

const Tasks = Schema.decodeUnknownSync(
  Schema.Struct({
    tasks: Schema.Array(
      Schema.Struct({
        id: Schema.String,
        amount: Schema.String,
        can: Schema.Array(Schema.String),
        closedBy: Schema.NullOr(Schema.String)
      })
    )
  })
)

const tasks = (state: string) =>
  Effect.map(ask("GET", `/operator/tasks?state=${state}`), ({ body }) => Tasks(body).tasks)

/** How often the bank was asked to release it. */
const releases = (orderId: string) =>
  Effect.flatMap(SandboxControl, ({ books }) =>
    Effect.map(books.ofOrder(orderId), (all) => all.filter(({ request }) => request.kind === "void").length)
  )

const heldOrder = Effect.gen(function* () {
  const { forOrder } = yield* SandboxControl
  const order = yield* TestMerchant.order("PREAUTH", { server_callback_url: "http://127.0.0.1:1/nobody" })
  yield* forOrder(order.orderid, "void", { verdict: decline(declines.doNotHonour) })
  yield* TestMerchant.pass("246 hours")
  return { id: `${order.orderid}-hold.declined`, orderId: order.orderid, order }
})

/** The statuses of the merchant's callbacks about releases. */
const voidStatuses = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* Store
  const events = yield* store.find(CallbackEvent, "order", { equals: [orderId], limit: 100 })
  return events.flatMap(({ query }) => {
    const fields = new URLSearchParams(query)
    return fields.get("type") === "cancel" ? [fields.get("status")] : []
  })
})

const assertOver = Effect.gen(function* () {
  const store = yield* Store
  assert.deepStrictEqual((yield* Reconciliation.check).findings, [])
  assert.deepStrictEqual(yield* store.find(Job, "due", { equals: ["lapse"], limit: 10 }), [])
})

describe("a hold that the bank refuses to release", () => {
  it.live("is one operator task, which closes when the bank releases it", () =>
    Effect.gen(function* () {
      const { id, orderId } = yield* heldOrder
      assert.deepStrictEqual(yield* tasks("open"), [{ id, amount: "10.42", can: ["close"], closedBy: null }])
      assert.strictEqual(yield* releases(orderId), 4)
      assert.include((yield* ask("GET", "/metrics")).text, "pay_tasks_open 1")
      const { forOrder } = yield* SandboxControl
      yield* forOrder(orderId, "void", { verdict: approve })
      yield* TestMerchant.pass("1 day")
      assert.deepStrictEqual(yield* tasks("open"), [])
      assert.deepInclude(yield* tasks("closed"), { id, amount: "10.42", can: [], closedBy: "gateway" })
      yield* assertOver
    }).pipe(Effect.provide(TestGateway.layer()))
  )

  it.live("causes a callback at the first refusal and one at the release", () =>
    Effect.gen(function* () {
      const { orderId } = yield* heldOrder
      assert.deepStrictEqual(yield* voidStatuses(orderId), ["declined"])
      const { forOrder } = yield* SandboxControl
      yield* forOrder(orderId, "void", { verdict: approve })
      yield* TestMerchant.pass("1 day")
      assert.deepStrictEqual(yield* voidStatuses(orderId), ["declined", "approved"])
    }).pipe(Effect.provide(TestGateway.layer()))
  )

  it.live("closes its task when the rest is captured", () =>
    Effect.gen(function* () {
      const { order } = yield* heldOrder
      yield* TestMerchant.act("CAPTURE", order)
      yield* TestMerchant.settled
      assert.lengthOf(yield* tasks("closed"), 1)
      yield* assertOver
    }).pipe(Effect.provide(TestGateway.layer()))
  )

  it.live("is not released again after an operator closed its task", () =>
    Effect.gen(function* () {
      const { id, orderId } = yield* heldOrder
      assert.strictEqual(
        (yield* ask("POST", `/operator/tasks/${id}/close`, { note: "The bank has let it expire" })).status,
        200
      )
      yield* TestMerchant.pass("30 days")
      assert.strictEqual(yield* releases(orderId), 4)
      assert.deepStrictEqual(yield* tasks("open"), [])
      yield* assertOver
    }).pipe(Effect.provide(TestGateway.layer()))
  )
})
