/**
 * Asks the bank again about a scheduled charge that it has declined, before the charge is tried again or given up: one that it
 * has approved after all would be charged twice.
 */
import { Effect } from "effect"
import { Acquirer } from "../Acquirer.ts"
import type { BankRequest } from "../OrderRequest.ts"
import * as BankJob from "./BankJob.ts"
import * as CardAnswer from "./CardAnswer.ts"

export const make = Effect.map(Acquirer, ({ capabilities: { deadlineMs }, inquire }) => (request: BankRequest) => {
  const kind = request.action === "refundThenCancel" ? "refund" : request.action
  return Effect.map(BankJob.answerOf(inquire(CardAnswer.reference(request, kind)), deadlineMs), BankJob.inquired)
})
