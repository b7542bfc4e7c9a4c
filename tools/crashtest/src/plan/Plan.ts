/**
 * Plans the payments of a crash test. A case is determined by its number and the seed, whatever the shop is and however many
 * payments are made, so that `--seed` and `--case` repeat it.
 */
import { Equal } from "effect"
import * as Chance from "./Chance.ts"
import { type Fault, faults, names, type Shared } from "./Faults.ts"
import { type Action, actions, type Case, type FaultAt, type Moment } from "./Payment.ts"

/** How many requests and callbacks a payment of this shop has without faults. */
export interface Extent {
  readonly requests: number
  readonly callbacks: number
}

export type Extents = Readonly<Partial<Record<Action, Extent>>>

/** More requests or callbacks of one payment than these meet no fault: a shop that polls asks the same again. */
const most: Extent = { requests: 8, callbacks: 4 }

const momentsOf = (fault: Fault): ReadonlyArray<Moment> => {
  const { at } = faults[fault]
  if (at !== "request" && at !== "callback") return [{ of: "whole" }]
  const count = at === "request" ? most.requests : most.callbacks
  return Array.from({ length: count }, (_, index) => ({ of: at, index: index + 1 }))
}

const placed: ReadonlyArray<FaultAt> = names.flatMap((fault) => momentsOf(fault).map((moment) => ({ fault, moment })))

/** A case without what is drawn for it. */
type Undrawn = Omit<Case, "killedAt">

/** Each fault at each moment, for each action: the cases from number 1. */
const singles: ReadonlyArray<Undrawn> = actions
  .flatMap((action) => placed.map((at) => ({ action, faults: [at] })))
  .map((single, index) => ({ number: index + 1, ...single }))

/** The first number of a pair. */
const firstPair = 10_000
/** The first number of a repetition of a single fault, and how much further the next repetition of the same fault is. */
const [firstRepetition, repetitionStep] = [1_000_000_000, 1_000]

/** Parts into which the time is divided in which a shop is killed. */
const killSteps = 1_000

const drawn = (seed: number, own: Undrawn): Case => ({
  ...own,
  killedAt: Chance.make(Chance.part(Chance.part(seed, "kill"), own.number)).below(killSteps) / killSteps
})

/** Whether the faults can happen to one payment: not at the same moment, not two answers of the bank, not two shared ones. */
const fit = (one: FaultAt, other: FaultAt): boolean => {
  const [place, otherPlace] = [faults[one.fault].at, faults[other.fault].at]
  const decidesBank = ({ fault }: FaultAt) => fault === "forgedCallback" || faults[fault].at === "bank"
  if (decidesBank(one) && decidesBank(other)) return false
  if (faults[one.fault].shared !== undefined && faults[other.fault].shared !== undefined) return false
  if (place !== otherPlace) return true
  return one.moment.of !== "whole" && other.moment.of !== "whole" && one.moment.index !== other.moment.index
}

/** The pairs of faults that fit together. */
const pairs: ReadonlyArray<readonly [FaultAt, FaultAt]> = placed.flatMap((one, index) =>
  placed
    .slice(index + 1)
    .flatMap((other): ReadonlyArray<readonly [FaultAt, FaultAt]> => (fit(one, other) ? [[one, other]] : []))
)

/** Draws the pair with this number. */
const pair = (seed: number, number: number): Undrawn => {
  const { below } = Chance.make(Chance.part(seed, number))
  return { number, action: actions[below(actions.length)] ?? "buy", faults: pairs[below(pairs.length)] ?? [] }
}

/** The single fault of a number that is not one of a pair. */
const singleAt = (number: number): Undrawn | undefined => {
  if (number < firstRepetition) return singles[number - 1]
  const single = singles[((number - firstRepetition) % repetitionStep) - 1]
  return single && { ...single, number }
}

/** Returns the case with this number. `undefined` if there is none. */
export const caseOf = (seed: number, number: number): Case | undefined => {
  const own = number >= firstPair && number < firstRepetition ? pair(seed, number) : singleAt(number)
  return own && drawn(seed, own)
}

/** Returns the case of one fault alone. */
export const singleOf = (seed: number, action: Action, { fault, moment }: FaultAt): Case | undefined => {
  const single = singles.find(
    ({ action: other, faults: [at] }) => other === action && at?.fault === fault && Equal.equals(at.moment, moment)
  )
  return single && drawn(seed, single)
}

/** What a finding belongs to that no payment alone has caused. */
export const withoutCase: Case = { number: 0, action: "buy", faults: [], killedAt: 0 }

/** The payments without a fault that show how many requests and callbacks the shop has. */
export const faultless = (own: ReadonlyArray<Action>): ReadonlyArray<Case> =>
  own.map((action) => ({ ...withoutCase, action }))

interface Wanted {
  readonly seed: number
  /** What a payment of each action of the shop has without faults. */
  readonly extents: Extents
  /** The only faults. Absent: all. */
  readonly kinds?: ReadonlyArray<Fault> | undefined
  /** Whether a customer returns to the shop from pages of the gateway. */
  readonly hasVisits: boolean
  readonly payments: number
}

const needsVisits: ReadonlySet<Fault> = new Set(["neverReturns", "returnsTwice", "returnsWithoutResult"])

/** Nothing can come after the first callback again that was before it. */
const isFirstOfOrder = (fault: Fault, index: number): boolean => fault === "disorderedCallback" && index === 1

/** Whether the shop can meet the case. */
const isPossible = ({ extents, hasVisits, kinds = names }: Wanted, { action, faults: own }: Undrawn): boolean => {
  const extent = extents[action]
  if (extent === undefined) return false
  const hasMoment = ({ fault, moment }: FaultAt) =>
    moment.of === "whole"
      ? hasVisits || !needsVisits.has(fault)
      : !isFirstOfOrder(fault, moment.index) &&
        moment.index <= (moment.of === "request" ? extent.requests : extent.callbacks)
  return own.every((at) => kinds.includes(at.fault) && hasMoment(at))
}

/** Most pairs that are drawn for each one that is wanted: with few kinds of faults, only few fit. */
const drawsOfPair = 2000
/** Most pairs that are drawn for a run: a second of work. */
const mostDraws = 2_000_000

/**
 * Returns the cases of a run: each fault at each moment once, then random pairs, then each once more if pairs are impossible. Fewer
 * payments than faults and moments are a random part of them.
 */
export const cases = (wanted: Wanted): ReadonlyArray<Case> => {
  const { payments, seed } = wanted
  const possible = singles.filter((each) => isPossible(wanted, each))
  if (possible.length === 0) return []
  // The place of a case does not depend on the others: a shop that polls has more requests in one run than in another.
  const shuffled = possible
    .map((own) => ({ own, place: Chance.part(Chance.part(seed, "order"), own.number) }))
    .sort((one, other) => one.place - other.place)
    .map(({ own }) => own)
  const chosen = shuffled.slice(0, payments)
  let draws = 0
  for (
    let number = firstPair;
    chosen.length < payments && draws < Math.min(drawsOfPair * payments, mostDraws);
    number += 1
  ) {
    draws += 1
    const own = pair(seed, number)
    if (isPossible(wanted, own)) chosen.push(own)
  }
  for (let first = firstRepetition; chosen.length < payments; first += repetitionStep) {
    const repeated = shuffled.slice(0, payments - chosen.length)
    chosen.push(...repeated.map((own) => ({ ...own, number: first + own.number })))
  }
  return chosen.map((own) => drawn(seed, own))
}

/** The fault of a case that happens to everything at once, if it has one. */
export const sharedFault = ({ faults: own }: Case): Fault | undefined =>
  own.find(({ fault }) => faults[fault].shared !== undefined)?.fault

/** What happens to everything at once in the round of a case. */
export const shared = (own: Case): Shared | undefined => {
  const fault = sharedFault(own)
  return fault && faults[fault].shared
}

/**
 * Orders that are open at once, and those that wait for each other. A round takes about as long as its slowest payment, so that few
 * large ones are faster than many.
 */
const [ofRound, ofShared] = [750, 125]

/** Whether the payment waits for an answer of the gateway or of the bank, and not only for its turn. */
const isSlow = ({ faults: own }: Case): boolean =>
  own.some(({ fault }) => fault === "lateAnswer" || fault === "forgedCallback" || faults[fault].at === "bank")

/** Whether a payment like this one waits, for an answer or for others: more of them can be carried out at once. */
export const waits = (own: Case): boolean => sharedFault(own) !== undefined || isSlow(own)

/**
 * Returns the cases as rounds: to all of a round the same happens at once, or nothing. Slow payments are together, because each round
 * takes as long as one.
 */
export const rounds = (planned: ReadonlyArray<Case>): ReadonlyArray<ReadonlyArray<Case>> =>
  [...Map.groupBy(planned, shared)].flatMap(([atOnce, group]) => {
    const size = atOnce === undefined ? ofRound : ofShared
    const slowFirst = [...group.filter(isSlow), ...group.filter((own) => !isSlow(own))]
    return Array.from({ length: Math.ceil(group.length / size) }, (_, index) =>
      slowFirst.slice(index * size, (index + 1) * size)
    )
  })
