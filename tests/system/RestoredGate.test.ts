/** A restored copy that does not know yet what bank and rail have booked: nobody creates, moves or ends an order. */
import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { RailControl } from "@pay/sandbox/RailControl"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Redacted } from "effect"
import * as Unexpected from "../../gateway/gateway/src/orders/decide/Unexpected.ts"
import { BankTask } from "../../gateway/gateway/src/orders/record/BankTask.ts"
import * as Approver from "../harness/Approver.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as Operating from "../harness/Operating.ts"
import * as PayoutPage from "../harness/PayoutPage.ts"
import * as Recurring from "../harness/Recurring.ts"
import * as TestGateway from "../harness/TestGateway.ts"
import * as TestMerchant from "../harness/TestMerchant.ts"
import * as TestPayouts from "../harness/TestPayouts.ts"
import * as Copies from "./Copies.ts"

const { approval, threeds3dsGateway, threedsMerchant } = TestGateway.endpoints
const { TDS_UPLOAD_CRES_RESULT } = PayApi.operations
const tokens = { alice: "the token of alice", bob: "the token of bob" }
const [alice, bob] = [Operating.as(tokens.alice), Operating.as(tokens.bob)]
const operators = Object.entries(tokens).map(([name, token]) => ({ name, token: Redacted.make(token) }))

const made = (clientOrderId: string) => TestMerchant.order("SALE", { client_orderid: clientOrderId })
const path = (url: string) => new URL(url).pathname
const visit = (page: string, form: TestMerchant.Fields) =>
  Effect.flatMap(HostedPage.baseUrl, (base) => HostedPage.visit(`${base}${page}`, { form }))

/** The bank says that it approved the order after all: an operator may have it reversed. */
const contradicted = Effect.fnUntraced(function* ({ orderid }: TestMerchant.Order) {
  const store = yield* Store
  const order = yield* store.load(Order, [orderid])
  assert(order !== undefined)
  const statement = { source: "bank", reference: `${orderid}-sale-0`, verdict: "approved", amountMinor: 1042 } as const
  const task = Unexpected.taskOf(order, statement, false, order.createdAtMs)
  yield* store.commit({ guards: [], writes: [Decision.put(BankTask, task)] })
  return task.taskId
})

const challenged = {
  ...Sample.browser,
  ...{ credit_card_number: "4444000011118888", redirect_url: "https://shop.example/back" }
}

/** Orders of the copy, each in a state in which somebody may act on it. */
const orders = Effect.gen(function* () {
  const unknown = yield* TestMerchant.order("SALE", { cvv2: "217" })
  yield* TestMerchant.pass("1 hour")
  const resolution = { as: "declined", evidence: "Ms Smith of the bank, by telephone" }
  yield* alice("POST", `/operator/orders/${unknown.orderid}/resolve`, resolution)
  const declined = yield* TestMerchant.order("SALE", { cvv2: "116" })
  yield* TestMerchant.settled
  const task = yield* contradicted(declined)
  const page = yield* HostedPage.open("page")
  const cancelled = yield* HostedPage.open("cancelled")
  const payoutPage = yield* PayoutPage.open()
  const waiting = yield* TestPayouts.made("PAYOUT", TestPayouts.plain, { endpointId: approval })
  const threeds = yield* TestMerchant.order("SALE", challenged, { endpointId: threedsMerchant })
  const returning = yield* TestMerchant.order("SALE", challenged, { endpointId: threeds3dsGateway })
  yield* TestMerchant.settled
  const { "redirect-to": issuer } = yield* TestMerchant.status(returning, { endpointId: threeds3dsGateway })
  const answer = yield* (yield* ThreeDSControl).play(returning.orderid, "pass")
  const { id: subscription } = yield* Recurring.created({ period: "yearly" })
  const sold = yield* made("sold")
  yield* TestMerchant.settled
  return {
    ...{ unknown, task, waiting, threeds, subscription, sold },
    returning: { path: path(String(issuer)), cres: answer._tag === "CRes" ? answer.cres : "" },
    page: { order: page.names, path: path(page.url) },
    cancelled: { order: cancelled.names, path: path(cancelled.url) },
    payoutPage: { order: payoutPage.order, path: path(payoutPage.url) }
  }
})
type Orders = Effect.Success<typeof orders>

const is503 = <E, R>(request: Effect.Effect<{ readonly status: number }, E, R>) =>
  Effect.map(request, ({ status }) => status === 503)

/** Whether the order does not change with the action. */
const unchanged = <A, E, R, E2, R2>(action: Effect.Effect<A, E, R>, read: Effect.Effect<unknown, E2, R2>) =>
  Effect.gen(function* () {
    const before = yield* read
    yield* Effect.andThen(action, TestMerchant.settled)
    return JSON.stringify(before) === JSON.stringify(yield* read)
  })

const bookings = Effect.gen(function* () {
  const [bank, rail] = [yield* SandboxControl, yield* RailControl]
  return [(yield* bank.books.all).length, (yield* rail.books.all).length]
})
const stateOf = (order: TestMerchant.Named) =>
  Effect.zip(
    Effect.map(TestMerchant.status(order), (answer) => [answer.status, answer["order-stage"]]),
    bookings
  )

const confirmed = (orderId: string) => Operating.confirm(bob, orderId, { as: "declined" })
const card = { ...HostedPage.goodCard, attempts: "0" }

/** Each way to act on an order, and whether it was refused. */
const acts = {
  "a new order": () => is503(TestMerchant.create("SALE", { client_orderid: TestMerchant.freshId() })),
  "a follow-up": ({ sold }: Orders) => is503(TestMerchant.act("RETURN", sold)),
  "a card on a hosted page": ({ page }: Orders) => unchanged(visit(page.path, card), stateOf(page.order)),
  "a cancellation on a hosted page": ({ cancelled }: Orders) =>
    unchanged(visit(cancelled.path, { attempts: "0", action: "cancel" }), stateOf(cancelled.order)),
  "a recipient on a hosted page": ({ payoutPage }: Orders) =>
    unchanged(
      visit(payoutPage.path, { attempts: "0", action: "pay", ...PayoutPage.toAccount }),
      stateOf(payoutPage.order)
    ),
  "an approval": ({ waiting }: Orders) => is503(Approver.decide(waiting.orderid, "approve")),
  "a 3-D Secure upload": ({ threeds: { client_orderid, orderid } }: Orders) =>
    is503(
      TestGateway.post(
        TDS_UPLOAD_CRES_RESULT,
        { login: TestGateway.login, "client-order-id": client_orderid, orderid, cRes: "e30" },
        { endpointId: threedsMerchant }
      )
    ),
  "a browser that returns from the issuer": ({ returning }: Orders) =>
    unchanged(
      visit(`${returning.path}/challenge`, { cres: returning.cres }),
      Effect.map(
        Effect.flatMap(HostedPage.baseUrl, (base) => HostedPage.visit(`${base}${returning.path}/state`)),
        ({ body }) => body
      )
    ),
  "a change of a recurring payment": ({ subscription }: Orders) =>
    is503(Recurring.update(subscription, { change: "pause" })),
  "the second operator's word on an unknown outcome": ({ unknown }: Orders) => is503(confirmed(unknown.orderid)),
  "an operator's reversal": ({ task }: Orders) =>
    is503(alice("POST", `/operator/tasks/${task}/reverse`, { note: "the shop was told that it is declined" }))
}
const ways = Object.entries(acts)

describe("a restored gateway that does not know the bookings yet", () => {
  it.live("refuses each act on an order, and takes it once they are listed", () =>
    Copies.restored(
      (backup) => Effect.tap(orders, () => backup),
      Effect.fnUntraced(function* (given) {
        const taken = Effect.gen(function* () {
          const names: Array<string> = []
          for (const [name, act] of ways) if (!(yield* act(given))) names.push(name)
          return names
        })
        assert.deepStrictEqual(yield* taken, [])
        yield* Copies.enumerated
        assert.deepStrictEqual(yield* taken, Object.keys(acts))
      }),
      { before: { operators }, after: { operators } }
    )
  )
})
