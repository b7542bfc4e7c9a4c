/**
 * Whether the time is certain enough for work that cannot be undone and that a date alone causes: holds that end, charges, erasure.
 * Such work stops while the machine's clock alone says that time has passed, and goes on when another clock agrees with it: the
 * time of the last commit, the database's clock, or the time in an answer of the bank (docs/assumptions.md#time).
 */
import { Context } from "effect"
import * as JumpGuard from "./JumpGuard.ts"

/** The other clocks. */
export type Source = "database" | "bank"

export type Event =
  | { readonly _tag: "Confirmed"; readonly by: Source }
  | { readonly _tag: "Corrected"; readonly by: Source; readonly differenceMs: number }
  /** The machine and the database have times that both may be right. */
  | { readonly _tag: "Contradicted"; readonly differenceMs: number }

export interface ClockTrust {
  /** The account of the operator who said at the start that the machine's clock is right. */
  readonly acceptedBy: string | undefined
  /** Whether dated work may begin. */
  readonly isTrusted: () => boolean
  /** Receives the time of another clock. */
  readonly observe: (source: Source, atMs: number) => void
  /** Compares the time with the newest time that the store contains, at the start. `undefined`: the store is new. */
  readonly start: (storeMs: number | undefined) => void
}

/** Without this service, the time is trusted: the time of a sandbox is moved on purpose. */
export const ClockTrust = Context.Reference<ClockTrust>("@pay/gateway/ClockTrust", {
  defaultValue: () => ({ acceptedBy: undefined, isTrusted: () => true, observe: () => {}, start: () => {} })
})

/** Longest time, in milliseconds, for which a gateway may have been down without another clock at its start. */
const longestDownMs = 86_400_000
/** Largest difference, in milliseconds, of two clocks that agree. It includes the way of an answer. */
const agreeingMs = 120_000

export interface Options {
  /** The account of the operator who says that the machine's clock is right. */
  readonly acceptedBy?: string | undefined
  readonly onEvent?: (event: Event) => void
}

export const make = (clock: JumpGuard.JumpGuard, { acceptedBy, onEvent = () => {} }: Options = {}): ClockTrust => {
  let isConfirmed = acceptedBy !== undefined
  let isContradicted = false
  let begin: { readonly storeMs: number; readonly nanos: bigint } | undefined

  /** Whether a time agrees with the last commit before the start. */
  const isNearStore = (ms: number): boolean => {
    if (begin === undefined) return false
    const elapsedMs = Number(clock.monotonicTimeNanosUnsafe() - begin.nanos) / 1e6
    const sinceMs = ms - elapsedMs - begin.storeMs
    return sinceMs >= -JumpGuard.toleratedMs && sinceMs <= longestDownMs
  }
  const isTrusted = (): boolean => {
    if (isContradicted) return false
    const differenceMs = clock.differenceMs()
    if (differenceMs !== 0) {
      // A machine that started with a wrong clock was set to a time that the last commit confirms.
      if (isConfirmed || !isNearStore(clock.currentTimeMillisUnsafe() + differenceMs)) return false
      clock.follow()
    }
    isConfirmed ||= isNearStore(clock.currentTimeMillisUnsafe())
    return isConfirmed
  }

  return {
    acceptedBy,
    isTrusted,
    observe: (by, atMs) => {
      const wasContradicted = isContradicted
      if (by === "database") isContradicted = false
      const wasTrusted = isTrusted()
      const differenceMs = clock.differenceMs()
      const machineMs = clock.currentTimeMillisUnsafe() + differenceMs
      const agrees = Math.abs(machineMs - atMs) <= agreeingMs
      if (wasTrusted) {
        // All gateways share the database's clock, so the one with another time is the one that must not act by date.
        isContradicted = by === "database" && !agrees && acceptedBy === undefined
        if (isContradicted && !wasContradicted) onEvent({ _tag: "Contradicted", differenceMs: machineMs - atMs })
        if (wasContradicted && agrees) onEvent({ _tag: "Confirmed", by })
      } else if (agrees) {
        isConfirmed = true
        clock.follow()
        onEvent({ _tag: "Confirmed", by })
      } else if (differenceMs === 0 && isNearStore(atMs)) {
        clock.differBy(machineMs - atMs)
        onEvent({ _tag: "Corrected", by, differenceMs: machineMs - atMs })
      }
    },
    start: (storeMs) => {
      if (storeMs === undefined) isConfirmed = true
      else begin = { storeMs, nanos: clock.monotonicTimeNanosUnsafe() }
      isTrusted()
    }
  }
}
