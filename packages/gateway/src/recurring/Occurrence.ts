/** One occurrence of a recurring payment that was charged, is being charged or was skipped: at most one order each. */
import * as Entity from "../kernel/Entity.ts"

/** `charging`: its order is under way; `retrying`: declined, and tried again later. The others are final. */
export type Progress = "charging" | "retrying" | "charged" | "failed" | "skipped"

/** Changed only together with its subscription, whose version guards both. */
export const Occurrence = Entity.make("occurrences", {
  columns: {
    subscriptionId: Entity.text(),
    n: Entity.integer,
    /** `YYYY-MM-DD`. */
    day: Entity.text(),
    progress: Entity.text<Progress>(),
    /** Its charge; null where it was skipped. */
    orderId: Entity.textOrNull(),
    /** Times the card was tried. */
    attempts: Entity.integer,
    /** When the card was first tried: its retries count from there. */
    firstAtMs: Entity.integerOrNull,
    nextTryAtMs: Entity.integerOrNull,
    /** Why it was skipped, or the last decline. */
    reason: Entity.textOrNull(),
    endedAtMs: Entity.integerOrNull
  },
  key: ["subscriptionId", "n"]
})
export type Occurrence = Entity.Row<typeof Occurrence>
