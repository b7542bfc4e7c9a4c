/** An order that a merchant creates, beside a store in memory. */
import { Effect, Layer } from "effect"
import type { Write } from "../../src/kernel/Decision.ts"
import * as Decision from "../../src/kernel/Decision.ts"
import type { Call, Handler } from "../../src/merchants/Call.ts"
import type { Endpoint } from "../../src/merchants/Directory.ts"
import type * as Booking from "../../src/orders/Booking.ts"
import * as Adoption from "../../src/orders/restored/Adoption.ts"
import { BankBooking } from "../../src/orders/restored/BankBooking.ts"
import * as Rail from "./Rail.ts"
import * as World from "./World.ts"

export interface Given extends World.Script {
  readonly rows?: ReadonlyArray<Write>
  /** Requests that come before, each by itself. */
  readonly before?: ReadonlyArray<Call>
  /** Only whether it is known already. */
  readonly isReplay?: boolean
}

/** What one request comes to: what it is told, and what it wanted to commit. */
export const create = <E, R>(make: Effect.Effect<Handler, E, R>, call: Call, given: Given = {}) => {
  const did = World.nothing()
  const endpoints: ReadonlyArray<Endpoint> = [given.endpoint ?? World.endpoint()]
  return Effect.gen(function* () {
    yield* World.given(given.rows ?? [], did)
    const { perform, replay } = yield* make
    for (const earlier of given.before ?? []) yield* perform(earlier, endpoints)
    did.decisions.length = 0
    const text = yield* World.answerOf(
      given.isReplay === true ? replay(call) : perform(call, endpoints),
      "paynet-order-id"
    )
    return { text, did, decision: did.decisions.at(-1) ?? { guards: [], writes: [] } }
  }).pipe(Effect.provide(Rail.layer({}, []).pipe(Layer.provideMerge(World.layer(given, did)))))
}

/** What the bank or the rail lists of an order 8 that a restored copy does not know. */
export const booked = (kind: Booking.Kind, changes: Partial<BankBooking> = {}): Write =>
  Decision.put(BankBooking, {
    ...Adoption.rowOf(
      kind === "pay" ? "rail" : "bank",
      {
        reference: `8-${kind}-0`,
        clientOrderId: "INV-8",
        merchantId: "shop",
        kind,
        amountMinor: 1_000,
        currency: "USD",
        atMs: 500,
        result: "approved"
      },
      "shop",
      900
    ),
    ...changes
  })
