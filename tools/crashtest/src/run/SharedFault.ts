/** Causes the faults that happen to all orders of a round at once: kills, restarts, refused connections, a wrong clock. */
import { Effect } from "effect"
import type { Fault, Shared } from "../plan/Faults.ts"
import type { Order } from "../plan/Payment.ts"
import * as Plan from "../plan/Plan.ts"
import { Shop, type ShopFailed } from "../shop/Shop.ts"
import { World } from "../world/World.ts"
import * as Together from "./Together.ts"

/** How long connections are refused, in milliseconds: longer than an attempt, shorter than the patience of a shop that repeats it. */
const refusedMs = 300

/** How long orders wait for each other at most, in milliseconds. */
const longestGapMs = 150

/**
 * Faults that happen while the shop processes what it got: it gets it, and is killed after some milliseconds, at another place of its
 * program in each case. Short times are more often than long ones, which a shop on a busy machine takes.
 */
const processed: { readonly [F in Fault]?: readonly [leastMs: number, mostMs: number] } = {
  killedAfter: [2, 40],
  killedByCallback: [0, 60]
}

/**
 * Makes the parts of a round's shared fault. `reached` is run by each order at its moment. `around` surrounds all purchases, and ends
 * after the fault. A shop that does not start again is given to `onFailure`.
 */
export const make = Effect.fnUntraced(function* (
  shared: Shared | undefined,
  count: number,
  onFailure: (failure: ShopFailed) => Effect.Effect<void>
) {
  const shop = yield* Shop
  const world = yield* World
  const acts: { readonly [S in Shared]?: Effect.Effect<void, ShopFailed> } = {
    killed: Effect.andThen(shop.kill, shop.start),
    gatewayRestarts: world.restartGateway,
    refused: world.refusing(Effect.sleep(refusedMs))
  }
  const act = shared === undefined ? undefined : acts[shared]
  const leadMs = ({ case: own }: Order) => {
    const fault = Plan.sharedFault(own)
    const range = fault && processed[fault]
    return range && range[0] + own.killedAt ** 2 * (range[1] - range[0])
  }
  const together =
    act === undefined
      ? { reached: () => Effect.void, idle: Effect.void }
      : yield* Together.make({ act: Effect.catch(act, onFailure), count, longestGapMs })
  return {
    reached: (order: Order) => together.reached(leadMs(order)),
    /** Completes when the fault does not happen any more: a callback may bring it after the purchases. */
    idle: together.idle,
    around: <A, E, R>(purchases: Effect.Effect<A, E, R>) =>
      Effect.tap(shared === "clockAhead" ? world.shopAhead(purchases) : purchases, () => together.idle)
  }
})
