/**
 * The operation `sync/account-verification`: a verification that is answered with its status. It waits until the status is
 * final or the customer has something to do, at most for a limited time. After that the merchant gets the outcome by
 * `status`.
 */
import * as Status from "@pay/schema/Status"
import { Duration, Effect } from "effect"
import { type Answer, refuse } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import { Settings } from "../kernel/Settings.ts"
import { Store } from "../kernel/Store.ts"
import type { Call, Handler } from "../merchants/Call.ts"
import * as AnswerStatus from "./AnswerStatus.ts"
import * as CreateOrder from "./CreateOrder.ts"
import { namedOrder } from "./NamedOrder.ts"

/** Shortest and longest time between two reads of the order. The time doubles with each read. */
const firstLookMs = 20
const longestLookMs = 500

/** Whether the answer can be returned: the status is final, or the customer has to act. */
const isEnough = ({ fields }: Answer): boolean =>
  "redirect-to" in fields ||
  "threeds-stage" in fields ||
  !("status" in fields) ||
  typeof fields.status !== "string" ||
  Status.isFinal(fields.status)

export const make = Effect.gen(function* () {
  const { operation, perform, reads, replay } = yield* CreateOrder.make("SYNC_ACCOUNT_VERIFICATION")
  const store = yield* Store
  const clock = yield* AuthClock
  const read = yield* AnswerStatus.reader
  const { syncWaitMs } = yield* Settings

  const look = Effect.fnUntraced(function* (call: Call) {
    const order = yield* namedOrder(store, call)
    return order === undefined ? yield* refuse("orderNotFound") : yield* read(order, undefined)
  })

  const wait = Effect.fnUntraced(function* (call: Call) {
    const untilMs = clock.nowMs() + syncWaitMs
    let pauseMs = firstLookMs
    let answer = yield* look(call)
    while (!isEnough(answer) && clock.nowMs() < untilMs) {
      yield* Effect.sleep(Duration.millis(pauseMs))
      pauseMs = Math.min(longestLookMs, pauseMs * 2)
      answer = yield* look(call)
    }
    return answer
  })

  const handler: Handler = {
    operation,
    replay: (call) => Effect.flatMap(replay(call), (again) => (again === undefined ? Effect.undefined : wait(call))),
    perform: (call, endpoints) => Effect.andThen(perform(call, endpoints), wait(call)),
    reads
  }
  return handler
})
