/**
 * The tries of a payment that a restored copy does not know: of a scheduled charge, or on a hosted page. The former life may
 * have made them after the copy, each under the reference of its number. The bank is asked about every one before the
 * payment is tried again or given up.
 */
import { Clock, Effect } from "effect"
import type * as Asking from "../domain/Asking.ts"
import * as BankWork from "../domain/BankWork.ts"
import type { Order } from "../domain/entities/Order.ts"
import type { BankRequest } from "../domain/entities/OrderRequest.ts"
import * as Restored from "../domain/Restored.ts"
import { Acquirer } from "../ports/Acquirer.ts"
import * as Asker from "./Asker.ts"
import * as RestoredAt from "./RestoredAt.ts"

/** A later try that was approved, or of which nobody can say yet. */
export interface Found {
  readonly sequence: number
  readonly answer: Extract<Asking.Answer, { readonly _tag: "Approved" | "CannotSay" }>
}

export const make = Effect.gen(function* () {
  const acquirer = yield* Acquirer
  const restoredAtMs = yield* RestoredAt.make
  const { deadlineMs, longestProcessingMs } = acquirer.capabilities

  /** `last`: the greatest number of a try. Undefined: none after the one that the copy knows was approved, or can be any more. */
  return Effect.fnUntraced(function* (order: Order, request: BankRequest, last: number) {
    const kind = request.action === "refundThenCancel" ? "refund" : request.action
    if (restoredAtMs === undefined || !Restored.asksFirst(order, restoredAtMs)) return undefined
    const mayArrive = (yield* Clock.currentTimeMillis) - restoredAtMs < longestProcessingMs
    for (let sequence = request.sequence + 1; sequence <= last; sequence += 1) {
      const reference = BankWork.reference({ ...request, sequence }, kind)
      const answer = Asker.inquired(yield* Asker.heard(acquirer.inquire(reference), deadlineMs))
      if (answer._tag === "Approved" || answer._tag === "CannotSay") return { sequence, answer } satisfies Found
      if (answer._tag === "NotFound" && mayArrive) {
        return { sequence, answer: { _tag: "CannotSay" } } satisfies Found
      }
    }
    return undefined
  })
})
