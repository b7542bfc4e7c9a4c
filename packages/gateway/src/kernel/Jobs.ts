/** Entries of the list of what is due later: new ones, and those that wait again. */
import type { Job, Kind } from "./Job.ts"

/** The lease under which a decision starts new jobs for its own process; without one they wait for the next tick. */
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
    itemId: id(kind, subject),
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

/** The item, free again and due later. */
export const waiting = (item: Job, dueAtMs: number): Job => ({
  ...item,
  tries: item.tries + 1,
  openAttempts: 0,
  startedAtMs: null,
  token: null,
  leaseUntilMs: 0,
  dueAtMs
})

/** The wait after so many tries; the last one repeats. */
export const step = (delaysMs: ReadonlyArray<number>, tries: number): number =>
  delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0

const minuteMs = 60_000
/**
 * The waits before the second, third, … look of a job that can do nothing before something else has ended: an outcome may stay
 * unknown for months. Whatever ends it in the meantime writes the next step in its own commit.
 */
const looksMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs, 6 * 60 * minuteMs, 24 * 60 * minuteMs] as const

/** When an item that has looked so many times looks again. */
export const nextLookAtMs = (tries: number, nowMs: number): number => nowMs + step(looksMs, tries)

/** The item, free again and due at its next look. */
export const later = (item: Job, nowMs: number): Job => waiting(item, nextLookAtMs(item.tries, nowMs))
