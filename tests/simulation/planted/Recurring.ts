/** Defects in scheduled charges. */
import { type Planted, visible } from "./Patch.ts"

export const recurring: ReadonlyArray<Planted> = [
  visible(
    "a charged occurrence stays the next one",
    "one occurrence is charged twice, or its charge has no end",
    "gateway/gateway/src/recurring/Billing.ts",
    "next: occurrence === undefined ? subscription.next : occurrence.n + 1,",
    "next: subscription.next,"
  )
]
