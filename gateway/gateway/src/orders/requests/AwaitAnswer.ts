/** Waits with an answer about an order until it says more than that the order is under way. */
import * as Status from "@pay/schema/Status"
import { Duration, Effect } from "effect"
import type { Answer, RequestRefused } from "../../kernel/Answer.ts"
import { AuthClock } from "../../kernel/AuthClock.ts"
import type { StoreUnavailable } from "../../kernel/Store.ts"

/** Shortest and longest time between two reads of the order. The time doubles with each read. */
const firstLookMs = 20
const longestLookMs = 500

type Look = Effect.Effect<Answer, RequestRefused | StoreUnavailable>

/** Whether the answer can be returned: the status is final, or the customer has to act. */
const isEnough = ({ fields }: Answer): boolean =>
  "redirect-to" in fields ||
  "threeds-stage" in fields ||
  !("status" in fields) ||
  typeof fields.status !== "string" ||
  Status.isFinal(fields.status)

/** Returns the function that repeats `look` after the first answer until an answer is enough, for at most `waitMs`. */
export const make = Effect.map(AuthClock, (clock) =>
  Effect.fnUntraced(function* (first: Look, look: Look, waitMs: number) {
    const untilMs = clock.nowMs() + waitMs
    let pauseMs = firstLookMs
    let answer = yield* first
    while (!isEnough(answer) && clock.nowMs() < untilMs) {
      yield* Effect.sleep(Duration.millis(pauseMs))
      pauseMs = Math.min(longestLookMs, pauseMs * 2)
      answer = yield* look
    }
    return answer
  })
)
