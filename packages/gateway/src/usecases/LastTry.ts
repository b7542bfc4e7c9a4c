/**
 * Asks the bank again about a scheduled charge that it has declined, before the charge is tried again or given up: one that it
 * has approved after all would be charged twice.
 */
import { Effect } from "effect"
import * as BankWork from "../domain/BankWork.ts"
import type { BankRequest } from "../domain/entities/OrderRequest.ts"
import { Acquirer } from "../ports/Acquirer.ts"
import * as Asker from "./Asker.ts"

export const make = Effect.map(Acquirer, ({ capabilities: { deadlineMs }, inquire }) => (request: BankRequest) => {
  const kind = request.action === "refundThenCancel" ? "refund" : request.action
  return Effect.map(Asker.heard(inquire(BankWork.reference(request, kind)), deadlineMs), Asker.inquired)
})
