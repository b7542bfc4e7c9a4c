/** Several gateways that start on a restored copy at once: each order is compared with the bank, and nothing is sent again. */
import { assert, describe, it } from "@effect/vitest"
import { BankBooks, BooksUnavailable } from "@pay/gateway/BankBooks"
import * as Decision from "@pay/gateway/Decision"
import { Restoration } from "@pay/gateway/Entities"
import { Store } from "@pay/gateway/Store"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Clock, Effect, type Layer, type Scope } from "effect"
import { HeldJob } from "../../gateway/gateway/src/restore/HeldJob.ts"
import * as ManageBookings from "../../gateway/gateway/src/restore/ManageBookings.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

/** `imports`: the bank has no list, and an operator states that there is nothing to import. */
type Lists = "lists" | "imports"

const noList = BankBooks.checked({
  bookings: () => Effect.fail(new BooksUnavailable({ message: "the bank has no list" }))
})

/** `pay bookings import` of an empty list that covers everything until now. */
const imported = Effect.gen(function* () {
  const { take } = yield* ManageBookings.make
  const toMs = yield* Clock.currentTimeMillis
  yield* take("operator:tester", { source: "bank", bookings: [], covers: { fromMs: 0, toMs } })
})

const orders = 12
/** Every second payment did not reach the bank before the copy was taken. */
const isBooked = (clientOrderId: string): boolean => Number(clientOrderId.slice("copied-".length)) % 2 === 0

export const suite = (name: string, store: Layer.Layer<Store>) =>
  describe(`gateways on a restored copy (${name})`, () => {
    const live = <A, E>(title: string, program: Effect.Effect<A, E, Gateways.Outside | Scope.Scope>) =>
      it.live(title, () => program.pipe(Effect.scoped, Effect.provide(World.outside({ store }), { local: true })))

    const compared = (lists: Lists) =>
      Effect.gen(function* () {
        const shared = yield* Store
        const wall = Gateways.wallNow()
        /** The bank books, and its answer does not arrive before the copy is taken. */
        const former = yield* Gateways.start(wall, {
          spoilBank: (bank) => ({
            ...bank,
            authorize: (request) =>
              isBooked(request.clientOrderId) ? Effect.andThen(bank.authorize(request), Effect.never) : Effect.never
          })
        })
        const created = yield* Effect.forEach(
          Array.from({ length: orders }, (_, n) => `copied-${n}`),
          (client_orderid) =>
            former.on(ClientMerchant.send("SALE", { ...Sample.request(PayApi.operations.SALE), client_orderid }))
        )
        yield* former.kill
        const atMs = yield* Clock.currentTimeMillis
        const mark: Restoration = {
          ...{ name: "latest", version: 1, restoredAtMs: atMs, startedAtMs: null },
          ...{ lastCommitAtMs: atMs, enumeratedAtMs: null }
        }
        yield* shared.commit({ guards: [], writes: [Decision.put(Restoration, mark)] })
        const sent: Array<string> = []
        const starting = Gateways.start(wall, {
          spoilBank: (bank) => ({
            ...bank,
            authorize: (request) =>
              Effect.andThen(
                Effect.sync(() => sent.push(request.reference)),
                bank.authorize(request)
              )
          })
        })
        const start = lists === "lists" ? starting : Effect.provideService(starting, BankBooks, noList)
        const gateways = yield* Effect.all([start, start, start], { concurrency: "unbounded" })
        const [first] = gateways
        if (lists === "imports") {
          yield* Gateways.pass(gateways, "5 minutes")
          yield* first.on(imported)
        }
        yield* Gateways.pass(gateways, "10 minutes")
        const outcomes = yield* Effect.forEach(created, (order) =>
          Effect.all([
            Effect.map(first.on(ClientMerchant.status(order)), ({ status }) => status),
            ClientMerchant.atBank(order)
          ])
        )
        assert.deepStrictEqual(
          outcomes,
          created.map((_, n) => (n % 2 === 0 ? ["approved", ["authorize 1042 Approved"]] : ["error", []]))
        )
        assert.deepStrictEqual(sent, [])
        assert.deepStrictEqual(yield* shared.find(HeldJob, "key", { limit: orders }), [])
        yield* ClientMerchant.allIsWell
      })

    live("compare each order once, and send none again", compared("lists"))
    live(
      "do so for a bank without a list, after an operator imported an empty one: they only inquire",
      compared("imports")
    )
  })
