/**
 * A queue of jobs in this process that is fair to merchants. Merchants take turns, so the jobs of one merchant delay another
 * merchant by one job at most. A merchant without a running job may start one beyond the limit, so other merchants who fill all
 * places with slow jobs do not delay it.
 */
import type { Job } from "./Job.ts"
import * as StoreRow from "./StoreRow.ts"

export interface FairQueue {
  readonly add: (job: Job) => void
  /** Removes and returns the next job that may begin, and counts it as running. `undefined`: no job may begin now. */
  readonly take: () => Job | undefined
  /** Ends a job that `take` returned. */
  readonly end: (job: Job) => void
  /** Number of jobs that wait or run. */
  readonly load: () => number
  readonly loadOf: (merchantId: string) => number
  /** Merchants with jobs that wait or run. */
  readonly merchants: () => ReadonlyArray<string>
}

interface Merchant {
  readonly waiting: Array<Job>
  running: number
}

/** Makes a queue that runs at most `limit` jobs at once. A merchant without a running job may exceed the limit by one. */
export const make = (limit: number): FairQueue => {
  const merchants = new Map<string, Merchant>()
  /** Merchants with jobs that wait, in the order of their turns. */
  const turns = new Set<string>()
  /** Merchants with waiting jobs of which none runs. */
  const idle = new Set<string>()
  let load = 0
  let running = 0

  const of = (name: string): Merchant => {
    const existing = merchants.get(name) ?? { waiting: [], running: 0 }
    merchants.set(name, existing)
    return existing
  }
  const loadOf = (name: string): number => {
    const merchant = merchants.get(name)
    return merchant === undefined ? 0 : merchant.waiting.length + merchant.running
  }

  return {
    add: (job) => {
      const { merchantId } = job
      const merchant = of(merchantId)
      merchant.waiting.push(job)
      turns.add(merchantId)
      if (merchant.running === 0) idle.add(merchantId)
      load += 1
    },
    take: () => {
      const [name] = running < limit ? turns : idle
      if (name === undefined) return undefined
      const merchant = of(name)
      const job = merchant.waiting.shift()
      if (job === undefined) throw new Error(`${name} takes turns and nothing of it waits`)
      // The merchant moves behind all other merchants.
      turns.delete(name)
      idle.delete(name)
      if (merchant.waiting.length > 0) turns.add(name)
      merchant.running += 1
      running += 1
      return job
    },
    end: ({ merchantId }) => {
      const merchant = of(merchantId)
      merchant.running -= 1
      running -= 1
      load -= 1
      if (merchant.waiting.length === 0 && merchant.running === 0) merchants.delete(merchantId)
      else if (merchant.running === 0) idle.add(merchantId)
    },
    load: () => load,
    loadOf,
    merchants: () => [...merchants.keys()]
  }
}

/** Orders jobs by due time, then by identifier, as every store does. */
const oldestFirst = (one: Job, other: Job): number =>
  one.dueAtMs - other.dueAtMs || StoreRow.compare(one.jobId, other.jobId)

/** Returns the oldest job of each merchant, then the second of each, and so on; at most `each` jobs of one merchant. */
export const byTurns = (jobs: ReadonlyArray<Job>, each: number = Number.POSITIVE_INFINITY): ReadonlyArray<Job> => {
  const counts = new Map<string, number>()
  return [...jobs]
    .sort(oldestFirst)
    .map((job) => {
      const turn = counts.get(job.merchantId) ?? 0
      counts.set(job.merchantId, turn + 1)
      return { job, turn }
    })
    .filter(({ turn }) => turn < each)
    .sort((one, other) => one.turn - other.turn)
    .map(({ job }) => job)
}
