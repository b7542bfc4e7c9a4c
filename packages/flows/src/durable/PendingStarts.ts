import { Deferred, Effect } from "effect"
import type { PendingFields } from "../engine/NeverStored.ts"

/**
 * Holds the fields that are never stored until the first run of their flow. They are in the memory of the process that received
 * them until the flow has been begun once. A flow that has not been begun when the process ends runs without them. A flow that
 * finds no fields has been begun before, by this process or another one.
 */
export interface PendingStarts {
  /**
   * Holds the fields of a start. Several calls may start one flow at once, and only the stored record decides which of them
   * started it: `settle` says whether this one did.
   */
  readonly hold: (executionId: string, fields: PendingFields) => { readonly settle: (isBegun: boolean) => void }
  /**
   * Returns and removes the fields of the start that began the execution. A run can begin before the call knows that it started
   * it, or while a later call repeats the start, so the run waits until each call is settled.
   */
  readonly take: (executionId: string) => Effect.Effect<PendingFields | undefined>
}

interface Call {
  readonly fields: PendingFields
  readonly isBegun: Deferred.Deferred<boolean>
}

export const make = (): PendingStarts => {
  const pending = new Map<string, ReadonlySet<Call>>()
  const remove = (executionId: string, call: Call) => {
    const others = new Set(pending.get(executionId))
    others.delete(call)
    if (others.size === 0) pending.delete(executionId)
    else pending.set(executionId, others)
  }
  return {
    hold: (executionId, fields) => {
      const call: Call = { fields, isBegun: Deferred.makeUnsafe() }
      pending.set(executionId, new Set(pending.get(executionId)).add(call))
      return {
        settle: (isBegun) => {
          if (!isBegun) remove(executionId, call)
          Deferred.doneUnsafe(call.isBegun, Effect.succeed(isBegun))
        }
      }
    },
    take: Effect.fnUntraced(function* (executionId) {
      for (const call of pending.get(executionId) ?? []) {
        if (!(yield* Deferred.await(call.isBegun))) continue
        remove(executionId, call)
        return call.fields
      }
      return undefined
    })
  }
}
