/**
 * Records the transitions of orders in a run, each with the faults that preceded it: those since the order's last change, and the
 * three before, whose effects may last. A fault without an effect (there was no payment that could be refused, or it concerned a
 * merchant of the stub gateway) is not counted.
 */
import { Order } from "@pay/gateway/Entities"
import type { Observer } from "./ShadowStore.ts"

/** By `kind: from → to`: how often orders made the transition, and how often after each fault. */
export type TransitionCounts = Readonly<
  Record<string, { readonly count: number; readonly faults: Readonly<Record<string, number>> }>
>

export interface TransitionRecorder {
  readonly observer: Observer
  /** Records that a fault happens. */
  readonly fault: (name: string) => void
  /** The last fault had no effect. */
  readonly withdraw: () => void
  readonly transitions: () => TransitionCounts
}

/** The number of faults before the order's last change that are counted, because a fault may affect later requests. */
const lastingFaults = 3

interface Fault {
  readonly name: string
  hasEffect: boolean
}

export const make = (): TransitionRecorder => {
  const faults: Array<Fault> = []
  const since = new Map<string, number>()
  const observed: Array<{ readonly name: string; readonly met: ReadonlyArray<Fault> }> = []
  return {
    fault: (name) => void faults.push({ name, hasEffect: true }),
    withdraw: () => {
      const fault = faults.pop()
      if (fault !== undefined) fault.hasEffect = false
    },
    transitions: () => {
      const counts: Record<string, { count: number; readonly faults: Record<string, number> }> = {}
      for (const { met, name } of observed) {
        const result = counts[name] ?? { count: 0, faults: {} }
        counts[name] = result
        result.count += 1
        const names = new Set(met.filter(({ hasEffect }) => hasEffect).map((fault) => fault.name))
        for (const fault of names) result.faults[fault] = (result.faults[fault] ?? 0) + 1
      }
      return counts
    },
    observer: (changes) => {
      for (const { after, before, entity, key } of changes) {
        if (entity !== Order || after === undefined) continue
        const met = faults.slice(Math.max(0, Math.min(since.get(key) ?? faults.length, faults.length - lastingFaults)))
        since.set(key, faults.length)
        if (before?.state === after.state) continue
        observed.push({ name: `${after.kind}: ${before?.state ?? "nothing"} → ${after.state}`, met })
      }
    }
  }
}
