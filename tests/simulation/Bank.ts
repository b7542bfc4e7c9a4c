/** A bank on a bad day: what it decides, what becomes of its messages, and what it finds out later. */
import { isKnown } from "@pay/sandbox/Booking"
import * as Books from "@pay/sandbox/Books"
import { approve, decline, type Journey, type Verdict } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Clock, Effect } from "effect"
import type { Chance } from "./Chance.ts"

const kinds = ["authorize", "capture", "cancel", "refund"] as const
const hourMs = 3_600_000

const verdict = (chance: Chance): Verdict => (chance.percent(75) ? approve : decline(declines.doNotHonour))

/** No answer takes time: it comes at once, or it is lost. A request that is late arrives before the bank's limit of 60 s. */
const journey = (chance: Chance): Journey =>
  chance.oneOf<() => Journey>([
    () => ({ _tag: "Answered" }),
    () => ({ _tag: "ArrivesTwice" }),
    () => ({ _tag: "AnswerLost" }),
    () => ({ _tag: "Undecided", forMs: chance.below(72 * hourMs) }),
    () => ({ _tag: "Undecided" }),
    () => ({ _tag: "ArrivesLate", afterMs: chance.below(59_000) }),
    () => ({ _tag: "NeverArrives", times: 1 + chance.below(3) }),
    () => ({ _tag: "NeverArrives" }),
    () => ({ _tag: "NotSent", times: 1 + chance.below(3) }),
    () => ({ _tag: "NotSent" })
  ])()

/** Some request to come, or some question after one, meets trouble. */
export const trouble = Effect.fnUntraced(function* (chance: Chance) {
  const { next } = yield* SandboxControl
  if (chance.percent(25)) {
    yield* next("inquire", { journey: chance.percent(50) ? { _tag: "NotSent" } : { _tag: "AnswerLost" } })
    return "an inquiry will fail"
  }
  const kind = chance.oneOf(kinds)
  const plan = { verdict: verdict(chance), journey: journey(chance) }
  yield* next(kind, plan)
  return `the next ${kind} meets ${JSON.stringify(plan)}`
})

const undecided = Effect.gen(function* () {
  const { books } = yield* SandboxControl
  const nowMs = yield* Clock.currentTimeMillis
  return (yield* books.all).filter((booking) => !isKnown(booking, nowMs)).map(({ request }) => request.reference)
})

/** The bank finds out about one thing of which it could not say. */
export const insight = Effect.fnUntraced(function* (chance: Chance) {
  const { settle } = yield* SandboxControl
  const [first, ...others] = yield* undecided
  if (first === undefined) return "the bank has nothing to find out"
  const reference = chance.oneOf([first, ...others])
  yield* settle(reference, verdict(chance))
  return `the bank finds out about ${reference}`
})

/** The bank finds out about everything. */
export const clarity = Effect.fnUntraced(function* (chance: Chance) {
  const { settle } = yield* SandboxControl
  for (const reference of yield* undecided) yield* settle(reference, verdict(chance))
})

/** All that the bank has moved for an order, told or not told yet. */
export const moved = Effect.fnUntraced(function* (orderid: string) {
  const { books } = yield* SandboxControl
  const bookings = yield* books.ofOrder(orderid)
  const approved = (kind: string) =>
    bookings.filter(({ answer, request }) => request.kind === kind && answer._tag === "Approved").length
  return { ...Books.sum(bookings), captures: approved("capture"), refunds: approved("refund") }
})
