/** Carries out a crash test: plans cases, takes them through shop and world in rounds, and compares the books of each order. */
import { Clock, Deferred, Effect } from "effect"
import * as Faultless from "../judgement/Faultless.ts"
import type { Finding, Result } from "../judgement/Finding.ts"
import type { Fault } from "../plan/Faults.ts"
import type { Case } from "../plan/Payment.ts"
import * as Plan from "../plan/Plan.ts"
import * as Numbers from "../report/Numbers.ts"
import { Shop, type ShopFailed } from "../shop/Shop.ts"
import { World } from "../world/World.ts"
import * as Round from "./Round.ts"
import * as Shrink from "./Shrink.ts"
import * as Tally from "./Tally.ts"

export interface Options {
  readonly command: ReadonlyArray<string>
  readonly seed: number
  readonly payments: number
  /** The currency of all orders, three capital letters. */
  readonly currency: string
  /** Ends the run after so many minutes, between two rounds. Absent: when all payments are made. */
  readonly minutes?: number | undefined
  /** The only faults. Absent: all. */
  readonly kinds?: ReadonlyArray<Fault> | undefined
  /** The only case, of `--case`. */
  readonly only?: number | undefined
  readonly onProgress: (progress: Tally.Progress) => Effect.Effect<void>
  /** Ends the run early: the result has what was found until then. */
  readonly stop?: Deferred.Deferred<void> | undefined
}

/** How often each action is carried out without a fault, to learn how many requests and callbacks it has. */
const repeatsWithoutFault = 3

/**
 * Rounds and orders that wait, after which the shop gets its time for them. In so many rounds less than a month passes, after which
 * subscriptions charge again, and a shop that works on its open orders works on so many.
 */
const [roundsBetween, mostWaiting] = [8, 100]

/** Payments after which a new gateway takes over. One payment takes some 10 KB of its memory. */
const paymentsOfGateway = 2000

const withoutFault =
  "A payment without any fault already shows a difference: mend the template, or the shop, and look at the finding's timeline."

/** Carries out the planned rounds until the time is over. Returns why it ended early. */
const carryOut = Effect.fnUntraced(function* (planned: ReadonlyArray<Case>, tally: Tally.Tally, minutes = Infinity) {
  const beginMs = yield* Clock.currentTimeMillis
  const { renewGateway } = yield* World
  let former = 0
  for (const [index, cases] of Plan.rounds(planned).entries()) {
    if ((yield* Clock.currentTimeMillis) - beginMs > minutes * 60_000) {
      yield* Round.finishAll(tally)
      return `The time is over: ${Numbers.counted(minutes, "minute")}.`
    }
    yield* Round.run(cases, tally)
    const isFull = tally.done() - former >= paymentsOfGateway
    const isTime = index % roundsBetween === roundsBetween - 1 || tally.waiting.length > mostWaiting
    if (!isFull && !isTime) continue
    yield* Round.finishAll(tally)
    if (!isFull) continue
    yield* renewGateway
    former = tally.done()
  }
  yield* Round.finishAll(tally)
  return undefined
})

/** Notes a shop that does not start again. Returns why the run ended. */
const notAgain = (tally: Tally.Tally) => (failure: ShopFailed) =>
  Effect.sync(() => {
    tally.crashed(`${failure.message} Its last lines:\n${failure.output}`)
    return "The shop does not start again."
  })

/** Plans and carries out the cases. Returns why the run ended early. */
const all = Effect.fnUntraced(function* ({ kinds, minutes, only, payments, seed }: Options, tally: Tally.Tally) {
  const { actions, hasVisits } = yield* Shop
  if (only !== undefined) {
    const own = Plan.caseOf(seed, only)
    if (own === undefined) return `There is no case ${only}.`
    return yield* carryOut([own], tally)
  }
  yield* tally.begin("payments without a fault", 0)
  yield* carryOut(Array.from({ length: repeatsWithoutFault }, () => Plan.faultless(actions)).flat(), tally)
  const problem = Faultless.problem(tally.faultless)
  if (tally.findings.length > 0) return problem === undefined ? withoutFault : `${withoutFault} ${problem}`
  if (problem !== undefined) return yield* new Faultless.NothingHappens({ message: problem })
  const planned = Plan.cases({ extents: tally.extents, hasVisits, kinds, payments, seed })
  if (planned.length === 0) return "This shop has no moment at which one of the wanted faults can happen."
  yield* tally.begin("payments with faults", planned.length)
  return yield* carryOut(planned, tally, minutes)
})

const stopped = "It was stopped."

/** Runs the crash test with the shop and the world of the context. */
export const run = Effect.fnUntraced(function* (options: Options) {
  const { command, currency, onProgress, seed, stop } = options
  const { leaks, start } = yield* Shop
  const beginMs = yield* Clock.currentTimeMillis
  const tally = yield* Tally.make(currency, onProgress)
  yield* start
  const isStopped = Effect.as(stop === undefined ? Effect.never : Deferred.await(stop), stopped)
  const ended = yield* Effect.raceFirst(Effect.catchTag(all(options, tally), "ShopFailed", notAgain(tally)), isStopped)
  // Orders of earlier rounds may still wait for the shop's time.
  if (ended === stopped) yield* Effect.catchTag(Round.finishAll(tally), "ShopFailed", notAgain(tally))
  const shrunk = yield* Effect.raceFirst(
    Shrink.shrink(tally.findings, { currency, seed }),
    Effect.as(isStopped, tally.findings)
  )
  const leaked = yield* leaks
  const findings: ReadonlyArray<Finding> = [
    ...shrunk,
    ...leaked.map((leak) => ({
      kind: "cardInLog" as const,
      case: Plan.withoutCase,
      difference: `${leak.place} has a card number: ${leak.line}`,
      requests: [],
      timeline: [],
      leak
    }))
  ]
  const result: Result = {
    seed,
    command,
    payments: tally.done(),
    met: Object.fromEntries(tally.met),
    notMet: tally.notMet(),
    seconds: ((yield* Clock.currentTimeMillis) - beginMs) / 1000,
    findings,
    ...(ended === undefined ? {} : { ended })
  }
  return result
})
