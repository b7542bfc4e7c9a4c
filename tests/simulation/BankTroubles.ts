/** What bank and rail do on a bad day: what they decide, what becomes of their messages, and what they find out later. */
import { isKnown } from "@pay/sandbox/Booking"
import { approve, decline, type Journey, type Verdict } from "@pay/sandbox/Outcome"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import type { Chance } from "./Chance.ts"
import type { World } from "./World.ts"

const hourMs = 3_600_000

const verdict = (chance: Chance): Verdict => (chance.percent(75) ? approve : decline(declines.doNotHonour))

/** A request that is late arrives before the bank's longest processing time of 60 s. */
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

const cardKinds = ["authorize", "capture", "cancel", "refund"] as const

/** Some request to come, or some inquiry after one, meets trouble. */
export const trouble = Effect.fnUntraced(function* ({ bank, rail }: World, chance: Chance) {
  if (chance.percent(20)) {
    yield* bank.next("inquire", { journey: chance.percent(50) ? { _tag: "NotSent" } : { _tag: "AnswerLost" } })
    return "an inquiry will fail"
  }
  const plan = { verdict: verdict(chance), journey: journey(chance), latencyMs: chance.below(9_000) }
  if (chance.percent(20)) {
    yield* rail.next("pay", plan)
    return `the next pay meets ${JSON.stringify(plan)}`
  }
  const kind = chance.oneOf(cardKinds)
  yield* bank.next(kind, plan)
  return `the next ${kind} meets ${JSON.stringify(plan)}`
})

/** References of which bank or rail cannot say what became of them. */
const undecided = Effect.fnUntraced(function* ({ bank, loop, rail }: World) {
  const nowMs = loop.nowMs()
  const open = (books: ReadonlyArray<Parameters<typeof isKnown>[0]>) =>
    books.filter((booking) => !isKnown(booking, nowMs)).map(({ request }) => request.reference)
  return {
    bank: open(yield* bank.books.all),
    rail: open(yield* rail.books.all)
  }
})

/** Bank and rail find out about everything. */
export const clarity = Effect.fnUntraced(function* (world: World, chance: Chance) {
  const open = yield* undecided(world)
  for (const reference of open.bank) yield* world.bank.settle(reference, verdict(chance))
  for (const reference of open.rail) yield* world.rail.settle(reference, verdict(chance))
})
