/** What arrives at several gateways in the same moment happens once. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import { Balance, Nonce, Order } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Exit, type Layer, type Scope } from "effect"
import type { WrittenAnswer as Answer } from "../../gateway/gateway/src/http/WrittenAnswer.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const sale = Sample.request(PayApi.operations.SALE)

const bodyOf = ({ body }: Answer): Readonly<Record<string, unknown>> => JSON.parse(body)

/** `status paynet-order-id` of each answer. */
const summaries = (answers: ReadonlyArray<Answer>): ReadonlyArray<string> =>
  answers.map((answer) => `${answer.status} ${bodyOf(answer)["paynet-order-id"]}`)

const successes = <A, E>(exits: ReadonlyArray<Exit.Exit<A, E>>): ReadonlyArray<A> =>
  exits.flatMap((exit) => (Exit.isSuccess(exit) ? [exit.value] : []))

const rounds = Array.from({ length: 10 }, (_, n) => n)

/** `count` payments with one card, one after the other at each gateway, at all gateways at once; how many rules let through. */
const paid = Effect.fnUntraced(function* (gateways: ReadonlyArray<Gateways.Gateway>, each: number) {
  const store = yield* Store
  yield* Effect.forEach(
    gateways,
    ({ on }, place) =>
      Effect.forEach(
        Array.from({ length: each }, (_, n) => n),
        (n) => on(ClientMerchant.send("SALE", { ...sale, client_orderid: `velocity-${place}-${n}` })),
        { concurrency: "unbounded" }
      ),
    { concurrency: "unbounded" }
  )
  const orders = yield* store.find(Order, "created", { limit: 1000 })
  return orders.filter(({ state }) => state !== "filtered").length
})

type Rule = { readonly per: "card" | "address"; readonly withinSeconds: number } & (
  | { readonly count: number }
  | { readonly sum: Readonly<Record<string, string>> }
)
const velocity = (rule: Rule) => Merchants.both({ "1001": { risk: { velocity: [rule] } } })

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`requests at several gateways at the same time (${name})`, () => {
    const outside = World.outside({ store })
    const live = <A, E>(title: string, program: Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () => program.pipe(Effect.scoped, Effect.provide(outside, { local: true })))

    live(
      "a repeated sale is one order, and the bank gets one request",
      Effect.gen(function* () {
        const gateways = yield* Gateways.several(3, Gateways.wallNow())
        const answers: Array<ReadonlyArray<Answer>> = []
        for (const n of rounds) {
          const order = yield* Effect.provide(
            ClientMerchant.send("SALE", { ...sale, client_orderid: `same-${n}` }),
            Gateways.everywhere(gateways, answers)
          )
          assert.deepStrictEqual([...new Set(summaries(answers.at(-1) ?? []))], [`200 ${order.orderid}`])
          yield* Gateways.settled(gateways)
          assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
        }
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "a nonce is accepted once: equal bytes are one payout at any gateway",
      Effect.gen(function* () {
        const store = yield* Store
        const gateways = yield* Gateways.several(3, Gateways.wallNow())
        const answers: Array<ReadonlyArray<Answer>> = []
        const payout = { amount: "10.42", currency: "USD", account_number: "40817810400000000001" }
        for (const n of rounds) {
          const order = yield* Effect.provide(
            ClientMerchant.send("PAYOUT", { ...payout, client_orderid: `nonce-${n}` }),
            Gateways.everywhere(gateways, answers)
          )
          // A replay needs a nonce of its own.
          const [one, ...others] = [...summaries(answers.at(-1) ?? [])].sort()
          assert.strictEqual(one, `200 ${order.orderid}`)
          assert.deepStrictEqual(
            others.map((each) => each.slice(0, 3)),
            ["401", "401"]
          )
        }
        assert.lengthOf(yield* store.find(Nonce, "used", { limit: 100 }), rounds.length)
        assert.lengthOf(yield* store.find(Order, "created", { limit: 100 }), rounds.length)
      })
    )

    live(
      "different content under the same client_orderid is refused at all but one",
      Effect.gen(function* () {
        const gateways = yield* Gateways.several(3, Gateways.wallNow())
        for (const n of rounds) {
          const exits = yield* Effect.forEach(
            gateways,
            ({ on }, place) =>
              Effect.exit(
                on(ClientMerchant.send("SALE", { ...sale, client_orderid: `differs-${n}`, amount: `1${place}.00` }))
              ),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(successes(exits), 1)
        }
      })
    )

    live(
      "an Idempotency-Key captures once, and captures never exceed the hold",
      Effect.gen(function* () {
        const gateways = yield* Gateways.several(3, Gateways.wallNow())
        const [one] = gateways
        assert.isDefined(one)
        const order = yield* one.on(ClientMerchant.create("PREAUTH"))
        yield* Gateways.settled(gateways)
        const amount = { amount: "4.00", currency: "USD" }
        const capture = (idempotencyKey: string) =>
          Effect.forEach(
            gateways,
            ({ on }) => Effect.exit(on(ClientMerchant.act("CAPTURE", order, amount, { idempotencyKey }))),
            { concurrency: "unbounded" }
          )
        const same = successes(yield* capture("one"))
        assert.lengthOf(same, 3)
        yield* Gateways.settled(gateways)
        assert.deepInclude(yield* one.on(ClientMerchant.status(order)), { "captured-amount": "4.00" })
        const others = yield* Effect.forEach(
          gateways,
          ({ on }, n) =>
            Effect.exit(on(ClientMerchant.act("CAPTURE", order, amount, { idempotencyKey: `other ${n}` }))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(successes(others), 1)
        yield* Gateways.settled(gateways)
        assert.deepInclude(yield* one.on(ClientMerchant.status(order)), { "captured-amount": "8.00" })
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "payouts never exceed the balance",
      Effect.gen(function* () {
        const store = yield* Store
        const gateways = yield* Gateways.several(3, Gateways.wallNow())
        const payout = { amount: "1500.00", currency: "USD", account_number: "40817810400000000001" }
        const sent = Effect.forEach(
          gateways,
          ({ on }, place) =>
            Effect.forEach(
              [0, 1, 2, 3],
              (n) => on(ClientMerchant.send("PAYOUT", { ...payout, client_orderid: `balance-${place}-${n}` })),
              { concurrency: "unbounded" }
            ),
          { concurrency: "unbounded" }
        )
        assert.lengthOf((yield* sent).flat(), 12)
        yield* Gateways.settled(gateways)
        const available = yield* store.load(Balance, ["sandbox-merchant/1001/USD/payout_available"])
        assert.strictEqual(available?.minor, 100_000n)
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "the request rate of a merchant counts over all gateways",
      Effect.gen(function* () {
        const settings = { merchantRate: { perSecond: 0.001, burst: 9 } }
        const gateways = yield* Gateways.several(3, Gateways.wallNow(), { settings })
        yield* Effect.forEach(gateways, ({ lease }) => lease.renew)
        const exits = yield* Effect.forEach(gateways, ({ on }, place) =>
          Effect.forEach(
            Array.from({ length: 6 }, (_, n) => n),
            (n) => Effect.exit(on(ClientMerchant.send("SALE", { ...sale, client_orderid: `rate-${place}-${n}` })))
          )
        )
        assert.deepStrictEqual(
          exits.map((each) => successes(each).length),
          [3, 3, 3]
        )
      })
    )

    for (const [what, rule, most] of [
      ["count", { per: "card", withinSeconds: 3600, count: 4 }, 4],
      ["sum", { per: "card", withinSeconds: 3600, sum: { USD: "31.26" } }, 3],
      ["count per address", { per: "address", withinSeconds: 3600, count: 5 }, 5]
    ] as const)
      live(
        `a velocity rule lets through exactly its number of payments: ${what}`,
        Effect.gen(function* () {
          const merchants = velocity(rule)
          const gateways = yield* Gateways.several(3, Gateways.wallNow(), { merchants })
          assert.strictEqual(yield* paid(gateways, 6), most)
          yield* Gateways.settled(gateways)
          yield* ClientMerchant.allIsWell
        })
      )
  })
