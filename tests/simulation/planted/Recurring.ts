/** Defects in scheduled charges. */
import { type Planted, visible } from "./Patch.ts"

export const recurring: ReadonlyArray<Planted> = [
  visible(
    "an occurrence is charged and stays the next one",
    "one occurrence is charged twice, or its charge never ends",
    "packages/gateway/src/recurring/Billing.ts",
    "next: occurrence === undefined ? subscription.next : occurrence.n + 1,",
    "next: subscription.next,"
  )
]
