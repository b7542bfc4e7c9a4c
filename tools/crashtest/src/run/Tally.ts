/** What a run has counted and found so far. */
import { Clock, Effect } from "effect"
import type { Account, Difference } from "../judgement/Compare.ts"
import type { Finding } from "../judgement/Finding.ts"
import type { Fault } from "../plan/Faults.ts"
import { type Action, type Case, largestMinor, type Observation, type Order, smallestMinor } from "../plan/Payment.ts"
import * as Plan from "../plan/Plan.ts"

/** How far a run is. */
export interface Progress {
  readonly done: number
  readonly planned: number
  readonly findings: number
  /** What happens now, in a few words. */
  readonly phase: string
}

/** Findings of one kind and one fault that keep their timelines. The others differ in names and amounts only. */
const keptTimelines = 20

const larger = (
  former: Plan.Extent = { callbacks: 0, requests: 0 },
  { callbacks, requests }: Observation
): Plan.Extent => ({
  callbacks: Math.max(former.callbacks, callbacks),
  requests: Math.max(former.requests, requests.length)
})

/** Makes an empty tally. `currency` is that of all orders. */
export const make = Effect.fnUntraced(function* (
  currency: string,
  onProgress: (progress: Progress) => Effect.Effect<void>
) {
  // A shop may keep the orders of former runs.
  const prefix = `c${Math.floor(yield* Clock.currentTimeMillis).toString(36)}`
  const findings: Array<Finding> = []
  const waiting: Array<Account> = []
  const faultless: Array<Account> = []
  const met = new Map<Fault, number>()
  const extents: { [A in Action]?: Plan.Extent } = {}
  let [orders, done, planned, notMet] = [0, 0, 0, 0]
  let phase = ""
  const tell = Effect.suspend(() => onProgress({ done, planned, findings: findings.length, phase }))

  return {
    findings,
    /** Orders whose books did not agree yet. */
    waiting,
    /** The payments without a fault. */
    faultless,
    /** How many requests and callbacks the payments without a fault had. */
    extents,
    met,
    done: () => done,
    notMet: () => notMet,
    begin: (name: string, count: number) =>
      Effect.suspend(() => {
        phase = name
        planned = count
        return tell
      }),
    /** Makes the order of a case, with a name and an amount of its own: the next one. */
    order: (own: Case): Order => {
      orders += 1
      const amountMinor = smallestMinor + (orders % (largestMinor - smallestMinor))
      return { case: own, name: `${prefix}n${orders}`, amountMinor, currency }
    },
    /** Notes that the shop ended by itself, or does not start. No payment alone has caused it. */
    crashed: (difference: string): void => {
      findings.push({ kind: "crashed", case: Plan.withoutCase, difference, requests: [], timeline: [] })
    },
    /** Counts a payment that was compared, with what differs. */
    add: (account: Account, differences: ReadonlyArray<Difference>) =>
      Effect.suspend(() => {
        const { observation, order } = account
        const { action, faults: wanted } = order.case
        if (wanted.length > 0) done += 1
        else {
          extents[action] = larger(extents[action], observation)
          faultless.push(account)
        }
        if (observation.met.length < wanted.length) notMet += 1
        for (const { fault } of observation.met) met.set(fault, (met.get(fault) ?? 0) + 1)
        for (const { difference, kind } of differences) {
          const like = findings.filter((each) => each.kind === kind && each.case.faults[0]?.fault === wanted[0]?.fault)
          const timeline = like.length < keptTimelines ? observation.timeline : []
          findings.push({ kind, case: order.case, difference, requests: observation.requests, timeline })
        }
        return tell
      })
  }
})

export type Tally = Effect.Success<ReturnType<typeof make>>
