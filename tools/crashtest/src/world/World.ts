/** The world around the shop: the sandbox with its bank, behind a proxy that causes the faults of requests and callbacks. */
import { Context, Data, type Effect } from "effect"
import type { Fault } from "../plan/Faults.ts"
import type { Booked, FaultAt, Observation, Order } from "../plan/Payment.ts"

/** The part of the run that ends and starts the shop together with the orders that wait for it. */
export interface Together {
  /**
   * The moment of a shared fault has come for an order. Completes when the fault has happened: when the shop was killed, the
   * gateway restarted, the connections refused. With `killedAfter` and `killedByCallback` it completes right before, and what the
   * shop waits for is sent then.
   */
  readonly reached: (order: Order, at: FaultAt) => Effect.Effect<void>
}

/** The sandbox cannot start: the reason in a sentence. */
export class WorldFailed extends Data.TaggedError("WorldFailed")<{ readonly message: string }> {}

export class World extends Context.Service<
  World,
  {
    /** The address of the proxy, which a shop takes for the gateway: `http://127.0.0.1:PORT`, in the older dialect with its path. */
    readonly baseUrl: string
    /** Begins to watch an order. Requests and callbacks are assigned to it by its amount, then by the numbers that it gets. */
    readonly open: (order: Order, together: Together) => Effect.Effect<void>
    /** What was seen of the order so far. */
    readonly observation: (order: Order) => Effect.Effect<Observation>
    /** Adds an event to the timeline of an order, and notes that it met the fault. */
    readonly tell: (
      order: Order,
      from: "customer" | "shop" | "crash test",
      text: string,
      fault?: Fault
    ) => Effect.Effect<void>
    /** What bank and gateway have of the order now. */
    readonly booked: (order: Order) => Effect.Effect<Booked>
    /** Forgets an order. Later requests for it are passed on without faults. */
    readonly close: (order: Order) => Effect.Effect<void>
    /** Lets days pass: bank answers become known, late and repeated callbacks arrive, subscriptions charge. */
    readonly settle: Effect.Effect<void>
    readonly restartGateway: Effect.Effect<void>
    /**
     * Begins with another gateway, which has no orders: each order takes memory. Completes when it listens. Only while no order is
     * open.
     */
    readonly renewGateway: Effect.Effect<void, WorldFailed>
    /** Refuses connections, and closes those that are open, while the effect runs. */
    readonly refusing: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Makes the gateway's clock late, so that the clock of the shop seems to be ahead, while the effect runs. */
    readonly shopAhead: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  }
>()("@pay/crashtest/World") {}
