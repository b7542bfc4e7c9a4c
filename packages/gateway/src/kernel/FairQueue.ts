/**
 * Jobs of one kind that wait for their turn in this process. Merchants take turns, so that many jobs of one delay another by one
 * job at most; and a merchant of whom nothing is under way gets a place beyond the limit, so that others who fill all places with
 * slow work do not delay it at all.
 */
import type { Job } from "./Job.ts"
import * as StoreRow from "./StoreRow.ts"

export interface FairQueue {
  readonly add: (job: Job) => void
  /** The next job that may begin, which counts as under way from now on. */
  readonly take: () => Job | undefined
  /** A job that was taken has ended. */
  readonly end: (job: Job) => void
  /** Jobs that wait or are under way. */
  readonly load: () => number
  readonly loadOf: (merchantId: string) => number
  /** Merchants with jobs that wait or are under way. */
  readonly merchants: () => ReadonlyArray<string>
}

interface Merchant {
  readonly waiting: Array<Job>
  running: number
}

/** `limit`: how many jobs are under way at once, but for the first of each merchant. */
export const make = (limit: number): FairQueue => {
  const merchants = new Map<string, Merchant>()
  /** Merchants with jobs that wait, in the order of their turns. */
  const turns = new Set<string>()
  /** Those among them of whom nothing is under way. */
  const idle = new Set<string>()
  let load = 0
  let running = 0

  const nameOf = ({ merchantId }: Job): string => merchantId ?? ""
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
      const name = nameOf(job)
      const merchant = of(name)
      merchant.waiting.push(job)
      turns.add(name)
      if (merchant.running === 0) idle.add(name)
      load += 1
    },
    take: () => {
      const [name] = running < limit ? turns : idle
      if (name === undefined) return undefined
      const merchant = of(name)
      const job = merchant.waiting.shift()
      if (job === undefined) throw new Error(`${name} takes turns and nothing of it waits`)
      // Behind all others.
      turns.delete(name)
      idle.delete(name)
      if (merchant.waiting.length > 0) turns.add(name)
      merchant.running += 1
      running += 1
      return job
    },
    end: (job) => {
      const name = nameOf(job)
      const merchant = of(name)
      merchant.running -= 1
      running -= 1
      load -= 1
      if (merchant.waiting.length === 0 && merchant.running === 0) merchants.delete(name)
      else if (merchant.running === 0) idle.add(name)
    },
    load: () => load,
    loadOf,
    merchants: () => [...merchants.keys()]
  }
}

/** Jobs in the order in which every store hands them out. */
const oldestFirst = (one: Job, other: Job): number =>
  one.dueAtMs - other.dueAtMs || StoreRow.compare(one.itemId, other.itemId)

/** The oldest job of each merchant, then the second of each, and so on; at most `each` of one. */
export const inTurns = (jobs: ReadonlyArray<Job>, each: number = Number.POSITIVE_INFINITY): ReadonlyArray<Job> => {
  const counts = new Map<string | null, number>()
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
