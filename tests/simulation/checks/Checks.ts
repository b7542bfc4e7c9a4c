/** The table of everything that must hold. */
import { whole } from "../storage/FileFaults.ts"
import { callbacks } from "./Callbacks.ts"
import type { Check } from "./Check.ts"
import { answers } from "./ConsistentAnswers.ts"
import { acknowledged } from "./Durability.ts"
import { agreement, remembered, written } from "./Flows.ts"
import { bounds } from "./Growth.ts"
import { replays } from "./Idempotency.ts"
import { isolation } from "./Isolation.ts"
import { contradictions } from "./LateApprovals.ts"
import { sums } from "./LedgerSums.ts"
import { ends, waiting } from "./Liveness.ts"
import { memory } from "./Memory.ts"
import { approvals, books, oneEffect } from "./Money.ts"
import { authentication, returnedStatuses } from "./Pages.ts"
import { secrets } from "./Secrets.ts"
import { states } from "./States.ts"
import { recurring } from "./Subscriptions.ts"
import { inTime } from "./Timeliness.ts"

export const all: ReadonlyArray<Check> = [
  ...[
    oneEffect,
    acknowledged,
    waiting,
    ends,
    inTime,
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
  ...[states, sums, bounds, callbacks, secrets, replays, isolation, whole, memory]
]
