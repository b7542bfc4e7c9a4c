/** Defects in scheduled charges. */
import { type Defect, visible } from "./Defect.ts"

export const recurring: ReadonlyArray<Defect> = [
  visible(
    "a charged occurrence stays the next one",
    "one occurrence is charged twice, or its charge has no end",
    "gateway/gateway/src/recurring/decide/Billing.ts",
    "next: occurrence === undefined ? subscription.next : occurrence.n + 1,",
    "next: subscription.next,"
  )
]
