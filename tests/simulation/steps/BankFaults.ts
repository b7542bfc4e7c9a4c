/** What bank and rail do on a bad day: what they decide, what becomes of their messages, and what they find out later. */
import { Acquirer } from "@pay/gateway/Acquirer"
import { type Booking, isKnown } from "@pay/sandbox/Booking"
import {
  approve,
  bankKinds,
  decline,
  type Journey,
  type Plan,
  type RailKind,
  railKinds,
  type Verdict
} from "@pay/sandbox/Outcome"
import { type Decline, declines } from "@pay/schema/Decline"
import { Context, Effect } from "effect"
import type { Chance } from "../Chance.ts"
import type { World } from "../World.ts"
import type { Step } from "./Step.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const reason = (chance: Chance): Decline => chance.someOf(Object.values(declines)) ?? declines.doNotHonour

const verdict = (chance: Chance): Verdict => (chance.percent(75) ? approve : decline(reason(chance)))

type Journeys = {
  readonly [Tag in Exclude<Journey["_tag"], "Contradicted">]: (
    chance: Chance
  ) => Extract<Journey, { readonly _tag: Tag }>
}

/** A number of times; mostly the caller gives up later than that. */
const times = (chance: Chance) => (chance.percent(50) ? { times: 1 + chance.below(3) } : {})

/** A request that is late arrives before the bank's longest processing time of 60 s: a bank promises that. */
const journeys: Journeys = {
  Answered: () => ({ _tag: "Answered" }),
  ArrivesTwice: () => ({ _tag: "ArrivesTwice" }),
  AnswerLost: () => ({ _tag: "AnswerLost" }),
  Undecided: (chance) => ({ _tag: "Undecided", ...(chance.percent(50) ? { forMs: chance.below(3 * dayMs) } : {}) }),
  ArrivesLate: (chance) => ({ _tag: "ArrivesLate", afterMs: chance.below(59_000) }),
  NeverArrives: (chance) => ({ _tag: "NeverArrives", ...times(chance) }),
  NotSent: (chance) => ({ _tag: "NotSent", ...times(chance) })
}

const journey = (chance: Chance): Journey => (chance.someOf(Object.values(journeys)) ?? journeys.Answered)(chance)

/**
 * Told as declined to an inquiry, or to the request that is sent again, and approved by its own answer: as long as the gateway
 * listens, or, which it cannot hear, for longer.
 */
const contradiction = (chance: Chance): Plan => {
  const onceRepeated = chance.percent(40)
  const afterMs = onceRepeated ? 86_000 + chance.below(60_000) : chance.below(chance.percent(20) ? 20_000 : 146_000)
  return { journey: { _tag: "Contradicted", afterMs, onceRepeated } }
}

/** Mostly well below the time for which the gateway waits; else around it. */
const latencyMs = (world: World, chance: Chance): number => {
  const { deadlineMs } = Context.get(world.outside, Acquirer).capabilities
  return chance.percent(70)
    ? chance.below(deadlineMs / 2)
    : deadlineMs + chance.oneOf([-1_000, -1, 0, 1, 1_000, deadlineMs])
}

/** For so long after a payout the gateway surely still asks whether it holds. */
const refusedWithinMs = 4 * dayMs

const lateRefusal = (chance: Chance) => ({
  afterMs: chance.below(refusedWithinMs),
  code: declines.noSuchAccount.code,
  message: declines.noSuchAccount.message
})

const planOf = (world: World, chance: Chance): Plan => ({
  verdict: verdict(chance),
  journey: journey(chance),
  latencyMs: latencyMs(world, chance)
})

/** Kinds of requests that move money, as often as they are contradicted. */
const contradicted = ["authorize", "authorize", "authorize", "capture", "cancel", "refund", "pay", "pay"] as const

const isRail = (kind: string): kind is RailKind => railKinds.some((each) => each === kind)

/** Some request to come, or some inquiry after one, meets trouble. */
const trouble = Effect.fnUntraced(function* (world: World, chance: Chance) {
  const { bank, rail } = world
  const kind = chance.someOf([...bankKinds, ...railKinds, "inquire", "inquire"] as const) ?? "inquire"
  if (kind === "inquire") {
    const plan = { journey: journey(chance) }
    yield* chance.percent(80) ? bank.next(kind, plan) : rail.next(kind, plan)
    return `the next inquiry meets ${JSON.stringify(plan)}`
  }
  const plan = planOf(world, chance)
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

/** Some request to come is declined, and approved after all. */
const contradict = Effect.fnUntraced(function* ({ bank, rail }: World, chance: Chance) {
  const kind = chance.oneOf(contradicted)
  const plan = contradiction(chance)
  yield* isRail(kind) ? rail.next(kind, plan) : bank.next(kind, plan)
  return `the next ${kind} meets ${JSON.stringify(plan)}`
})

/** The bank refuses to release the hold of some order from now on, or refuses no more. */
const holdFast = Effect.fnUntraced(function* ({ bank, trace }: World, chance: Chance) {
  const leases = (yield* bank.books.all).filter(
    ({ request }) => request.kind === "authorize" && request.capture !== true && request.amountMinor > 0
  )
  const booking = chance.someOf(leases)
  if (booking === undefined) return
  const { orderId } = booking.request
  const [what, plan] = chance.percent(70)
    ? ["refuses to release", decline(reason(chance))]
    : ["is willing to release", approve]
  yield* bank.forOrder(orderId, "cancel", { verdict: plan })
  trace.note(`the bank ${what} the hold of order ${orderId}`)
})

/**
 * Returns the bookings whose outcome the bank or the rail cannot tell. A request that is still on its way is not among them,
 * because it arrives by itself.
 */
const undecided = Effect.fnUntraced(function* ({ bank, loop, rail }: World) {
  const nowMs = loop.nowMs()
  const open = (books: ReadonlyArray<Booking>) =>
    books.filter((booking) => !isKnown(booking, nowMs) && booking.before === "CannotSay")
  return { bank: open(yield* bank.books.all), rail: open(yield* rail.books.all) }
})

/** Bank and rail find out about everything, and what was planned for requests that have not come yet is forgotten. */
export const clarity = Effect.fnUntraced(function* (world: World, chance: Chance) {
  yield* world.bank.forgetNext
  yield* world.rail.forgetNext
  const open = yield* undecided(world)
  for (const { request } of open.bank) yield* world.bank.settle(request.reference, verdict(chance))
  for (const { request } of open.rail) yield* world.rail.settle(request.reference, verdict(chance))
})

/** One of them finds out about one request, of those that suit. */
export const findOut = Effect.fnUntraced(function* (
  world: World,
  chance: Chance,
  suits: (booking: Booking) => boolean = () => true
) {
  const open = yield* undecided(world)
  const all = [
    ...open.bank.map((booking) => ({ side: world.bank, booking })),
    ...open.rail.map((booking) => ({ side: world.rail, booking }))
  ]
  const result = chance.someOf(all.filter(({ booking }) => suits(booking)))
  if (result === undefined) return undefined
  const { request } = result.booking
  const { side } = result
  yield* side.settle(request.reference, verdict(chance))
  const books = yield* side.books.ofOrder(request.orderId)
  const settled = books.find((booking) => booking.request.reference === request.reference)
  world.trace.note(`${request.reference} is found out: ${settled?.answer._tag}`)
  return settled
})

/** A payout that was confirmed lately is refused after all; false: there is none. */
const refuse = Effect.fnUntraced(function* ({ gateway, loop, rail, trace }: World, chance: Chance) {
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
 * What is not drawn, and why. An approval of what was reported as declined, after the gateway has ended listening to the request: only
 * the comparison of the books finds it. A late refusal after the gateway's last question: the same.
 */
export const steps: ReadonlyArray<Step> = [
  {
    name: "trouble",
    group: "bank",
    what: "The next request to bank or rail, or an inquiry after one, is declined, late, lost, doubled, slow or undecided, or refused after it was confirmed.",
    weight: 15,
    isFault: true,
    happen: async ({ world }, chance) => world.trace.note(await world.run(trouble(world, chance)))
  },
  {
    name: "findOut",
    group: "bank",
    what: "Bank or rail finds out what became of a request of which it could not say.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, world }, chance) => {
      if ((await world.run(findOut(world, chance))) === undefined) transitions.withdraw()
    }
  },
  {
    name: "contradict",
    group: "bank",
    what: "The next request to bank or rail is declined for whoever asks, or for the request that is sent again, and approved by its own late answer.",
    weight: 4,
    isFault: true,
    happen: async ({ world }, chance) => world.trace.note(await world.run(contradict(world, chance)))
  },
  {
    name: "holdFast",
    group: "bank",
    what: "The bank refuses to release the hold of an order whenever it is asked, or refuses no more.",
    weight: 3,
    isFault: true,
    happen: async ({ world }, chance) => await world.run(holdFast(world, chance))
  },
  {
    name: "refuseLate",
    group: "bank",
    what: "The rail refuses a payout that it had confirmed.",
    weight: 3,
    isFault: true,
    happen: async ({ transitions, world }, chance) => {
      if (!(await world.run(refuse(world, chance)))) transitions.withdraw()
    }
  }
]
