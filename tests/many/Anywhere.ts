/** Customers' pages, schedules and starts that continue at any of several processes. */
import { assert, describe, it } from "@effect/vitest"
import * as Decision from "@pay/gateway/Decision"
import { Job, Occurrence, OrderRequest, Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, type Layer, type Scope } from "effect"
import * as Pages from "../faults/Pages.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as HostedPage from "../harness/HostedPage.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const years = { clockSkewMs: 100 * 365 * 86_400_000 }
const subscriptions = 40

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`requests at any gateway of several (${name})`, () => {
    const live = <A, E>(title: string, program: Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () => program.pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true })))

    live(
      "a hosted page is opened, paid twice at the same time after a decline, and charges once",
      Effect.gen(function* () {
        const shared = yield* Store
        const gateways = yield* Gateways.several(3, Gateways.wallNow())
        const [one, other, third] = gateways
        assert(one !== undefined && other !== undefined && third !== undefined)
        const order = yield* one.on(
          ClientMerchant.send("SALEFORM", { ...Sample.request(PayApi.operations.SALEFORM), client_orderid: "page" })
        )
        const token = yield* Pages.tokenOf(order.orderid)
        const pay = (code: string, attempts: string) =>
          Effect.forEach(gateways, ({ on }) => on(Pages.ask(token, { ...HostedPage.goodCard, attempts, code })), {
            concurrency: "unbounded"
          })
        assert.strictEqual((yield* other.on(Pages.ask(token))).hidden.attempts, "0")
        yield* pay("116", "0")
        yield* Gateways.settled(gateways)
        assert.strictEqual((yield* third.on(Pages.ask(token))).hidden.attempts, "1")
        yield* pay("123", "1")
        yield* Gateways.settled(gateways)
        assert.deepInclude(yield* other.on(ClientMerchant.status(order)), {
          status: "approved",
          "captured-amount": "10.42"
        })
        const atBank = yield* ClientMerchant.atBank(order)
        assert.deepStrictEqual(atBank, ["authorize 1042 Declined", "authorize 1042 Approved"])
        const rows = yield* shared.find(OrderRequest, "order", { equals: [order.orderid], limit: 10 })
        assert.lengthOf(
          rows.filter(({ operation }) => operation === "HOSTED_ATTEMPT"),
          2
        )
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "recurring payments due at the same time are charged once each, in order",
      Effect.gen(function* () {
        const shared = yield* Store
        const gateways = yield* Gateways.several(3, Gateways.wallNow(), { settings: years })
        const fields = { ...Sample.request(PayApi.operations.CREATE_RP_V4), cvv2: "123", period: "daily" }
        yield* Effect.forEach(
          Array.from({ length: subscriptions }, (_, n) => n),
          (n) =>
            (gateways[n % 3] ?? gateways[0])?.on(
              ClientMerchant.send("CREATE_RP_V4", { ...fields, client_orderid: `club-${n}` })
            ) ?? Effect.void
        )
        yield* Gateways.pass(gateways, "3 days")
        yield* Gateways.pass(gateways, "1 hour")
        const occurrences = yield* shared.find(Occurrence, "key", { limit: 1000 })
        assert.deepStrictEqual([...new Set(occurrences.map(({ progress }) => progress))], ["charged"])
        assert.lengthOf(occurrences, subscriptions * 4)
        const { books } = yield* SandboxControl
        const approved = (yield* books.all).filter(({ answer }) => answer._tag === "Approved")
        assert.lengthOf(approved, subscriptions * 4)
        assert.strictEqual(new Set(approved.map(({ request }) => request.orderId)).size, subscriptions * 4)
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "a restored copy is checked once, by the first of the gateways that start",
      Effect.gen(function* () {
        const shared = yield* Store
        const mark = {
          name: "latest",
          version: 1,
          restoredAtMs: World.startMs,
          startedAtMs: null,
          lastCommitAtMs: World.startMs,
          enumeratedAtMs: null
        } as const
        yield* shared.commit({ guards: [], writes: [Decision.put(Restoration, mark)] })
        let starts = 0
        const counted = (store: Store["Service"]): Store["Service"] => ({
          ...store,
          commit: (decision) =>
            Effect.tap(store.commit(decision), () =>
              Effect.sync(() => {
                if (decision.writes.some((write) => write._tag === "Put" && write.entity.name === Restoration.name))
                  starts += 1
              })
            )
        })
        const wall = Gateways.wallNow()
        yield* Effect.all(
          [0, 5000].map((aheadMs) => Gateways.start(wall, { aheadMs, spoil: counted })),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(starts, 1)
        assert.isDefined(yield* shared.load(Job, ["enumerate:latest"]))
      })
    )
  })
