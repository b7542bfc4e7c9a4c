/**
 * What was proposed, in one word: whoever confirms it says this word, so that nothing else is confirmed than what was read.
 * 128 bits, since the proposer could look for two proposals with one digest.
 */
import { hash } from "node:crypto"
import type { Resolution } from "../orders/outcomes/Resolution.ts"

export const of = (row: Resolution): string => {
  const { amountMinor, approvalCode, evidence, processorTxId, proposedBy, reference, requestId, said } = row
  const content = [requestId, reference, said, amountMinor, evidence, approvalCode, processorTxId, proposedBy]
  return hash("sha256", JSON.stringify(content)).slice(0, 32)
}
