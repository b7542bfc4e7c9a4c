/**
 * Three gateways on one store that are killed, paused, disconnected from the store and started again at random, while merchants pay,
 * capture and refund through any of them. In the end every acknowledged order is final once, with the bank's outcome. A suite for any
 * store.
 */
import { assert, describe, it } from "@effect/vitest"
import { type Store, StoreUnavailable } from "@pay/gateway/Store"
import * as TestCards from "@pay/sandbox/TestCards"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, type Layer, Random } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { Inbox } from "../harness/InboxInMemory.ts"
import * as StoreCalls from "../harness/StoreCalls.ts"
import * as World from "../harness/World.ts"
import * as Gateways from "./Gateways.ts"

const server_callback_url = "http://shop.example/callback"
const steps = 60
const places = [0, 1, 2] as const

/** What the bank does with a payment; all of them are approved or declined in the end. */
const cards = ["", "", "answer-lost", "lost-once", "arrives-late", "undecided", "116"] as const

interface Member {
  gateway: Gateways.Gateway
  isGone: boolean
  isPaused: boolean
}

const gone = Effect.fail(new StoreUnavailable({ outcomeUnknown: false }))

export const suite = (name: string, store: Layer.Layer<Store>, seeds: ReadonlyArray<number>) =>
  describe(`three gateways that start and stop (${name})`, () => {
    it.live.each(seeds)("seed %i: every acknowledged order ends once, with the bank's outcome", (seed) => {
      const scenario = Effect.gen(function* () {
        const wall = Gateways.wallNow()
        const started = Effect.fnUntraced(function* (place: number) {
          const member = { isGone: false, isPaused: false }
          const gateway = yield* Gateways.start(wall, {
            name: `host:${place}`,
            aheadMs: (place - 1) * 5000,
            spoil: (inner) => StoreCalls.around(inner, (call) => Effect.suspend(() => (member.isGone ? gone : call)))
          })
          return Object.assign(member, { gateway }) satisfies Member
        })
        const members: Array<Member> = yield* Effect.forEach(places, started)
        const orders: Array<ClientMerchant.Asked> = []
        const any = Effect.flatMap(Random.nextIntBetween(0, members.length - 1), (place) =>
          Effect.map(Effect.fromNullishOr(members[place]), (member) => ({ member, place }))
        )
        const live = () => members.filter(({ isGone, isPaused }) => !isGone && !isPaused).map(({ gateway }) => gateway)
        /** Does the same at every gateway that answers, in the same moment; returns what those that took it answered. */
        const everywhere = <A, E, R>(program: Effect.Effect<A, E, R>) =>
          Effect.map(
            Effect.suspend(() =>
              Effect.forEach(
                members.filter(({ isPaused }) => !isPaused),
                ({ gateway }) => Effect.option(gateway.on(program)),
                { concurrency: "unbounded" }
              )
            ),
            (answers) => answers.flatMap((answer) => (answer._tag === "Some" ? [answer.value] : []))
          )
        const renewed = Effect.suspend(() => Effect.forEach(live(), ({ lease }) => Effect.exit(lease.renew)))

        for (let step = 0; step < steps; step += 1) {
          const dice = yield* Random.nextIntBetween(0, 99)
          if (dice < 45) {
            const card = cards[yield* Random.nextIntBetween(0, cards.length - 1)] ?? ""
            const kind = (yield* Random.nextBoolean) ? "SALE" : "PREAUTH"
            const fields =
              card === "116"
                ? { cvv2: "116" }
                : card === ""
                  ? {}
                  : { credit_card_number: TestCards.byName(card)?.number ?? card }
            const request = ClientMerchant.send(kind, {
              ...Sample.request(PayApi.operations[kind]),
              ...fields,
              client_orderid: `swarm-${step}`,
              server_callback_url
            })
            // A merchant who retries elsewhere, at once.
            const made = yield* everywhere(request)
            assert.isAtMost(new Set(made.map(({ orderid }) => orderid)).size, 1)
            orders.push(...made.slice(0, 1))
          } else if (dice < 65 && orders.length > 0) {
            const order = orders[yield* Random.nextIntBetween(0, orders.length - 1)]
            const name = (["CAPTURE", "VOID", "RETURN"] as const)[yield* Random.nextIntBetween(0, 2)] ?? "RETURN"
            const amount = name === "CAPTURE" ? { amount: "4.00", currency: "USD" } : {}
            const idempotencyKey = (yield* Random.nextBoolean) ? { idempotencyKey: `${step}` } : {}
            if (order !== undefined) yield* everywhere(ClientMerchant.act(name, order, amount, idempotencyKey))
          } else if (dice < 72) {
            const { member } = yield* any
            if (live().length > 1) {
              member.isPaused = true
              yield* member.gateway.pause
            }
          } else if (dice < 79) {
            const { member } = yield* any
            member.isPaused = false
            yield* member.gateway.resume
          } else if (dice < 84) {
            const { member } = yield* any
            if (live().length > 1 || member.isGone) member.isGone = !member.isGone
          } else if (dice < 90) {
            const { member, place } = yield* any
            if (live().length > 1) {
              yield* member.gateway.kill
              members[place] = yield* started(place)
            }
          } else {
            const seconds = yield* Random.nextIntBetween(1, 200)
            yield* Gateways.pass(live(), `${seconds} seconds`)
            wall.nowMs += seconds * 1000
            yield* renewed
          }
        }
        for (const member of members) {
          member.isGone = false
          member.isPaused = false
          yield* member.gateway.resume
        }
        wall.nowMs += 60_000
        yield* renewed
        yield* Gateways.pass(live(), "2 days")
        const [first] = live()
        assert.isDefined(first)
        const { arrived } = yield* Inbox
        for (const order of orders) {
          const { status } = yield* first.on(ClientMerchant.status(order))
          assert.include(["approved", "declined", "error", "filtered"], status, `order ${order.orderid}`)
          const sequences = arrived
            .filter(({ parameters }) => parameters.orderid === order.orderid)
            .map(({ headers }) => Number(headers["webhook-id"]?.split("-").at(-1)))
          assert.deepStrictEqual(
            sequences,
            [...sequences].sort((one, other) => one - other),
            `callbacks of ${order.orderid}`
          )
        }
        assert.strictEqual(new Set(orders.map(({ orderid }) => orderid)).size, orders.length)
        assert.isNotEmpty(orders)
        yield* ClientMerchant.allIsWell
      })
      return scenario.pipe(
        Random.withSeed(seed),
        Effect.scoped,
        Effect.provide(World.outside({ store }), { local: true })
      )
    })
  })
