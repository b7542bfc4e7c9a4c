/** A bank or rail answers, and what follows from the answer can never be committed: the money stays in sight. */

import { assert, describe, it } from "@effect/vitest"
import { AcquirerError, AnswerLost } from "@pay/gateway/Acquirer"
import type * as Decision from "@pay/gateway/Decision"
import { Evidence, Job, Order, OrderRequest } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as ThreeDSTestCards from "@pay/sandbox/ThreeDSTestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import * as Unexpected from "../../gateway/gateway/src/orders/decide/Unexpected.ts"
import { BankTask } from "../../gateway/gateway/src/orders/record/BankTask.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { endpoints } from "../harness/Credentials.ts"
import * as World from "../harness/World.ts"

type Service = Store["Service"]

/** A store that refuses each commit of an answer that makes this kind of change, while `broken`. */
const refusing = (refuses: (write: Decision.Write) => boolean) => {
  const state = { broken: true, refused: 0 }
  const spoilStore = (store: Service): Service => ({
    ...store,
    commit: (decision) => {
      const isOfAnswer = decision.guards.some(
        (guard) => guard._tag === "LeaseIs" && /^(bank|rail|reversal|threeds):/.test(guard.jobId)
      )
      if (!state.broken || !isOfAnswer || !decision.writes.some(refuses)) return store.commit(decision)
      state.refused += 1
      return Effect.die(new Error("the table does not allow this"))
    }
  })
  return { state, spoilStore }
}

const books = () => refusing(({ _tag }) => _tag === "Post")
/** Also refuses that the outcome of the request becomes unknown. */
const everything = () =>
  refusing((write) => "row" in write && (write.entity === Order || write.entity === OrderRequest))

const everyOrder = { limit: 1000 }

const rowsOf = Effect.fnUntraced(function* ({ orderid }: ClientMerchant.Order) {
  const store = yield* Store
  const evidence = yield* store.find(Evidence, "order", { equals: [orderid], ...everyOrder })
  const tasks = yield* store.find(BankTask, "order", { equals: [orderid], ...everyOrder })
  const requests = yield* store.find(OrderRequest, "order", { equals: [orderid], ...everyOrder })
  return {
    evidence: evidence.map(({ answer, reference }) => `${reference} ${answer}`),
    tasks: tasks.map(({ note, state, taskId }) => `${taskId} ${state} ${note}`),
    unknown: requests.filter(({ progress }) => progress === "unknown").length
  }
})

const approvedOrder = (name: "SALE" | "PREAUTH") => Effect.tap(ClientMerchant.create(name), () => World.settled)
const payoutFields = { amount: "10.42", currency: "USD", account_number: "DE89370400440532013000" }
let count = 0
const payOut = Effect.suspend(() => {
  count += 1
  return ClientMerchant.send("PAYOUT", { client_orderid: `uncommitted-${count}`, ...payoutFields })
})

/** A request, what precedes it, and its reference at the bank without the order's number. */
const requests: ReadonlyArray<
  readonly [
    name: string,
    before: Effect.Effect<ClientMerchant.Order | undefined, unknown, World.Services>,
    send: (order: ClientMerchant.Order | undefined) => Effect.Effect<ClientMerchant.Order, unknown, World.Services>,
    reference: string
  ]
> = (
  [
    ["sale", undefined, () => ClientMerchant.create("SALE"), "sale-0"],
    ["preauth", undefined, () => ClientMerchant.create("PREAUTH"), "authorize-0"],
    ["payout", undefined, () => payOut, "pay-0"],
    ["capture", "PREAUTH", (order) => ClientMerchant.act("CAPTURE", order), "capture-1"],
    ["void", "PREAUTH", (order) => ClientMerchant.act("VOID", order), "void-1"],
    ["return", "SALE", (order) => ClientMerchant.act("RETURN", order), "refund-1"],
    ["lapse", "PREAUTH", (order) => Effect.as(World.pass("7 days"), order), "void-1"]
  ] as const satisfies ReadonlyArray<
    readonly [
      string,
      "SALE" | "PREAUTH" | undefined,
      (order: ClientMerchant.Order) => Effect.Effect<ClientMerchant.Order, unknown, World.Services>,
      string
    ]
  >
).map(([name, creation, send, reference]) => [
  name,
  creation === undefined ? Effect.undefined : approvedOrder(creation),
  (order) => send(order ?? { orderid: "", client_orderid: "" }),
  reference
])

describe.each([
  ["its bookings", books],
  ["any change of the order", everything]
] as const)("an answer of which %s cannot be committed", (what, breaking) => {
  it.live.each(requests)(
    "of a %s is evidence with a task, and applied once it can be",
    ([, before, send, reference]) => {
      const { spoilStore, state } = breaking()
      return Effect.gen(function* () {
        const store = yield* Store
        state.broken = false
        const first = yield* before
        state.broken = true
        const order = yield* send(first)
        yield* World.settled
        const { evidence, tasks, unknown } = yield* rowsOf(order)
        const name = `${order.orderid}-${reference}`
        assert.lengthOf(evidence, 1)
        assert.match(evidence[0] ?? "", new RegExp(`^${name} \\{"_tag":"Approved".*the table does not allow this`))
        assert.deepStrictEqual(tasks, [
          `${name}.uncommitted open The answer cannot be committed: the table does not allow this`
        ])
        assert.strictEqual(unknown, what === "its bookings" ? 1 : 0)
        const refusedAtFirst = state.refused
        yield* World.pass("30 days")
        assert.isAtMost(state.refused - refusedAtFirst, 100, "the job does not spin")
        assert.lengthOf((yield* rowsOf(order)).evidence, 1)
        state.broken = false
        yield* World.pass("2 days")
        const done = yield* rowsOf(order)
        assert.strictEqual(done.unknown, 0)
        assert.match(done.tasks[0] ?? "", /uncommitted closed/)
        assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
        assert.deepStrictEqual(yield* store.find(Job, "due", { equals: ["bank"], ...everyOrder }), [])
        yield* ClientMerchant.allIsWell
      }).pipe(Effect.provide(World.layer({ spoilStore }), { local: true }))
    }
  )
})

describe("a lost answer and then an approval, of which nothing can be committed", () => {
  it.live("are both evidence, and the task says that the bank approved", () => {
    const { spoilStore } = everything()
    return Effect.gen(function* () {
      const store = yield* Store
      const order = yield* approvedOrder("SALE")
      const answered = Effect.map(store.find(BankTask, "order", { equals: [order.orderid], ...everyOrder }), (tasks) =>
        tasks.map(({ answer, state, version }) => [answer, state, version])
      )
      assert.deepStrictEqual(yield* answered, [["unknown", "open", 1]])
      yield* World.pass("30 days")
      const { evidence } = yield* rowsOf(order)
      assert.lengthOf(evidence, 2)
      assert.match(evidence.join(), /"_tag":"Lost".*"_tag":"Approved"/)
      assert.deepStrictEqual(yield* answered, [["approved", "open", 2]])
    }).pipe(
      Effect.provide(
        World.layer({
          spoilStore,
          spoilBank: (bank) => ({
            ...bank,
            authorize: (request) =>
              Effect.andThen(
                bank.authorize(request),
                Effect.fail(new AcquirerError({ reason: new AnswerLost({ message: "reset" }) }))
              )
          })
        }),
        { local: true }
      )
    )
  })
})

describe("an approval of more than was requested", () => {
  it.live("is evidence with a task, and changes nothing of the order", () =>
    Effect.gen(function* () {
      const order = yield* approvedOrder("SALE")
      const { evidence, tasks } = yield* rowsOf(order)
      assert.lengthOf(evidence, 1)
      assert.deepStrictEqual(tasks, [
        `${order.orderid}-sale-0.uncommitted open The answer cannot be committed: it is for 1043 minor units, and 1042 were requested`
      ])
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "unknown")
      assert.deepStrictEqual(yield* ClientMerchant.booked(order), [])
    }).pipe(
      Effect.provide(
        World.layer({
          spoilBank: (bank) => ({
            ...bank,
            authorize: (request) =>
              Effect.map(bank.authorize(request), (answer) =>
                answer._tag === "Approved" ? { ...answer, amountMinor: request.amountMinor + 1 } : answer
              )
          })
        }),
        { local: true }
      )
    )
  )
})

describe("a decline after an approval of more than was requested", () => {
  it.live("ends the order, and leaves the task about the approval to a person", () =>
    Effect.gen(function* () {
      const order = yield* approvedOrder("SALE")
      yield* World.pass("30 days")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "declined")
      assert.match((yield* rowsOf(order)).tasks.join(), /\.uncommitted open /)
    }).pipe(
      Effect.provide(
        World.layer({
          spoilBank: (bank) => ({
            ...bank,
            authorize: (request) =>
              Effect.map(bank.authorize(request), (answer) =>
                answer._tag === "Approved" ? { ...answer, amountMinor: request.amountMinor + 1 } : answer
              ),
            inquire: () => Effect.succeed({ _tag: "Declined", code: 5, message: "Do not honour" } as const)
          })
        }),
        { local: true }
      )
    )
  )
})

describe("an answer to a reversal that cannot be committed", () => {
  it.live("gives its task back to an operator, with the answer", () => {
    const { spoilStore, state } = refusing(
      (write) => "row" in write && write.entity === BankTask && write.row.state === "reversed"
    )
    return Effect.gen(function* () {
      const store = yield* Store
      const sale = yield* approvedOrder("SALE")
      const order = yield* store.load(Order, [sale.orderid])
      assert.isDefined(order)
      const statement = {
        source: "bank",
        reference: `${sale.orderid}-sale-0`,
        verdict: "approved",
        amountMinor: 1042
      } as const
      const task = Unexpected.taskOf(order, statement, true, World.startMs)
      yield* store.commit({ guards: [], writes: Unexpected.writesOf(task, World.startMs) })
      yield* World.settled
      assert.strictEqual(state.refused, 1)
      const { evidence, tasks } = yield* rowsOf(sale)
      assert.match(evidence.join(), /-refund-1 \{"_tag":"Approved"/)
      assert.match(
        tasks.join(),
        /-sale-0.approved open The bank answered Approved to the reversal \S+-refund-1, .* the table/
      )
      assert.deepStrictEqual(yield* store.find(Job, "due", { equals: ["reversal"], ...everyOrder }), [])
    }).pipe(Effect.provide(World.layer({ spoilStore }), { local: true }))
  })
})

describe("an answer of the 3-D Secure server that cannot be committed", () => {
  it.live("is evidence, and the payment is not authenticated", () => {
    const { spoilStore, state } = refusing((write) => "row" in write && write.row.transStatus === "Y")
    const endpointId = endpoints.threeds3dsGateway
    return Effect.gen(function* () {
      const order = yield* ClientMerchant.send(
        "SALE",
        {
          ...Sample.request(PayApi.operations.SALE),
          client_orderid: "threeds",
          redirect_url: "https://shop.example/back",
          credit_card_number: ThreeDSTestCards.cards.find(({ name }) => name === "frictionless")?.number ?? ""
        },
        { endpointId }
      )
      yield* World.pass("1 hour")
      assert.isAbove(state.refused, 0)
      const { evidence } = yield* rowsOf(order)
      assert.match(evidence.join(), new RegExp(`^${order.orderid}-threeds-1 .*the table does not allow this`))
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "declined")
      assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [])
      assert.isAtMost(state.refused, 10, "the job does not spin")
    }).pipe(Effect.provide(World.layer({ spoilStore }), { local: true }))
  })
})
