/** Several acquirers side by side: an order is at the acquirer of its terminal for its whole life, whatever the configuration becomes. */
import { assert, describe, it } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import { BankBooks } from "@pay/gateway/BankBooks"
import { BankTask } from "@pay/gateway/Entities"
import { Acquirers, NotificationListener } from "@pay/gateway/Gateway"
import { Notifications } from "@pay/gateway/Notifications"
import * as Reconciliation from "@pay/gateway/Reconciliation"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as SandboxWorld from "@pay/sandbox/SandboxWorld"
import { Context, Effect, Exit, Layer } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Credentials from "../harness/Credentials.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"

const { usd } = Credentials.endpoints
const lost = { delivery: { _tag: "AnswerLost" } } as const

/** The control of the second bank. */
class TeaBank extends Context.Service<TeaBank, SandboxControl["Service"]>()("tests/system/TeaBank") {}

/** Two simulated banks: that of every test as `acquirer`, and `tea-bank`. */
const banks = Layer.effectContext(
  Effect.gen(function* () {
    const tea = yield* Layer.build(SandboxWorld.bankLayer())
    const acquirers = new Map([
      ["acquirer", { acquirer: yield* Acquirer, bankBooks: yield* BankBooks }],
      ["tea-bank", { acquirer: Context.get(tea, Acquirer), bankBooks: Context.get(tea, BankBooks) }]
    ])
    return Context.make(Acquirers, acquirers).pipe(Context.add(TeaBank, Context.get(tea, SandboxControl)))
  })
)
const world = () => Layer.provideMerge(banks, World.outside())

/** Both terminals have one MID. */
const terminals = [
  { mid: "M1", acquirer: "tea-bank", currencies: ["USD"] },
  { mid: "M1", currencies: ["EUR"] }
] as const
const merchantsOf = (own: ReadonlyArray<(typeof terminals)[number]>) =>
  Merchants.both({ [usd]: { currencies: ["USD", "EUR"], ...(own.length === 0 ? {} : { terminals: [...own] }) } })
const withTerminals = World.gateway({}, merchantsOf(terminals))
const withoutTerminals = World.gateway({}, merchantsOf([]))

/** What both banks have booked, by their names. */
const booked = ({ orderid }: ClientMerchant.Order) =>
  Effect.gen(function* () {
    const rows = [
      ["acquirer", yield* SandboxControl],
      ["tea-bank", yield* TeaBank]
    ] as const
    const all = yield* Effect.forEach(rows, ([name, { books }]) =>
      Effect.map(books.ofOrder(orderid), (bookings) =>
        bookings.map(({ request }) => `${name} ${request.kind} ${request.amountMinor}`)
      )
    )
    return all.flat()
  })

const tasksOf = ({ orderid }: ClientMerchant.Order) =>
  Effect.flatMap(Store, (store) => store.find(BankTask, "order", { equals: [orderid], limit: 10 }))

describe("the acquirer of a payment", () => {
  it.effect("is that of the terminal for its currency, also for captures and refunds, and both books agree", () =>
    Effect.gen(function* () {
      const tea = yield* ClientMerchant.create("PREAUTH")
      const other = yield* ClientMerchant.create("SALE", { currency: "EUR" })
      yield* World.settled
      yield* ClientMerchant.act("CAPTURE", tea, { amount: "10.00", currency: "USD" })
      yield* World.settled
      for (const order of [tea, other])
        yield* ClientMerchant.act("RETURN", order, { amount: "1.00", currency: order === tea ? "USD" : "EUR" })
      yield* World.settled
      assert.deepStrictEqual(yield* booked(tea), [
        "tea-bank authorize 1042",
        "tea-bank capture 1000",
        "tea-bank refund 100"
      ])
      assert.deepStrictEqual(yield* booked(other), ["acquirer authorize 1042", "acquirer refund 100"])
      yield* ClientMerchant.allIsWell
      assert.deepStrictEqual(yield* (yield* TeaBank).violations, [])
    }).pipe(Effect.provide(Layer.provideMerge(withTerminals, world())))
  )

  it.effect("stays that of its creation when its terminal is removed, also for inquiries", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE").pipe(Effect.tap(World.settled), Effect.provide(withTerminals))
      yield* (yield* TeaBank).forOrder(order.orderid, "refund", lost)
      const fresh = yield* Effect.gen(function* () {
        yield* ClientMerchant.act("RETURN", order)
        yield* World.settled
        yield* World.pass("5 seconds")
        return yield* Effect.tap(ClientMerchant.create("SALE"), World.settled)
      }).pipe(Effect.provide(withoutTerminals))
      assert.deepStrictEqual(yield* booked(order), ["tea-bank authorize 1042", "tea-bank refund 1042"])
      assert.deepStrictEqual(yield* booked(fresh), ["acquirer authorize 1042"])
      const { findings } = yield* Reconciliation.check
      assert.deepStrictEqual(findings, [])
    }).pipe(Effect.provide(world()))
  )
})

describe("an acquirer whose adapter is gone", () => {
  it.effect("sends nothing, ends nothing that was sent, and opens a task that closes when the outcome is known", () =>
    Effect.gen(function* () {
      const acquirers = yield* Acquirers
      const without = new Map([...acquirers].filter(([name]) => name === "acquirer"))
      const begin = Effect.gen(function* () {
        const sold = yield* ClientMerchant.create("SALE")
        yield* World.settled
        yield* (yield* TeaBank).next("authorize", lost)
        return { sold, unknown: yield* Effect.tap(ClientMerchant.create("SALE"), World.settled) }
      })
      const { sold, unknown } = yield* Effect.provide(begin, withTerminals)
      const gone = Effect.gen(function* () {
        const refund = yield* ClientMerchant.act("RETURN", sold)
        yield* World.settled
        const [task] = yield* tasksOf(sold)
        assert.match(task?.note ?? "", /acquirer tea-bank has no adapter/)
        yield* World.pass("1 hour")
        assert.strictEqual((yield* ClientMerchant.status(unknown)).status, "unknown")
        const { "error-code": code, status } = yield* ClientMerchant.statusOf(refund)
        assert.deepStrictEqual([status, code], ["error", "95"])
        const tasks = [...(yield* tasksOf(sold)), ...(yield* tasksOf(unknown))]
        assert.deepStrictEqual(
          tasks.map(({ answer, reference, state }) => `${reference} ${answer} ${state}`),
          [`${sold.orderid}-refund-1 unknown closed`, `${unknown.orderid}-sale-0 unknown open`]
        )
        const { omissions } = yield* Reconciliation.run()
        assert.include(
          omissions.map(({ what }) => what),
          "2 orders of acquirers without an adapter"
        )
      })
      yield* gone.pipe(Effect.provide(withoutTerminals), Effect.provideService(Acquirers, without))
      assert.deepStrictEqual(yield* booked(sold), ["tea-bank authorize 1042"])
      const back = Effect.gen(function* () {
        yield* World.pass("1 day")
        assert.strictEqual((yield* ClientMerchant.status(unknown)).status, "approved")
        assert.deepStrictEqual(
          (yield* tasksOf(unknown)).map(({ state }) => state),
          ["closed"]
        )
        yield* ClientMerchant.allIsWell
      })
      yield* Effect.provide(back, withoutTerminals)
    }).pipe(Effect.provide(world()))
  )
})

describe("what an acquirer can do", () => {
  it.effect("is asked of that of the terminal: one without eligibility refuses the operation", () =>
    Effect.gen(function* () {
      const acquirers = yield* Acquirers
      const tea = acquirers.get("tea-bank")
      assert(tea !== undefined)
      const { capabilities } = tea.acquirer
      const less = { ...tea, acquirer: { ...tea.acquirer, capabilities: { ...capabilities, eligibility: false } } }
      const card = "4444555566661111"
      const fields = { "client-order-id": "eligible", "sending-card-number": card }
      const ask = Effect.exit(ClientMerchant.call("PAN_ELIGIBILITY_SEND", fields))
      const refused = ask.pipe(
        Effect.provide(withTerminals),
        Effect.provideService(Acquirers, new Map([...acquirers, ["tea-bank", less]]))
      )
      assert.isTrue(Exit.isFailure(yield* refused))
      assert.isTrue(Exit.isSuccess(yield* Effect.provide(ask, withTerminals)))
    }).pipe(Effect.provide(world()))
  )
})

describe("a notification", () => {
  it.effect("of the order's acquirer is applied, and that of another one with the same MID opens a task", () =>
    Effect.gen(function* () {
      yield* (yield* TeaBank).next("authorize", lost)
      const order = yield* Effect.tap(ClientMerchant.create("SALE"), World.settled)
      const adapter = Notifications.checked({
        receive: ({ body }) => Effect.succeed({ facts: JSON.parse(Buffer.from(body).toString()) })
      })
      const names = ["acquirer", "tea-bank"]
      const answer = yield* NotificationListener.answers(new Map(names.map((name) => [name, adapter])))
      const outcome = { _tag: "Approved", approvalCode: "A1", processorTxId: "T1" }
      const fact = { _tag: "Outcome", reference: `${order.orderid}-sale-0`, eventId: "e", mid: "M1", answer: outcome }
      const post = (name: string) =>
        Effect.andThen(
          answer({
            ...{ method: "POST", path: `/notifications/${name}`, query: "", headers: {}, remoteAddress: "127.0.0.1" },
            body: JSON.stringify([fact])
          }),
          World.settled
        )
      yield* post("acquirer")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "unknown")
      const notes = Effect.map(tasksOf(order), (tasks) => tasks.map(({ note }) => note?.split(": ")[1]))
      const wrong = ["it is of the acquirer acquirer, and the payment is of tea-bank"]
      assert.deepStrictEqual(yield* notes, wrong)
      yield* post("tea-bank")
      assert.strictEqual((yield* ClientMerchant.status(order)).status, "approved")
      assert.deepStrictEqual(yield* notes, wrong)
    }).pipe(Effect.provide(Layer.provideMerge(withTerminals, world())))
  )
})

describe("a booking at another acquirer than its order's", () => {
  it.effect("is a difference", () =>
    Effect.gen(function* () {
      const order = yield* ClientMerchant.create("SALE").pipe(Effect.tap(World.settled), Effect.provide(withTerminals))
      const acquirers = yield* Acquirers
      const tea = acquirers.get("tea-bank")?.bankBooks
      const own = acquirers.get("acquirer")
      assert(tea !== undefined && own !== undefined)
      const wrong = new Map([["acquirer", { ...own, bankBooks: BankBooks.checked({ bookings: tea.bookings }) }]])
      const { findings } = yield* Effect.provideService(Reconciliation.check, Acquirers, wrong)
      assert.deepStrictEqual(findings, [
        {
          where: `booking ${order.orderid}-sale-0 at the bank`,
          expected: "a booking at the acquirer tea-bank",
          actual: `sale of 10.42 USD, client_orderid ${order.client_orderid}`
        }
      ])
    }).pipe(Effect.provide(world()))
  )
})
