import { assert, describe, it } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import type { AttemptReference } from "@pay/gateway/BankBooks"
import * as Decision from "@pay/gateway/Decision"
import { CallbackEvent, Evidence, LedgerEntry, Order, OrderRequest } from "@pay/gateway/Entities"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import * as Contract from "@pay/sandbox/Contract"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect, Redacted, Schedule, Schema } from "effect"
import * as Merchants from "../harness/Merchants.ts"
import { ask } from "../harness/Operating.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as Copies from "./Copies.ts"

const Tasks = Schema.decodeUnknownSync(
  Schema.Struct({
    tasks: Schema.Array(
      Schema.Struct({ id: Schema.String, state: Schema.String, answer: Schema.String, amount: Schema.String })
    )
  })
)

const tasks = (state: string) =>
  Effect.map(ask("GET", `/operator/tasks?state=${state}`), ({ body }) => Tasks(body).tasks)

/** The bank's answer is lost, the order ends declined meanwhile, and the bank says approved when it is asked again. */
const approvedTooLate = Effect.fnUntraced(function* (name: TestMerchant.Creation) {
  const { next } = yield* SandboxControl
  const store = yield* Store
  yield* next("authorize", { delivery: { _tag: "AnswerLost" } })
  const order = yield* TestMerchant.order(name)
  const row = yield* store.load(Order, [order.orderid])
  const request = row === undefined ? undefined : yield* store.load(OrderRequest, [row.requestId])
  assert(row !== undefined && request !== undefined)
  yield* store.commit({
    guards: [],
    writes: [
      Decision.put(Order, {
        ...row,
        version: row.version + 1,
        state: "declined",
        errorCode: 100,
        errorMessage: "Declined"
      }),
      Decision.put(OrderRequest, { ...request, progress: "declined", finishedAtMs: row.createdAtMs })
    ]
  })
  yield* TestMerchant.pass("1 hour")
  return order
})

/** The request arrives at the bank after all. */
const bookedLate = (orderId: string, reference: AttemptReference) =>
  Effect.flatMap(Acquirer, ({ authorize }) =>
    authorize({
      ...{ reference, orderId, clientOrderId: "late", merchantId: TestGateway.login },
      ...{ amountMinor: 1042, currency: "USD", capture: true },
      card: {
        pan: Redacted.make("4444555566661111"),
        cvv: Redacted.make("123"),
        ...{ expireMonth: 12, expireYear: 2099, cardholder: "JANE DOE" }
      }
    })
  )

/** A reversal that the gateway sent earlier, as far as it knows: in vain. */
const refusedAndMade = Effect.fnUntraced(function* (orderId: string, reference: AttemptReference) {
  const store = yield* Store
  const { followUp } = yield* Acquirer
  const answer = JSON.stringify({ _tag: "Declined", code: 100, message: "Declined" })
  const evidence = { evidenceId: "1", reference, orderId, answer, atMs: 0 }
  yield* store.commit({ guards: [], writes: [Decision.append(Evidence, evidence)] })
  yield* followUp("refund", {
    ...{ reference, orderId, clientOrderId: "late", merchantId: TestGateway.login },
    original: Contract.originalOf(`${orderId}-sale-0`, { amountMinor: 1042 }),
    ...{ amountMinor: 1042, currency: "USD" }
  })
})

const rowsOf = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* Store
  const range = { equals: [orderId], limit: 100 }
  return [yield* store.find(LedgerEntry, "order", range), yield* store.find(CallbackEvent, "order", range)] as const
})

const findings = Effect.map(Reconciliation.check, (report) => report.findings.map(({ where }) => where))

const compared = ask("POST", "/operator/reconciliation").pipe(
  Effect.andThen(
    Effect.repeat(ask("GET", "/operator/reconciliation"), {
      until: ({ body }) => body.state !== "running",
      schedule: Schedule.spaced("1 millis")
    })
  )
)

describe("a late approval of a declined payment", () => {
  it.live("changes nothing of the order, is stored as evidence and opens a task", () =>
    Effect.gen(function* () {
      const order = yield* approvedTooLate("SALE")
      assert.include(yield* TestMerchant.orderStatus(order), "declined sale 0.00 0.00")
      assert.deepStrictEqual(yield* rowsOf(order.orderid), [[], []])
      const id = `${order.orderid}-sale-0.approved`
      assert.deepStrictEqual(yield* tasks("open"), [{ id, state: "open", answer: "approved", amount: "10.42" }])
      const { text } = yield* ask("GET", `/operator/orders/${order.orderid}`)
      assert.include(text, "Approved")
      assert.include((yield* ask("GET", "/metrics")).text, "pay_tasks_open 1")
      assert.isNotEmpty(yield* findings)
      const { books } = yield* SandboxControl
      assert.deepInclude(yield* books.totals(order.orderid), { capturedMinor: 1042, refundedMinor: 0 })

      assert.strictEqual(
        (yield* ask("POST", `/operator/tasks/${id}/reverse`, { note: "told it is declined" })).status,
        202
      )
      yield* TestMerchant.settled
      assert.deepInclude(yield* books.totals(order.orderid), { capturedMinor: 1042, refundedMinor: 1042 })
      assert.deepStrictEqual(yield* tasks("open"), [])
      assert.lengthOf(yield* tasks("reversed"), 1)
      assert.strictEqual((yield* ask("POST", `/operator/tasks/${id}/close`, { note: "again" })).status, 409)
      assert.deepStrictEqual(yield* findings, [])
    }).pipe(Effect.provide(TestGateway.layer()))
  )

  it.live("opens a task at reconciliation if only the bank's list shows it", () =>
    Effect.gen(function* () {
      const { books, forReference, next } = yield* SandboxControl
      yield* next("authorize", { delivery: { _tag: "NotSent" } })
      const order = yield* TestMerchant.order("SALE")
      yield* TestMerchant.pass("1 hour")
      assert.include(yield* TestMerchant.orderStatus(order), "error")
      const reference: AttemptReference = `${order.orderid}-sale-0`
      yield* forReference(reference, { delivery: { _tag: "Answered" } })
      yield* bookedLate(order.orderid, reference)
      yield* compared
      yield* compared
      assert.deepStrictEqual(
        (yield* tasks("open")).map(({ id }) => id),
        [`${reference}.approved`]
      )
      const reversed = yield* ask("POST", `/operator/tasks/${reference}.approved/reverse`, { note: "never sold" })
      assert.strictEqual(reversed.status, 202)
      yield* TestMerchant.settled
      assert.deepInclude(yield* books.totals(order.orderid), { capturedMinor: 1042, refundedMinor: 1042 })
      assert.deepStrictEqual(yield* findings, [])
    }).pipe(Effect.provide(TestGateway.layer()))
  )

  const cases = [
    ["SALE", { capturedMinor: 1042, refundedMinor: 1042 }],
    ["PREAUTH", { authorizedMinor: 1042, voidedMinor: 1042 }]
  ] as const
  const reversing = Merchants.both({ [TestGateway.endpoints.usd]: { unexpectedApproval: "reverse" } })
  it.live("waits for an operator if the payment is from before a restore, also on an endpoint that is set so", () =>
    Copies.restored(
      Effect.fnUntraced(function* (backup) {
        const { next } = yield* SandboxControl
        yield* next("authorize", { delivery: { _tag: "NotSent" } })
        const order = yield* TestMerchant.order("SALE")
        yield* TestMerchant.pass("1 hour")
        yield* backup
        return order
      }),
      Effect.fnUntraced(function* ({ orderid }) {
        yield* Copies.enumerated
        const { books, forReference } = yield* SandboxControl
        const reference: AttemptReference = `${orderid}-sale-0`
        yield* forReference(reference, { delivery: { _tag: "Answered" } })
        yield* bookedLate(orderid, reference)
        yield* Effect.andThen(compared, compared)
        yield* TestMerchant.pass("1 hour")
        assert.lengthOf(yield* tasks("open"), 1)
        assert.deepInclude(yield* books.totals(orderid), { capturedMinor: 1042, refundedMinor: 0 })
      }),
      { before: { merchants: reversing }, after: { merchants: reversing } }
    )
  )

  it.live.each(cases)("of a %s is reversed at once on an endpoint that is set so", ([name, expected]) =>
    Effect.gen(function* () {
      const order = yield* approvedTooLate(name)
      assert.include(yield* TestMerchant.orderStatus(order), "declined")
      const { books, violations } = yield* SandboxControl
      assert.deepInclude(yield* books.totals(order.orderid), expected)
      assert.deepStrictEqual([yield* tasks("open"), yield* violations], [[], []])
      assert.lengthOf(yield* tasks("reversed"), 1)
      assert.deepStrictEqual(yield* findings, [])
    }).pipe(
      Effect.provide(
        TestGateway.layer({
          merchants: reversing
        })
      )
    )
  )

  it.live("is reversed once if the answers to the reversal are lost", () =>
    Effect.gen(function* () {
      const { books, next, violations } = yield* SandboxControl
      yield* next("refund", { delivery: { _tag: "AnswerLost" } })
      const order = yield* approvedTooLate("SALE")
      assert.deepInclude(yield* books.totals(order.orderid), { capturedMinor: 1042, refundedMinor: 1042 })
      assert.lengthOf(
        (yield* books.ofOrder(order.orderid)).filter(({ request }) => request.kind === "refund"),
        1
      )
      assert.lengthOf(yield* tasks("reversed"), 1)
      assert.deepStrictEqual(yield* violations, [])
    }).pipe(
      Effect.provide(
        TestGateway.layer({
          merchants: reversing
        })
      )
    )
  )

  it.live("opens its own task if the bank's list shows a reversal that the bank had refused", () =>
    Effect.gen(function* () {
      const order = yield* approvedTooLate("SALE")
      const id = `${order.orderid}-sale-0.approved`
      const reference: AttemptReference = `${order.orderid}-refund-9`
      yield* refusedAndMade(order.orderid, reference)
      yield* compared
      yield* compared
      const open = yield* tasks("open")
      assert.deepStrictEqual(open.map((task) => task.id).sort(), [`${reference}.approved`, id])
      assert.include(yield* findings, `booking ${reference} at the bank`)
      for (const task of open) yield* ask("POST", `/operator/tasks/${task.id}/close`, { note: "it is given back" })
      assert.deepStrictEqual(yield* findings, [])
    }).pipe(Effect.provide(TestGateway.layer()))
  )
})
