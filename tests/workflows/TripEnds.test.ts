/** Flows in memory that hold amounts: how they end, and what the bank keeps. */
import { assert, describe, it } from "@effect/vitest"
import { Authorization } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import { authorize } from "@pay/flows/Hold"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Deferred, Effect } from "effect"
import { inBusinessTime } from "./BusinessTime.ts"
import { after, decline, endOf, paymentOf, type Services, world } from "./HoldWorld.ts"
import { greet } from "./Requests.ts"
import { atBank, Trip, tripOf } from "./Trip.ts"

const voided = "authorize 1042, void 1042"

/** A flow that holds an amount, and fails. */
const Shipment = Flow.make({
  name: "Shipment",
  payload: Authorization.payload,
  idempotencyKey: Authorization.idempotencyKey,
  run: (payment) =>
    Effect.scoped(Effect.andThen(authorize(payment), Effect.timeout(Effect.never, "5 seconds"))).pipe(
      Effect.catchTag("TimeoutError", () => Effect.void)
    )
})

describe("a flow in memory with holds", () => {
  it.effect("ends with NeedsAPerson if a hold was not released, also behind a timeout", () =>
    Effect.gen(function* () {
      const program = Effect.andThen(
        decline("void", 5),
        Effect.flatMap(paymentOf("hotel"), (payload) => Shipment.execute(payload))
      )
      const [end, booked] = yield* after(program)
      assert.deepStrictEqual([end, booked], ["NeedsAPerson", "authorize 1042, void 1042, void 1042, 10.42 is held"])
    }).pipe(Effect.provide(world, { local: true }))
  )

  it.effect("voids its hold if it is interrupted, and shows that it could not", () =>
    Effect.gen(function* () {
      const run = (times: number, order: string) =>
        Effect.gen(function* () {
          yield* decline("void", times)
          const payload = yield* paymentOf(order)
          yield* Shipment.start(payload)
          yield* Effect.sleep("2 seconds")
          yield* Shipment.interrupt(order)
          return (yield* Shipment.poll(order))._tag
        })
      const tags = Effect.all([run(0, "hotel"), run(5, "flight")])
      yield* greet
      assert.deepStrictEqual(yield* inBusinessTime(false)(tags), ["Interrupted", "Stuck"])
      const refused = "authorize 1042, void 1042, void 1042, 10.42 is held"
      assert.deepStrictEqual(yield* atBank(["hotel", "flight"]), [voided, refused])
    }).pipe(Effect.provide(world, { local: true }))
  )

  it.effect("leaves no hold open, wherever it is interrupted", () =>
    Effect.gen(function* () {
      const orders = ["hotel", "flight"]
      const cutAt = (moment: number) =>
        Effect.gen(function* () {
          yield* greet
          const client = yield* PayClient.PayClient
          const cut = yield* Deferred.make<never, { readonly _tag: string }>()
          let reached = 0
          const reach = Effect.suspend(() => (reached++ === moment ? Deferred.fail(cut, { _tag: "Cut" }) : Effect.void))
          const outside = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.ensuring(Effect.andThen(reach, work), reach)
          const trip = yield* tripOf("trip-7", orders)
          const program = Effect.raceFirst(Trip.execute(trip), Deferred.await(cut)).pipe(
            Effect.provideService(PayClient.PayClient, PayClient.around(client, outside))
          )
          const run = <A, E extends { readonly _tag: string }>(again: Effect.Effect<A, E, Services>) =>
            Effect.map(after(again, orders), (end) => end.join("; "))
          const first = yield* run(program)
          return { first, second: yield* run(Trip.execute(trip)), isCut: reached > moment }
        }).pipe(Effect.provide(world, { local: true }))
      for (let moment = 0; ; moment += 1) {
        const { first, isCut, second } = yield* cutAt(moment)
        assert.notInclude(first, "held", `at ${moment}`)
        assert.notInclude(second, "held", `again after ${moment}`)
        assert.notMatch(`${first}; ${second}`, /capture 1042, /, `at ${moment}`)
        if (!isCut) return assert.isAbove(moment, 15)
      }
    })
  )
})

it.effect("two trips at once with one order capture it once or release it", () =>
  Effect.gen(function* () {
    const orders = ["hotel", "flight", "car"]
    const trips = Effect.gen(function* () {
      yield* decline("authorize")
      const one = yield* tripOf("trip-1", ["hotel", "flight"])
      const two = yield* tripOf("trip-2", ["flight", "car"])
      return yield* Effect.all([Effect.exit(Trip.execute(one)), Effect.exit(Trip.execute(two))], {
        concurrency: "unbounded"
      })
    })
    yield* greet
    const ends = (yield* inBusinessTime(false)(trips)).map(endOf)
    const booked = yield* atBank(orders)
    assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    assert.notInclude(booked.join("; "), "held", ends.join())
    assert.notMatch(booked.join("; "), /capture.*capture \d+.*flight/)
  }).pipe(Effect.provide(world, { local: true }))
)
