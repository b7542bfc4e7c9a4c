/** Sales, captures and refunds that fail at the bank after their approval: movements back with status and callback, and equal books. */
import { assert, describe, it } from "@effect/vitest"
import { BankTask } from "@pay/gateway/Entities"
import { NotificationListener } from "@pay/gateway/Gateway"
import { Notifications } from "@pay/gateway/Notifications"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Inbox from "../harness/InboxInMemory.ts"
import * as World from "../harness/World.ts"

/** Sends a notification of the bank: the facts as JSON. */
const notify = Effect.fnUntraced(function* (...facts: ReadonlyArray<object>) {
  const adapter = Notifications.checked({
    receive: ({ body }) => Effect.succeed(JSON.parse(Buffer.from(body).toString()))
  })
  const answer = yield* NotificationListener.answers(new Map([["acquirer", adapter]]))
  const { status } = yield* answer({
    ...{ method: "POST", path: "/notifications/acquirer", query: "", headers: {}, remoteAddress: "127.0.0.1" },
    body: JSON.stringify({ facts })
  })
  assert.strictEqual(status, 200)
  yield* World.settled
})

const failure = (reference: string, changes: object = {}) => ({
  ...{ _tag: "Failed", reference, eventId: `failed ${reference}`, message: "returned" },
  ...changes
})
const approval = (reference: string, changes: object = {}) => ({
  _tag: "Outcome",
  ...{
    reference,
    eventId: `approved ${reference}`,
    answer: { _tag: "Approved", approvalCode: "", processorTxId: "T" }
  },
  ...changes
})

/** The bank's books without the request, and its notification. */
const fail = Effect.fnUntraced(function* (reference: string) {
  yield* (yield* SandboxControl).failLate(reference)
  yield* notify(failure(reference))
})

const tasksOf = ({ orderid }: ClientMerchant.Order) =>
  Effect.map(
    Effect.flatMap(Store, (store) => store.find(BankTask, "order", { equals: [orderid], limit: 10 })),
    (tasks) => tasks.map(({ note, state }) => `${state} ${note?.replace(/^.*: /, "")}`)
  )

const amountsOf = (order: ClientMerchant.Order) =>
  Effect.map(
    ClientMerchant.status(order),
    (status) =>
      `${status.status} ${status["transaction-type"]} captured ${status["captured-amount"]} returned ${status["returned-amount"]} left ${status["remaining-amount"]}`
  )

const outcomeOf = (request: ClientMerchant.Asked) =>
  Effect.map(ClientMerchant.statusOf(request), (status) => `${status.status} ${status["error-code"] ?? ""}`.trim())

const settled = <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.tap(request, World.settled)

describe("a request that fails at the bank after its approval", () => {
  it.effect("days later: a sale becomes declined, and its money is booked back", () =>
    Effect.gen(function* () {
      const order = yield* settled(ClientMerchant.create("SALE"))
      yield* World.pass("3 days")
      yield* fail(`${order.orderid}-sale-0`)
      assert.strictEqual(yield* amountsOf(order), "declined sale captured 0.00 returned 0.00 left 0.00")
      assert.strictEqual(yield* outcomeOf(order), "declined 89")
      assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["sale 1042", "saleReturn 1042"])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer()))
  )

  it.effect("a capture: its amount is on hold again, can be captured again, and lapses in the end", () =>
    Effect.gen(function* () {
      const order = yield* settled(ClientMerchant.create("PREAUTH"))
      const capture = yield* settled(ClientMerchant.act("CAPTURE", order))
      yield* fail(`${order.orderid}-capture-1`)
      assert.strictEqual(yield* amountsOf(order), "approved preauth captured 0.00 returned 0.00 left 10.42")
      assert.strictEqual(yield* outcomeOf(capture), "declined 89")
      yield* settled(ClientMerchant.act("CAPTURE", order, { amount: "4.00", currency: "USD" }))
      yield* World.pass("8 days")
      assert.strictEqual(yield* amountsOf(order), "approved capture captured 4.00 returned 0.00 left 0.00")
      assert.deepStrictEqual(yield* ClientMerchant.booked(order), [
        ...["hold 1042", "capture 1042", "capture 1042", "captureReturn 1042", "captureReturn 1042"],
        ...["capture 400", "capture 400", "void 642"]
      ])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer()))
  )

  it.effect("a refund: the money is the merchant's again, and can be refunded again", () =>
    Effect.gen(function* () {
      const order = yield* settled(ClientMerchant.create("SALE"))
      const refund = yield* settled(ClientMerchant.act("RETURN", order))
      yield* fail(`${order.orderid}-refund-1`)
      assert.strictEqual(yield* amountsOf(order), "approved sale captured 10.42 returned 0.00 left 0.00")
      assert.strictEqual(yield* outcomeOf(refund), "declined 89")
      yield* settled(ClientMerchant.act("RETURN", order, { amount: "2.00", currency: "USD" }))
      assert.strictEqual(yield* amountsOf(order), "approved sale captured 10.42 returned 2.00 left 0.00")
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer()))
  )

  it.effect("is reported by one callback, however often the bank says it; an approval after it is a task", () =>
    Effect.gen(function* () {
      const order = yield* settled(
        ClientMerchant.create("SALE", { server_callback_url: "https://shop.example/callback" })
      )
      const reference = `${order.orderid}-sale-0`
      yield* fail(reference)
      yield* notify(failure(reference), failure(reference, { eventId: "again" }))
      yield* ClientMerchant.allIsWell
      yield* notify(approval(reference), approval(reference))
      const { arrived } = yield* Inbox.Inbox
      assert.deepStrictEqual(
        arrived.map(({ parameters }) => parameters.status),
        ["approved", "declined"]
      )
      assert.deepStrictEqual(yield* tasksOf(order), ["open undefined"])
    }).pipe(Effect.provide(World.layer()))
  )

  it.effect("whose approval is not known here yet: the request is declined", () =>
    Effect.gen(function* () {
      const order = yield* settled(ClientMerchant.create("SALE"))
      const control = yield* SandboxControl
      yield* control.forOrder(order.orderid, "refund", { delivery: { _tag: "AnswerLost" } })
      const refund = yield* settled(ClientMerchant.act("RETURN", order))
      yield* fail(`${order.orderid}-refund-1`)
      assert.strictEqual((yield* outcomeOf(refund)).split(" ")[0], "declined")
      assert.deepStrictEqual(yield* tasksOf(order), [])
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer()))
  )
})

describe("a notification that changes nothing of its order, and opens a task", () => {
  const rows: ReadonlyArray<readonly [string, (reference: string) => object, string]> = [
    [
      "a failure of another amount",
      (reference) => failure(reference, { amountMinor: 1 }),
      "it is for 1 minor units, and 1042 were requested"
    ],
    [
      "a failure in another currency",
      (reference) => failure(reference, { currency: "EUR" }),
      "it is in EUR, and the payment is in USD"
    ],
    [
      "an approval in another currency",
      (reference) => approval(reference, { currency: "EUR" }),
      "it is in EUR, and the payment is in USD"
    ],
    [
      "an approval of another amount",
      (reference) =>
        approval(reference, { answer: { _tag: "Approved", approvalCode: "", processorTxId: "T", amountMinor: 1 } }),
      "it is for 1 minor units, and 1042 were requested"
    ]
  ]
  it.effect.each(rows)("%s, once", ([, fact, problem]) =>
    Effect.gen(function* () {
      const order = yield* settled(ClientMerchant.create("SALE"))
      yield* notify(fact(`${order.orderid}-sale-0`))
      yield* notify(fact(`${order.orderid}-sale-0`))
      assert.deepStrictEqual(yield* tasksOf(order), [`open ${problem}`])
      assert.strictEqual(yield* amountsOf(order), "approved sale captured 10.42 returned 0.00 left 0.00")
    }).pipe(Effect.provide(World.layer()))
  )

  it.effect("a failure of a sale that was refunded since", () =>
    Effect.gen(function* () {
      const order = yield* settled(ClientMerchant.create("SALE"))
      yield* settled(ClientMerchant.act("RETURN", order))
      yield* notify(failure(`${order.orderid}-sale-0`))
      assert.strictEqual(yield* amountsOf(order), "approved reversal captured 10.42 returned 10.42 left 0.00")
      assert.deepStrictEqual(yield* tasksOf(order), [
        "open it failed after its approval, and cannot be booked back because the order has gone on since"
      ])
    }).pipe(Effect.provide(World.layer()))
  )
})
