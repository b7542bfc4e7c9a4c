/** Logs an answer of a bank or rail with the gateway's own identifiers and without card data. */

import { Effect } from "effect"
import * as LogText from "../../kernel/LogText.ts"
import * as Inquiry from "../decide/Inquiry.ts"
import type { AttemptReference } from "../record/Booking.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"

export const log = (
  { orderId, requestId }: OrderRequest,
  reference: AttemptReference,
  answer: Inquiry.Answer
): Effect.Effect<void> => {
  const about = { orderId, requestId, reference, answer: answer._tag }
  switch (answer._tag) {
    case "Declined":
      return Effect.logInfo("Bank or rail declined").pipe(
        Effect.annotateLogs({ ...about, code: answer.code, reason: LogText.of(answer.message) })
      )
    case "Lost":
    case "NotSent":
    case "CannotSay":
    case "NoWayLeft":
      return Effect.logWarning("Bank or rail gave no answer; the gateway inquires again").pipe(
        Effect.annotateLogs({ ...about, reason: Inquiry.reasonOf(answer) ?? "the outcome is not known yet" })
      )
    default:
      return Effect.logDebug("Bank or rail answered").pipe(Effect.annotateLogs(about))
  }
}
