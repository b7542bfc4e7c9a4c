/** The requests by which the gateway reversed unexpected approvals. */
import { BankTask } from "../../gateway/gateway/src/orders/record/BankTask.ts"
import type { ShadowStore } from "./ShadowStore.ts"

/** Returns whether a reference is of a reversal. A restored copy may lack its task, and the bank still has the reversal. */
export const of = (committed: ShadowStore): ((reference: string) => boolean) => {
  const references = new Set<unknown>()
  committed.observe((changes) => {
    for (const { after, entity } of changes) if (entity === BankTask) references.add(after?.reversalReference)
  })
  return (reference) => references.has(reference)
}
