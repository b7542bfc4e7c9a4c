/**
 * Which moves of orders a life has seen, and which faults each has met: those that happened between the order's last change and
 * the move, and the few before, whose effects last. What the fault was called follows `isFault` of the table of steps.
 */
import { Order } from "@pay/gateway/entities/Order"
import type { Observer } from "./Committed.ts"

/** By `kind: from → to`: how often it was made, and how often after each fault. */
export type Transitions = Readonly<
  Record<string, { readonly count: number; readonly faults: Readonly<Record<string, number>> }>
>

export interface Recorder {
  readonly observer: Observer
  /** From now on. */
  readonly fault: (name: string) => void
  readonly transitions: () => Transitions
}

/** A fault that was set up may be met only by what begins later. */
const lasting = 3

export const make = (): Recorder => {
  const faults: Array<string> = []
  const since = new Map<string, number>()
  const seen: Record<string, { count: number; readonly faults: Record<string, number> }> = {}
  return {
    fault: (name) => void faults.push(name),
    transitions: () => seen,
    observer: (changes) => {
      for (const { after, before, entity, key } of changes) {
        if (entity !== Order || after === undefined) continue
        const met = new Set(
          faults.slice(Math.max(0, Math.min(since.get(key) ?? faults.length, faults.length - lasting)))
        )
        since.set(key, faults.length)
        if (before?.state === after.state) continue
        const name = `${after.kind}: ${before?.state ?? "nothing"} → ${after.state}`
        const found = seen[name] ?? { count: 0, faults: {} }
        seen[name] = found
        found.count += 1
        for (const fault of met) found.faults[fault] = (found.faults[fault] ?? 0) + 1
      }
    }
  }
}
