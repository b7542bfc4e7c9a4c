/** Keeps the turns of orders: entries that are written once, under the name of their order. */
import { Effect, Option } from "effect"
import { Recent } from "./Recent.ts"

/** The execution that has a turn, and the part of it: empty for the execution itself, else the prefix of its steps. */
export interface Owner {
  readonly flow: string
  /** Its id, which operators can read: `Refund@shop-7@gateway.example/order-1/return-17`. */
  readonly id: string
  readonly part: string
}

/** The turns of an engine. */
export interface TurnStore {
  /** Writes an entry of an order, unless it is there. Returns the text that is there. */
  readonly write: (order: string, entry: string, text: string) => Effect.Effect<string>
  readonly read: (order: string, entry: string) => Effect.Effect<Option.Option<string>>
  /** Whether the execution has ended, so that it will never give a turn back. */
  readonly hasEnded: (owner: Owner) => Effect.Effect<boolean>
  /** Whether the current run is being suspended. Its parts are interrupted then, and continue in the next run. */
  readonly isSuspending: () => boolean
  /** The turns of parts that were interrupted in the current run while their flow continues, and whether they are left open. */
  readonly abandoned: Map<string, "left" | "open">
}

/** Number of orders in memory. Beyond it the oldest are dropped. */
const mostOrders = 10_000

/** Makes a store in memory. Its flows end with the process, and always give their turns back. */
export const makeMemory = (): TurnStore => {
  const orders = new Recent<Map<string, string>>(mostOrders)
  return {
    write: (order, entry, text) =>
      Effect.sync(() => {
        const entries = orders.get(order) ?? new Map<string, string>()
        orders.set(order, entries)
        const written = entries.get(entry) ?? text
        entries.set(entry, written)
        return written
      }),
    read: (order, entry) => Effect.sync(() => Option.fromUndefinedOr(orders.get(order)?.get(entry))),
    hasEnded: () => Effect.succeed(false),
    isSuspending: () => false,
    abandoned: new Map()
  }
}
