/** A new entry of the list of what is due later. */
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
