/** A job whose process is killed or stopped is taken over within its lease, and is carried out once. A program over any store. */
import { assert, describe, it } from "@effect/vitest"
import { CallbackEvent, Evidence } from "@pay/gateway/Entities"
import { Store, StoreUnavailable } from "@pay/gateway/Store"
import { Effect, type Layer, type Scope } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Gate from "../harness/Gate.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as Merchants from "../harness/Merchants.ts"
import * as StoreCalls from "../harness/StoreCalls.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const server_callback_url = "http://shop.example/callback"
const notify_url = "http://shop.example/notify"

/** Longer than the lease of a job. */
const lease = "121 seconds"

const yields = Effect.repeat(Effect.yieldNow, { times: 300 })

/** Makes a sale that stands in one of two gateways, just before this step of it. */
const stoppedSale = Effect.fnUntraced(function* (
  step: (gate: Gate.Gate) => Gateways.Options,
  { ofOne = {}, ofOther = {} }: { readonly ofOne?: Gateways.Options; readonly ofOther?: Gateways.Options } = {}
) {
  const wall = Gateways.wallNow()
  const gate = Gate.make()
  const one = yield* Gateways.start(wall, { ...ofOne, ...step(gate) })
  const other = yield* Gateways.start(wall, ofOther)
  yield* gate.shut
  const order = yield* one.on(ClientMerchant.create("SALE", { server_callback_url }))
  yield* gate.reached
  return { gate, one, order, other }
})

const beforeBank = (gate: Gate.Gate): Gateways.Options => ({
  spoilBank: (bank) => ({ ...bank, authorize: (request) => gate.after(bank.authorize(request)) })
})

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`jobs of several processes (${name})`, () => {
    const live = <A, E>(title: string, program: Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () => program.pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true })))

    live(
      "of a killed process are taken over when their lease ends",
      Effect.gen(function* () {
        const { one, order, other } = yield* stoppedSale(beforeBank)
        yield* one.kill
        yield* Gateways.pass([other], "119 seconds")
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "processing")
        yield* Gateways.pass([other], "2 minutes")
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "approved")
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
        assert.lengthOf((yield* Inbox).arrived, 1)
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "that a paused process had not sent are not sent by it afterwards",
      Effect.gen(function* () {
        const { gate, one, order, other } = yield* stoppedSale((gate) => ({
          spoilVault: (vault) => ({
            ...vault,
            decrypt: (encrypted, bound) => gate.after(vault.decrypt(encrypted, bound))
          })
        }))
        yield* one.pause
        yield* Gateways.pass([other], lease)
        yield* Gateways.pass([other], "2 minutes")
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "approved")
        yield* gate.open
        yield* one.resume
        yield* yields
        yield* Gateways.settled([one, other])
        // Without "again": the bank got the request once.
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved"])
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "that are callbacks are not sent by a paused process afterwards",
      Effect.gen(function* () {
        const { arrived } = yield* Inbox
        const wall = Gateways.wallNow()
        const gate = Gate.make()
        const one = yield* Gateways.start(wall, {
          spoil: (store) => ({
            ...store,
            find: (entity, index, range) =>
              entity.name === CallbackEvent.name
                ? gate.after(store.find(entity, index, range))
                : store.find(entity, index, range)
          })
        })
        const other = yield* Gateways.start(wall)
        const order = yield* one.on(ClientMerchant.create("PREAUTH", { server_callback_url }))
        yield* Gateways.settled([one, other])
        yield* gate.shut
        yield* one.on(ClientMerchant.act("CAPTURE", order))
        yield* gate.reached
        yield* one.pause
        yield* Gateways.pass([other], "5 minutes")
        assert.lengthOf(arrived, 2)
        yield* gate.open
        yield* one.resume
        yield* yields
        yield* Gateways.settled([one, other])
        assert.lengthOf(arrived, 2)
      })
    )

    live(
      "that a paused process still sends have the same bank reference, and count once",
      Effect.gen(function* () {
        const { gate, one, order, other } = yield* stoppedSale(beforeBank)
        yield* one.pause
        yield* Gateways.pass([other], lease)
        yield* Gateways.pass([other], "2 minutes")
        yield* gate.open
        yield* yields
        yield* one.resume
        yield* yields
        yield* Gateways.settled([one, other])
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved again 1"])
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "approved")
        assert.deepStrictEqual(yield* ClientMerchant.booked(order), ["sale 1042"])
        assert.lengthOf((yield* Inbox).arrived, 1)
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "that reach the bank after their order ended are found and reversed",
      Effect.gen(function* () {
        const shared = yield* Store
        const merchants = Merchants.both({ "1001": { unexpectedApproval: "reverse" } })
        const { gate, one, order, other } = yield* stoppedSale(beforeBank, {
          ofOne: { merchants },
          ofOther: { merchants, settings: { resubmitWithinMs: 60_000 } }
        })
        yield* one.pause
        yield* Gateways.pass([other], "10 minutes")
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "error")
        yield* gate.open
        yield* yields
        yield* one.resume
        yield* yields
        yield* Gateways.pass([one, other], "10 minutes")
        assert.deepStrictEqual(yield* ClientMerchant.atBank(order), ["authorize 1042 Approved", "refund 1042 Approved"])
        assert.isNotEmpty(yield* shared.find(Evidence, "order", { equals: [order.orderid], limit: 10 }))
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "error")
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "run once with clocks five seconds apart, and callbacks of an order stay in order",
      Effect.gen(function* () {
        const wall = Gateways.wallNow()
        const one = yield* Gateways.start(wall)
        const other = yield* Gateways.start(wall, { aheadMs: 5000 })
        const third = yield* Gateways.start(wall, { aheadMs: -5000 })
        const all = [one, other, third]
        const orders = yield* Effect.forEach(
          Array.from({ length: 9 }, (_, n) => all[n % 3] ?? one),
          ({ on }) => on(ClientMerchant.create("PREAUTH", { server_callback_url, notify_url }))
        )
        yield* Gateways.pass(all, "1 minute")
        yield* Effect.forEach(orders, (order, n) => (all[(n + 1) % 3] ?? one).on(ClientMerchant.act("CAPTURE", order)))
        yield* Gateways.pass(all, "1 minute")
        yield* Effect.forEach(orders, (order, n) => (all[(n + 2) % 3] ?? one).on(ClientMerchant.act("RETURN", order)))
        yield* Gateways.pass(all, "10 minutes")
        for (const order of orders) {
          assert.deepStrictEqual(yield* ClientMerchant.atBank(order), [
            "authorize 1042 Approved",
            "capture 1042 Approved",
            "refund 1042 Approved"
          ])
          const { arrived } = yield* Inbox
          const types = arrived
            .filter(({ parameters, url }) => parameters.orderid === order.orderid && url === server_callback_url)
            .map(({ parameters }) => parameters.type)
          assert.deepStrictEqual(types, ["preauth", "capture", "reversal"])
        }
        yield* ClientMerchant.allIsWell
      })
    )

    live(
      "wait while a process cannot reach the store: it answers 503, is not ready, and recovers",
      Effect.gen(function* () {
        const wall = Gateways.wallNow()
        let isGone = false
        const gone = Effect.fail(new StoreUnavailable({ outcomeUnknown: false }))
        const one = yield* Gateways.start(wall, {
          spoil: (store) => StoreCalls.around(store, (call) => Effect.suspend(() => (isGone ? gone : call)))
        })
        const other = yield* Gateways.start(wall)
        const order = yield* one.on(ClientMerchant.create("SALE"))
        isGone = true
        const refused = yield* Effect.flip(one.on(ClientMerchant.create("SALE")))
        assert.include(String(JSON.stringify(refused)), "503")
        wall.nowMs += 30_000
        yield* Effect.exit(one.lease.renew)
        assert.strictEqual((yield* one.front.closed)?.reason, "number")
        assert.include(String(JSON.stringify(yield* Effect.flip(one.on(ClientMerchant.create("SALE"))))), "503")
        yield* other.lease.renew
        assert.strictEqual(other.lease.live(), 1)
        yield* Gateways.pass([other], "5 minutes")
        assert.strictEqual((yield* other.on(ClientMerchant.status(order))).status, "approved")
        isGone = false
        yield* one.lease.renew
        assert.isUndefined(yield* one.front.closed)
        const next = yield* one.on(ClientMerchant.create("SALE"))
        yield* Gateways.settled([one, other])
        assert.strictEqual((yield* one.on(ClientMerchant.status(next))).status, "approved")
        yield* ClientMerchant.allIsWell
      })
    )
  })
