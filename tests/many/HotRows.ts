/** Many requests about one card, order, subscription or balance at once: none of them is sent away. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { CardRef, Occurrence, Order, Subscription } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, type Layer, type Scope } from "effect"
import * as Lifecycle from "../../gateway/gateway/src/orders/record/Lifecycle.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const { CARDREF_V4, CREATE_RP_V4, PREAUTH, REBILL, SALE } = PayApi.operations

/** More than a guard may be lost by one request. */
const count = 64

/** Settings without the limits that would refuse so many requests. */
const settings = { cardRate: { perSecond: 0, burst: 0 }, merchantRate: { perSecond: 1e6, burst: 1e6 } }

/** Sends so many at once, in turn to each gateway; returns what each was answered, or how it failed. */
const burst = <A, E, R>(gateways: ReadonlyArray<Gateways.Gateway>, request: (n: number) => Effect.Effect<A, E, R>) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => Effect.result(gateways[n % gateways.length]?.on(request(n)) ?? Effect.die(new Error("no gateway runs"))),
    { concurrency: "unbounded" }
  )

const allTaken = (results: Effect.Success<ReturnType<typeof burst>>) =>
  assert.deepStrictEqual(
    results.flatMap((result) => (result._tag === "Failure" ? [`${result.failure}`] : [])),
    []
  )

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`${count} requests for one row at two gateways (${name})`, () => {
    const live = <A, E>(title: string, program: Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () => program.pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true })))

    const setting = Effect.fnUntraced(function* (options: Gateways.Options = {}) {
      const gateways = yield* Gateways.several(2, Gateways.wallNow(), { settings, ...options })
      const [one] = gateways
      assert.isDefined(one)
      return { gateways, one, on: one.on }
    })

    live(
      "store one card and charge it",
      Effect.gen(function* () {
        const shared = yield* Store
        const merchants = Merchants.both({
          "1001": { risk: { velocity: [{ per: "card", withinSeconds: 3600, count: 100 }] } }
        })
        const { gateways, on } = yield* setting({ merchants })
        const order = yield* on(ClientMerchant.send("SALE", { ...Sample.request(SALE), client_orderid: "first" }))
        yield* Gateways.settled(gateways)
        const { client_orderid, orderid } = order
        const { cvv2: _, ...typedIn } = Object.fromEntries(
          Object.entries(Sample.request(SALE)).filter(([name]) => CARDREF_V4.infos.has(name))
        )
        allTaken(
          yield* burst(gateways, (n) =>
            n % 4 < 2
              ? ClientMerchant.call("CARDREF", { client_orderid, orderid })
              : ClientMerchant.call("CARDREF_V4", { ...typedIn, client_orderid: `card-${n}` })
          )
        )
        const cards = yield* shared.find(CardRef, "key", { limit: 10 })
        const [card] = cards
        assert.deepInclude(card, { cardholderInitiated: 1 })
        // Stored, and perhaps upgraded: a request that changes nothing blocks no other request.
        assert.isAtMost(card?.version ?? 0, 2)
        assert.lengthOf(cards, 1)
        const cardRefId = `${card?.cardRefId}`
        allTaken(
          yield* burst(gateways, (n) =>
            ClientMerchant.call("REBILL", {
              ...Sample.request(REBILL),
              cardrefid: cardRefId,
              client_orderid: `rebill-${n}`
            })
          )
        )
        yield* Gateways.settled(gateways)
        const orders = yield* shared.find(Order, "created", { limit: 1000 })
        assert.strictEqual(orders.filter(({ state }) => Lifecycle.isApproved(state)).length, count + 1)
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "capture parts of one hold",
      Effect.gen(function* () {
        const { gateways, on } = yield* setting()
        const order = yield* on(ClientMerchant.send("PREAUTH", { ...Sample.request(PREAUTH), client_orderid: "hold" }))
        yield* Gateways.settled(gateways)
        const part = { amount: "0.10", currency: "USD" }
        allTaken(yield* burst(gateways, (n) => ClientMerchant.act("CAPTURE", order, part, { idempotencyKey: `${n}` })))
        yield* Gateways.settled(gateways)
        assert.deepInclude(yield* on(ClientMerchant.status(order)), { "captured-amount": "6.40" })
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "change one recurring payment",
      Effect.gen(function* () {
        const { gateways, on } = yield* setting()
        const made = yield* on(
          ClientMerchant.call("CREATE_RP_V4", { ...Sample.request(CREATE_RP_V4), client_orderid: "club" })
        )
        const id = Object(made)["recurring-payment-id"]
        yield* Gateways.settled(gateways)
        allTaken(
          yield* burst(gateways, (n) =>
            ClientMerchant.call("UPDATE_RP_V4", {
              "recurring-payment-id": `${id}`,
              amount: `1.${10 + n}`,
              currency: "USD"
            })
          )
        )
      })
    )

    live(
      "charge a recurring payment while others change it",
      Effect.gen(function* () {
        const shared = yield* Store
        let changesLeft = 0
        /** Somebody changes the payment before each of so many commits about it. */
        const overtaken: Gateways.Options["spoil"] = (store) => ({
          ...store,
          commit: Effect.fnUntraced(function* (decision) {
            const [row] = yield* shared.find(Subscription, "key", { limit: 1 })
            const isAbout = decision.guards.some(
              (guard) => guard._tag === "VersionIs" && guard.entity.name === Subscription.name
            )
            if (row !== undefined && isAbout && changesLeft-- > 0)
              yield* shared.commit({
                guards: [],
                writes: [Decision.put(Subscription, { ...row, version: row.version + 1 })]
              })
            yield* store.commit(decision)
          })
        })
        const years = { ...settings, clockSkewMs: 100 * 365 * 86_400_000 }
        const { gateways, on } = yield* setting({ settings: years, spoil: overtaken })
        const fields = { ...Sample.request(CREATE_RP_V4), client_orderid: "club", cvv2: "123", period: "daily" }
        yield* on(ClientMerchant.call("CREATE_RP_V4", fields))
        yield* Gateways.settled(gateways)
        changesLeft = 20
        yield* Gateways.pass(gateways, "1 day")
        assert.isBelow(changesLeft, 0)
        const occurrences = yield* shared.find(Occurrence, "key", { limit: 10 })
        assert.deepStrictEqual(
          occurrences.map(({ progress }) => progress),
          ["charged", "charged"]
        )
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "pay out of one balance",
      Effect.gen(function* () {
        const { gateways } = yield* setting()
        const payout = { amount: "1.00", currency: "USD", account_number: "40817810400000000001" }
        allTaken(
          yield* burst(gateways, (n) => ClientMerchant.send("PAYOUT", { ...payout, client_orderid: `payout-${n}` }))
        )
        yield* Gateways.settled(gateways)
        yield* ClientMerchant.allIsWell
      })
    )
  })
