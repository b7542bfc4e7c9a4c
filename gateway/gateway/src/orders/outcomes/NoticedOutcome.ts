/** The outcome of a request that the bank has sent by itself or that two people state, for the job that would inquire about it. */
import { Clock, Effect, Result, Schema } from "effect"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type { Scheduler } from "../../kernel/Scheduler.ts"
import type { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { BankAnswer } from "../bank/BankAnswer.ts"
import * as BankNotice from "../record/BankNotice.ts"
import type { AttemptReference } from "../record/Booking.ts"

/** A bank sends an outcome once or twice. */
const most = 100

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(BankAnswer))

/**
 * Returns the outcome; undefined if none has arrived, or if two of them contradict each other: then a person asks the bank. A failure that
 * arrived after the approval does not contradict it: the request is declined. The other way round, the bank may have tried it again.
 */
export const of = Effect.fnUntraced(function* (store: Store["Service"], reference: AttemptReference) {
  const notices = yield* store.find(BankNotice.BankNotice, "reference", { equals: [reference], limit: most })
  const failedAtMs = Math.max(...notices.map(({ atMs, fact }) => (fact === "Failed" ? atMs : -1)))
  const answers = notices.flatMap(({ answer, atMs }) => {
    if (atMs < failedAtMs) return []
    const decoded = decode(answer)
    return Result.isSuccess(decoded) ? [decoded.success] : []
  })
  const [first] = answers
  if (first === undefined || answers.every(({ _tag }) => _tag === first._tag)) return first
  yield* Effect.logError("The bank has sent two outcomes that contradict each other").pipe(
    Effect.annotateLogs({ reference })
  )
  return undefined
})

/**
 * Makes the job of a request due now if its outcome arrived while the job was carried out: nobody made it due then. A job that has ended,
 * or that another process has claimed, is left alone.
 */
export const wake = Effect.fnUntraced(function* (
  store: Store["Service"],
  scheduler: Scheduler["Service"],
  reference: AttemptReference,
  jobId: string
) {
  if ((yield* of(store, reference)) === undefined) return
  const job = yield* store.load(Job, [jobId])
  const due = job === undefined ? undefined : Jobs.dueNow(job, yield* Clock.currentTimeMillis)
  if (due === undefined) return
  if ((yield* Transact.lostGuardOf(store, due)) === undefined) yield* scheduler.wake
})
