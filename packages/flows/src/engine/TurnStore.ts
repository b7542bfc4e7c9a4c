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
  /**
   * Marks the turn of a part that was interrupted while its flow may continue. In memory this is not needed, because a part that
   * is interrupted gives its turn back.
   */
  readonly abandon: (order: string, turn: number, state: "left" | "open") => void
  /** Returns the state of a turn that was marked in this run. */
  readonly abandoned: (order: string, turn: number) => "left" | "open" | undefined
}

/** Number of orders in memory whose turns have all ended. Beyond it the oldest are dropped. */
const mostOrders = 10_000

/** Whether a turn has no end yet. */
const isOpen = (entries: ReadonlyMap<string, string>): boolean => {
  const names = [...entries.keys()]
  return (
    names.filter((name) => name.startsWith("turn ")).length > names.filter((name) => name.startsWith("end ")).length
  )
}

/** Makes a store in memory. Its flows end with the process, and always give their turns back. */
export const makeMemory = (): TurnStore => {
  const open = new Map<string, Map<string, string>>()
  const ended = new Recent<Map<string, string>>(mostOrders)
  const entriesOf = (order: string) => open.get(order) ?? ended.get(order)
  return {
    write: (order, entry, text) =>
      Effect.sync(() => {
        const entries = entriesOf(order) ?? new Map<string, string>()
        const written = entries.get(entry) ?? text
        entries.set(entry, written)
        const hasOpen = isOpen(entries)
        open.delete(order)
        ended.delete(order)
        if (hasOpen) open.set(order, entries)
        else ended.set(order, entries)
        return written
      }),
    read: (order, entry) => Effect.sync(() => Option.fromUndefinedOr(entriesOf(order)?.get(entry))),
    hasEnded: () => Effect.succeed(false),
    abandon: () => {},
    abandoned: () => undefined
  }
}
