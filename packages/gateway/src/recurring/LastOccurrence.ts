/** The occurrence of a recurring payment with the greatest number; undefined: it has none yet. */
import { Effect } from "effect"
import type { Store } from "../kernel/Store.ts"
import { Occurrence } from "./Occurrence.ts"

export const lastOccurrence = (store: Store["Service"], subscriptionId: string) =>
  Effect.map(
    store.find(Occurrence, "key", { equals: [subscriptionId], limit: 1, descending: true }),
    ([last]): Occurrence | undefined => last
  )
