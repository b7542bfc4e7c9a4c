/** Faults of bank and rail: their decisions, lost and late messages, and decisions that they make later. */

import type { Chance } from "@pay/crashtest/Chance"
import { Acquirer } from "@pay/gateway/Acquirer"
import {
  approve,
  bankKinds,
  type Delivery,
  decline,
  type RailKind,
  railKinds,
  type Scenario,
  type Verdict
} from "@pay/sandbox/Outcome"
import { type Decline, declines } from "@pay/schema/Decline"
import { Context, Effect } from "effect"
import { type Booking, isKnown } from "../../../gateway/sandbox/src/Booking.ts"
import type { SimulatedSystem } from "../SimulatedSystem.ts"
import type { Step } from "./Step.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const reason = (chance: Chance): Decline => chance.someOf(Object.values(declines)) ?? declines.doNotHonour

const verdict = (chance: Chance): Verdict => (chance.percent(75) ? approve : decline(reason(chance)))

type Deliveries = {
  readonly [Tag in Exclude<Delivery["_tag"], "Contradicted">]: (
    chance: Chance
  ) => Extract<Delivery, { readonly _tag: Tag }>
}

/** A number of times. In most cases the caller gives up later. */
const times = (chance: Chance) => (chance.percent(50) ? { times: 1 + chance.below(3) } : {})

/** A late request arrives within the longest processing time of 60 s, which a bank guarantees. */
const deliveries: Deliveries = {
  Answered: () => ({ _tag: "Answered" }),
  ArrivesTwice: () => ({ _tag: "ArrivesTwice" }),
  AnswerLost: () => ({ _tag: "AnswerLost" }),
  Undecided: (chance) => ({ _tag: "Undecided", ...(chance.percent(50) ? { forMs: chance.below(3 * dayMs) } : {}) }),
  ArrivesLate: (chance) => ({ _tag: "ArrivesLate", afterMs: chance.below(59_000) }),
  NeverArrives: (chance) => ({ _tag: "NeverArrives", ...times(chance) }),
  NotSent: (chance) => ({ _tag: "NotSent", ...times(chance) })
}

const delivery = (chance: Chance): Delivery => (chance.someOf(Object.values(deliveries)) ?? deliveries.Answered)(chance)

/**
 * Declined in the answer to an inquiry or to the repeated request, and approved in the answer to the original request. That answer
 * arrives while the gateway still waits for it, or later.
 */
const contradiction = (chance: Chance): Scenario => {
  const onceRepeated = chance.percent(40)
  const afterMs = onceRepeated ? 86_000 + chance.below(60_000) : chance.below(chance.percent(20) ? 20_000 : 146_000)
  return { delivery: { _tag: "Contradicted", afterMs, onceRepeated } }
}

/** In most cases far below the time that the gateway waits; otherwise close to it. */
const latencyMs = (system: SimulatedSystem, chance: Chance): number => {
  const { deadlineMs } = Context.get(system.outside, Acquirer).capabilities
  return chance.percent(70)
    ? chance.below(deadlineMs / 2)
    : deadlineMs + chance.oneOf([-1_000, -1, 0, 1, 1_000, deadlineMs])
}

/** The time after a payout during which the gateway certainly still inquires about it. */
const refusedWithinMs = 4 * dayMs

const lateRefusal = (chance: Chance) => ({
  afterMs: chance.below(refusedWithinMs),
  code: declines.noSuchAccount.code,
  message: declines.noSuchAccount.message
})

const planOf = (system: SimulatedSystem, chance: Chance): Scenario => ({
  verdict: verdict(chance),
  delivery: delivery(chance),
  latencyMs: latencyMs(system, chance)
})

/** Kinds of requests that move money, repeated as often as each should be contradicted. */
const contradicted = ["authorize", "authorize", "authorize", "capture", "void", "refund", "pay", "pay"] as const

const isRail = (kind: string): kind is RailKind => railKinds.some((each) => each === kind)

/** Plans an outcome for the next request of a kind, or for the next inquiry. */
const planOutcome = Effect.fnUntraced(function* (system: SimulatedSystem, chance: Chance) {
  const { bank, rail } = system
  const kind = chance.someOf([...bankKinds, ...railKinds, "inquire", "inquire"] as const) ?? "inquire"
  if (kind === "inquire") {
    const plan = { delivery: delivery(chance) }
    yield* chance.percent(80) ? bank.next(kind, plan) : rail.next(kind, plan)
    return `the next inquiry meets ${JSON.stringify(plan)}`
  }
  const plan = planOf(system, chance)
  if (!isRail(kind)) {
    yield* bank.next(kind, plan)
  } else if (kind === "pay" && chance.percent(40)) {
    yield* rail.next(kind, { ...plan, verdict: approve, lateRefusal: lateRefusal(chance) })
    return "the next payment of the rail is refused after it was confirmed"
  } else {
    yield* rail.next(kind, plan)
  }
  return `the next ${kind} meets ${JSON.stringify(plan)}`
})

/** Plans that the next request of a kind is declined first and approved later. */
const planLateApproval = Effect.fnUntraced(function* ({ bank, rail }: SimulatedSystem, chance: Chance) {
  const kind = chance.oneOf(contradicted)
  const plan = contradiction(chance)
  yield* isRail(kind) ? rail.next(kind, plan) : bank.next(kind, plan)
  return `the next ${kind} meets ${JSON.stringify(plan)}`
})

/** From now on the bank refuses to release the hold of one order, or stops refusing. */
const refuseRelease = Effect.fnUntraced(function* ({ bank, trace }: SimulatedSystem, chance: Chance) {
  const leases = (yield* bank.books.all).filter(
    ({ request }) => request.kind === "authorize" && request.capture !== true && request.amountMinor > 0
  )
  const booking = chance.someOf(leases)
  if (booking === undefined) return
  const { orderId } = booking.request
  const [what, plan] = chance.percent(70)
    ? ["refuses to release", decline(reason(chance))]
    : ["is willing to release", approve]
  yield* bank.forOrder(orderId, "void", { verdict: plan })
  trace.note(`the bank ${what} the hold of order ${orderId}`)
})

/**
 * Returns the bookings whose outcome the bank or the rail cannot tell. A request that is still on its way is not among them,
 * because it arrives by itself.
 */
const undecided = Effect.fnUntraced(function* ({ bank, loop, rail }: SimulatedSystem) {
  const nowMs = loop.nowMs()
  const open = (books: ReadonlyArray<Booking>) =>
    books.filter((booking) => !isKnown(booking, nowMs) && booking.before === "CannotSay")
  return { bank: open(yield* bank.books.all), rail: open(yield* rail.books.all) }
})

/** Lets bank and rail decide every undecided request, and removes the plans for requests that have not arrived. */
export const decideAll = Effect.fnUntraced(function* (system: SimulatedSystem, chance: Chance) {
  yield* system.bank.forgetNext
  yield* system.rail.forgetNext
  const open = yield* undecided(system)
  for (const { request } of open.bank) yield* system.bank.settle(request.reference, verdict(chance))
  for (const { request } of open.rail) yield* system.rail.settle(request.reference, verdict(chance))
})

/** Lets bank or rail decide one undecided request that `suits` accepts. */
export const decideOne = Effect.fnUntraced(function* (
  system: SimulatedSystem,
  chance: Chance,
  suits: (booking: Booking) => boolean = () => true
) {
  const open = yield* undecided(system)
  const all = [
    ...open.bank.map((booking) => ({ side: system.bank, booking })),
    ...open.rail.map((booking) => ({ side: system.rail, booking }))
  ]
  const result = chance.someOf(all.filter(({ booking }) => suits(booking)))
  if (result === undefined) return undefined
  const { request } = result.booking
  const { side } = result
  yield* side.settle(request.reference, verdict(chance))
  const books = yield* side.books.ofOrder(request.orderId)
  const settled = books.find((booking) => booking.request.reference === request.reference)
  system.trace.note(`${request.reference} is decided: ${settled?.answer._tag}`)
  return settled
})

/** Lets the rail refuse a recently confirmed payout. Returns false if there is none. */
const refuseLate = Effect.fnUntraced(function* ({ gateway, loop, rail, trace }: SimulatedSystem, chance: Chance) {
  const nowMs = Math.max(loop.nowMs(), gateway.latestBusinessMs())
  const paid = (yield* rail.books.all).filter(
    (booking) =>
      booking.request.kind === "pay" &&
      booking.answer._tag === "Approved" &&
      booking.lateRefusal === undefined &&
      isKnown(booking, loop.nowMs()) &&
      booking.bookedAtMs + refusedWithinMs > nowMs
  )
  const booking = chance.someOf(paid)
  if (booking === undefined) return false
  const { reference } = booking.request
  yield* rail.refuseLate(reference, declines.noSuchAccount)
  trace.note(`the rail refuses ${reference}, which it had confirmed`)
  return true
})

/*
 * Two faults are not drawn, because only reconciliation finds them: an approval after a decline that arrives when the gateway no
 * longer waits for the answer, and a late refusal after the gateway's last inquiry.
 */
export const steps: ReadonlyArray<Step> = [
  {
    name: "refuseBookings",
    group: "bank",
    what: "The gateway's store refuses up to three commits that book an answer of bank or rail.",
    weight: 3,
    isFault: true,
    happen: async ({ system: { gateway, trace } }, chance) => {
      const times = 1 + chance.below(3)
      gateway.refuseBookings(times)
      trace.note(`the store refuses the next ${times} bookings`)
    }
  },
  {
    name: "bankOutcome",
    group: "bank",
    what: "The next request to bank or rail, or the next inquiry, is declined, late, lost, duplicated, slow or undecided, or refused after it was confirmed.",
    weight: 15,
    isFault: true,
    happen: async ({ system }, chance) => system.trace.note(await system.run(planOutcome(system, chance)))
  },
  {
    name: "bankResolves",
    group: "bank",
    what: "Bank or rail decides a request that was undecided.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      if ((await system.run(decideOne(system, chance))) === undefined) transitions.withdraw()
    }
  },
  {
    name: "lateApproval",
    group: "bank",
    what: "The next request to bank or rail is declined in the answer to an inquiry or to a repeat, and approved in its own late answer.",
    weight: 4,
    isFault: true,
    happen: async ({ system }, chance) => system.trace.note(await system.run(planLateApproval(system, chance)))
  },
  {
    name: "refuseRelease",
    group: "bank",
    what: "The bank refuses every release of an order's hold, or stops refusing.",
    weight: 3,
    isFault: true,
    happen: async ({ system }, chance) => await system.run(refuseRelease(system, chance))
  },
  {
    name: "lateRefusal",
    group: "bank",
    what: "The rail refuses a payout that it had confirmed.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, system }, chance) => {
      if (!(await system.run(refuseLate(system, chance)))) transitions.withdraw()
    }
  }
]
