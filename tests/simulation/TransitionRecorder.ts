/**
 * Which moves of orders a run has seen, and which faults each has met: those that happened between the order's last change and
 * the move, and the few before, whose effects last. What the fault was called follows `isFault` of the table of steps. A fault that
 * found nothing to befall (no payment that could be refused, or a merchant of the other gateway) is met by nothing.
 */
import { Order } from "@pay/gateway/entities/Order"
import type { Observer } from "./ShadowStore.ts"

/** By `kind: from → to`: how often it was made, and how often after each fault. */
export type Transitions = Readonly<
  Record<string, { readonly count: number; readonly faults: Readonly<Record<string, number>> }>
>

export interface Recorder {
  readonly observer: Observer
  /** From now on. */
  readonly fault: (name: string) => void
  /** The fault that happened last has found nothing to befall. */
  readonly withdraw: () => void
  readonly transitions: () => Transitions
}

/** A fault that was set up may be met only by what begins later. */
const lasting = 3

interface Fault {
  readonly name: string
  isReal: boolean
}

export const make = (): Recorder => {
  const faults: Array<Fault> = []
  const since = new Map<string, number>()
  const moves: Array<{ readonly name: string; readonly met: ReadonlyArray<Fault> }> = []
  return {
    fault: (name) => void faults.push({ name, isReal: true }),
    withdraw: () => {
      const fault = faults.pop()
      if (fault !== undefined) fault.isReal = false
    },
    transitions: () => {
      const observed: Record<string, { count: number; readonly faults: Record<string, number> }> = {}
      for (const { met, name } of moves) {
        const result = observed[name] ?? { count: 0, faults: {} }
        observed[name] = result
        result.count += 1
        const names = new Set(met.filter(({ isReal }) => isReal).map((fault) => fault.name))
        for (const fault of names) result.faults[fault] = (result.faults[fault] ?? 0) + 1
      }
      return observed
    },
    observer: (changes) => {
      for (const { after, before, entity, key } of changes) {
        if (entity !== Order || after === undefined) continue
        const met = faults.slice(Math.max(0, Math.min(since.get(key) ?? faults.length, faults.length - lasting)))
        since.set(key, faults.length)
        if (before?.state === after.state) continue
        moves.push({ name: `${after.kind}: ${before?.state ?? "nothing"} → ${after.state}`, met })
      }
    }
  }
}
