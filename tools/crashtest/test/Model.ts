/** A shop, its bank and its gateway in memory, with the faults that the shop answers wrongly. */
import { Clock, Effect, Layer } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import type { Booked, FaultAt, Order } from "../src/plan/Payment.ts"
import { Shop } from "../src/shop/Shop.ts"
import { World } from "../src/world/World.ts"

interface Mistakes {
  /** Each of these faults makes the shop charge twice. */
  readonly twice?: ReadonlyArray<Fault>
  /** The shop charges nothing, and says paid, whatever happens. */
  readonly isBroken?: boolean
  /** The shop ends by itself when it meets this fault. */
  readonly ends?: Fault
  /** The shop has no mistake, and knows the outcome of a payment only some time after the purchase. */
  readonly knowsLate?: {
    readonly patienceMs: number
    /** This time for the payment with this number, from 0, as a share of the patience. */
    readonly after: (index: number) => number
    /** How long each of its answers takes. Absent: no time. */
    readonly answerMs?: number
    /** Whether it sends a request in its time. */
    readonly acts: boolean
  }
}

const extent = { requests: 2, callbacks: 1 }

const isMet = ({ moment }: FaultAt): boolean =>
  moment.of === "whole" || moment.index <= (moment.of === "request" ? extent.requests : extent.callbacks)

/** Makes the services of a run, and a count of what was done to the shop. */
export const make = ({ ends, isBroken, knowsLate, twice = [] }: Mistakes = {}) => {
  const counts = { bought: 0, kills: 0, starts: 0, restarts: 0, renewals: 0 }
  let isAlive = true
  const charge = (order: Order, index: number) => ({
    ...{ orderId: `${order.name}-${index}`, clientOrderId: `${order.name}-${index}`, refundsMinor: [] },
    ...{ heldMinor: 0, releasedMinor: 0 },
    capturedMinor: order.amountMinor
  })
  const booked = (order: Order): Booked => {
    const has = (fault: Fault) => order.case.faults.some((at) => at.fault === fault && isMet(at))
    const times = isBroken === true ? 0 : twice.some(has) ? 2 : 1
    return { charges: Array.from({ length: times }, (_, index) => charge(order, index)), payoutsMinor: [] }
  }
  const wake = Effect.sync(() => {
    counts.starts += 1
    isAlive = true
  })
  /** Callbacks that arrive when purchases are over. */
  const callbacks: Array<Effect.Effect<void>> = []
  const boughtMs = new Map<string, number>()
  /** How much of its patience the shop has used up for an order: 1 is all of it. */
  const waited = ({ name }: Order) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) =>
      knowsLate === undefined ? Infinity : (nowMs - (boughtMs.get(name) ?? nowMs)) / knowsLate.patienceMs
    )
  const knows = ({ name }: Order, share: number): boolean =>
    knowsLate === undefined || share > knowsLate.after([...boughtMs.keys()].indexOf(name))
  const together = new Map<string, (order: Order, at: FaultAt) => Effect.Effect<void>>()
  const shop = Shop.of({
    ...{
      actions: ["buy"],
      hasVisits: false,
      patienceMs: knowsLate?.patienceMs ?? 0,
      start: Effect.delay(wake, "1 second")
    },
    isAlive: Effect.sync(() => isAlive),
    output: Effect.succeed("its last words"),
    kill: Effect.sync(() => {
      counts.kills += 1
      isAlive = false
    }),
    buy: (order) =>
      Effect.gen(function* () {
        counts.bought += 1
        boughtMs.set(order.name, yield* Clock.currentTimeMillis)
        for (const at of order.case.faults) {
          if (at.fault === ends) isAlive = false
          const reached = isMet(at) ? (together.get(order.name)?.(order, at) ?? Effect.void) : Effect.void
          if (at.fault === "killedByCallback") callbacks.push(reached)
          else yield* reached
        }
        return "open" as const
      }),
    refundMinor: ({ amountMinor }) => amountMinor,
    refund: () => Effect.succeed("open"),
    subscribe: () => Effect.succeed("open"),
    payOut: () => Effect.succeed("open"),
    ask: (order) =>
      Effect.delay(
        Effect.map(waited(order), (share) => ({ paid: knows(order, share) ? "yes" : "open" })),
        knowsLate?.answerMs ?? 0
      ),
    leaks: Effect.succeed([])
  })
  const world = World.of({
    baseUrl: "http://127.0.0.1:1",
    open: (order, { reached }) => Effect.sync(() => together.set(order.name, reached)),
    observation: (order) =>
      Effect.map(waited(order), (share) => ({
        requests: ["sale", "status"],
        callbacks: extent.callbacks,
        changes: knowsLate?.acts === true && share > 0.5 ? 2 : 1,
        met: order.case.faults.filter(isMet),
        timeline: []
      })),
    tell: () => Effect.void,
    booked: (order) => Effect.sync(() => booked(order)),
    close: () => Effect.void,
    settle: Effect.suspend(() =>
      Effect.andThen(
        Effect.forEach(callbacks.splice(0), (reached) => Effect.forkChild(reached), { discard: true }),
        Effect.sleep("200 millis")
      )
    ),
    restartGateway: Effect.sync(() => {
      counts.restarts += 1
    }),
    renewGateway: Effect.sync(() => {
      counts.renewals += 1
    }),
    refusing: (effect) => effect,
    shopAhead: (effect) => effect
  })
  return { counts, layer: Layer.merge(Layer.succeed(Shop, shop), Layer.succeed(World, world)) }
}
