/** Makes jobs, and reschedules existing ones. */
import * as Decision from "./Decision.ts"
import { Job, type Kind } from "./Job.ts"
import * as StoreRow from "./StoreRow.ts"

/** The lease under which a decision starts new jobs in its own process. New jobs without a claim wait for the next tick. */
export interface Claim {
  readonly token: string
  readonly leaseUntilMs: number
}

/** The identifier of a job: one subject has one job of a kind. */
export const id = (kind: Kind, subject: string): string => `${kind}:${subject}`

export const make = (of: {
  readonly kind: Kind
  /** What the job is about: a request, an order, a callback event or a recurring payment. */
  readonly subject: string
  /** The merchant whose turn the job takes. The gateway's own jobs have "". */
  readonly merchantId: string
  readonly nowMs: number
  /** Default: now. */
  readonly dueAtMs?: number
  readonly claim?: Claim | undefined
}): Job => {
  const { claim, dueAtMs = of.nowMs, kind, merchantId, nowMs, subject } = of
  return {
    jobId: id(kind, subject),
    kind,
    subject,
    merchantId,
    dueAtMs,
    openAttempts: claim === undefined ? 0 : 1,
    tries: 0,
    startedAtMs: claim === undefined ? null : nowMs,
    token: claim?.token ?? null,
    leaseUntilMs: claim?.leaseUntilMs ?? 0
  }
}

/**
 * Returns the jobs that a decision starts in this process: it writes them with the lease of a {@link Claim}. A job that already
 * runs under its lease, which the decision guards, is not started again.
 */
export const started = ({ guards, writes }: Decision.Decision): ReadonlyArray<Job> =>
  writes.flatMap((write) => {
    if (write._tag === "Post" || write._tag === "Remove" || write.entity !== Job || write.row.token === null) return []
    const job = StoreRow.typed(Job, write.row)
    const runs = guards.some(
      (guard) => guard._tag === "LeaseIs" && guard.jobId === job.jobId && guard.token === job.token
    )
    return runs ? [] : [job]
  })

/** Returns the job without its lease, with one more try, due at `dueAtMs`. */
export const waiting = (job: Job, dueAtMs: number): Job => ({
  ...job,
  tries: job.tries + 1,
  openAttempts: 0,
  startedAtMs: null,
  token: null,
  leaseUntilMs: 0,
  dueAtMs
})

/** Ends a job that has nothing to do. */
export const ended = (job: Job): Decision.Decision => ({
  guards: [Decision.leaseOf(job)],
  writes: [Decision.remove(Job, [job.jobId])]
})

/** Gives up the lease of a job that has one more try at `dueAtMs`. */
export const postponed = (job: Job, dueAtMs: number): Decision.Decision => ({
  guards: [Decision.leaseOf(job)],
  writes: [Decision.put(Job, waiting(job, dueAtMs))]
})

/**
 * Makes a waiting job due now. `undefined`: a process carries it out at this moment. The commit fails if a process claims it meanwhile,
 * which is as good.
 */
export const dueNow = (job: Job, nowMs: number): Decision.Decision | undefined =>
  job.token !== null && job.leaseUntilMs > nowMs
    ? undefined
    : {
        guards: [Decision.leaseIs(job.jobId, job.token)],
        writes: [Decision.put(Job, { ...job, dueAtMs: Math.min(job.dueAtMs, nowMs) })]
      }

/** Returns the delay after a number of tries. The last delay repeats. */
export const step = (delaysMs: ReadonlyArray<number>, tries: number): number =>
  delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0

const minuteMs = 60_000
/**
 * Delays before the second, third, … check of a job that can do nothing until something else has ended. An outcome may stay
 * unknown for months. The change that ends the wait writes the next step in its own commit.
 */
const looksMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 24 * 60 * minuteMs] as const

/** Returns the time of the next check of a job that has been checked `tries` times. */
export const nextLookAtMs = (tries: number, nowMs: number): number => nowMs + step(looksMs, tries)

/** Returns the job without its lease, due at its next check. */
export const later = (job: Job, nowMs: number): Job => waiting(job, nextLookAtMs(job.tries, nowMs))
