/** The table of all checks. */
import { completeStore } from "../storage/FileFaults.ts"
import { callbacks } from "./Callbacks.ts"
import type { Check } from "./Check.ts"
import { answers } from "./ConsistentAnswers.ts"
import { acknowledged } from "./Durability.ts"
import { agreement, remembered, written } from "./Flows.ts"
import { bounds } from "./Growth.ts"
import { idempotency } from "./Idempotency.ts"
import { isolation } from "./Isolation.ts"
import { contradictions } from "./LateApprovals.ts"
import { sums } from "./LedgerSums.ts"
import { results, waiting } from "./Liveness.ts"
import { memory } from "./Memory.ts"
import { approvals, books, exactlyOnce } from "./Money.ts"
import { authentication, returnedStatuses } from "./Pages.ts"
import { restoredCopies } from "./Restores.ts"
import { secrets } from "./Secrets.ts"
import { states } from "./States.ts"
import { recurring } from "./Subscriptions.ts"
import { deadlines } from "./Timeliness.ts"
import { windows } from "./Windows.ts"

export const all: ReadonlyArray<Check> = [
  ...[
    exactlyOnce,
    windows,
    acknowledged,
    waiting,
    results,
    deadlines,
    approvals,
    books,
    contradictions,
    answers,
    recurring,
    authentication,
    returnedStatuses,
    agreement,
    written,
    remembered
  ],
  ...[states, sums, bounds, callbacks, secrets, idempotency, isolation, completeStore, memory, restoredCopies]
]
