/** The table of everything that must hold. */
import { whole } from "../storage/FileFaults.ts"
import { answers } from "./Answers.ts"
import { bounds } from "./Bounds.ts"
import { callbacks } from "./Callbacks.ts"
import type { Check } from "./Check.ts"
import { contradictions } from "./Contradictions.ts"
import { acknowledged } from "./Durable.ts"
import { agreement, remembered, written } from "./Flows.ts"
import { inTime } from "./InTime.ts"
import { isolation } from "./Isolation.ts"
import { ends, waiting } from "./Liveness.ts"
import { memory } from "./Memory.ts"
import { approvals, books, oneEffect } from "./Money.ts"
import { authentication, farewells } from "./Pages.ts"
import { replays } from "./Replays.ts"
import { secrets } from "./Secrets.ts"
import { states } from "./States.ts"
import { recurring } from "./Subscriptions.ts"
import { sums } from "./Sums.ts"

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
    farewells,
    agreement,
    written,
    remembered
  ],
  ...[states, sums, bounds, callbacks, secrets, replays, isolation, whole, memory]
]
