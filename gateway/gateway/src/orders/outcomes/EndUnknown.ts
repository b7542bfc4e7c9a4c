/** Ends the outcome of a request to the bank whose answer is lost, in the way that the acquirer declares for it. */

import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import { OrderGate } from "../../kernel/OrderGate.ts"
import { Settings } from "../../kernel/Settings.ts"
import type { Acquirer, Inquiry as BankInquiry, ReversalAnswer } from "../bank/Acquirer.ts"
import { type Way, waysOf } from "../bank/UnknownOutcome.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import * as UnknownWay from "../decide/UnknownWay.ts"
import * as Actions from "../record/Actions.ts"
import type { Order } from "../record/Order.ts"
import type { BankRequest } from "../record/OrderRequest.ts"
import * as BankJob from "./BankJob.ts"
import type * as Counterparty from "./Counterparty.ts"

/** A reversed request has no effect, as a decline has none. */
const reversedAs = (
  answer: ReversalAnswer
): Inquiry.Reversed | Exclude<ReversalAnswer, { readonly _tag: "Reversed" }> =>
  answer._tag === "Reversed" ? { ...answer, ...declines.issuerTimedOut, _tag: "Declined", reversed: true } : answer

/** A request, or a reversal of the gateway's own, as far as its way depends on it. */
type Ended = Pick<BankRequest, "acceptedAtMs" | "action" | "processorTxId">

/** Longest time after which a bank sends the outcome of a request that it has taken. */
const longestNotificationMs = 86_400_000

const of = (
  { capabilities, inquire, reverse }: Acquirer["Service"],
  gate: OrderGate["Service"],
  resubmitWithinMs: number
) => {
  const { deadlineMs, unknownOutcomes } = capabilities

  const waysFor = ({ action }: Ended) => waysOf(unknownOutcomes, Actions.facts[action].kind)

  /** Whether the acquirer declares that the identical request may be sent again. */
  const mayBeSentAgain = (request: Ended): boolean => waysFor(request).some(({ by }) => by === "resend")

  /** Returns the way that applies now. */
  const wayOf = Effect.fnUntraced(function* (
    order: Order,
    request: Ended,
    circumstances: Pick<UnknownWay.Circumstances, "isComplete" | "ageMs">
  ) {
    return UnknownWay.of(request, waysFor(request), {
      nowMs: yield* Clock.currentTimeMillis,
      resubmitWithinMs,
      mayBeOfAnother: gate.mayBeOfAnother(order.createdAtMs),
      ...circumstances,
      canReverse: reverse !== undefined
    })
  })

  /** Waits for the notification about a request that the bank has taken, and then, as for any other, for a person. */
  const waiting = ({ acceptedAtMs, processorTxId }: Ended, nowMs: number): Inquiry.Answer =>
    processorTxId === null || nowMs - acceptedAtMs > longestNotificationMs
      ? { _tag: "NoWayLeft" }
      : { _tag: "Accepted", processorTxId }

  /** Learns the outcome without sending the request again. */
  const learn = Effect.fnUntraced(function* (
    way: Way["by"],
    request: Ended,
    inquiry: BankInquiry,
    checkLease: Counterparty.LeaseCheck
  ) {
    if (way === "inquiry") return BankJob.inquired(yield* BankJob.answerOf(inquire(inquiry), deadlineMs))
    if (way !== "reversal" || reverse === undefined) return waiting(request, yield* Clock.currentTimeMillis)
    yield* checkLease
    return BankJob.inquired(yield* BankJob.answerOf(Effect.map(reverse(inquiry), reversedAs), deadlineMs))
  })

  return { learn, mayBeSentAgain, wayOf }
}

/** Returns what ends the unknown outcomes of an acquirer. */
export const make = Effect.gen(function* () {
  const { resubmitWithinMs } = yield* Settings
  const gate = yield* OrderGate
  return (acquirer: Acquirer["Service"]) => of(acquirer, gate, resubmitWithinMs)
})
