/** Commits a dispute that a bank reports, once, and tells operators about it. */
import "../../kernel/OldNode.ts"
import * as crypto from "node:crypto"
import { Clock, Effect } from "effect"
import { Evidence } from "../../kernel/Evidence.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { GuardFailed, Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { DisputeFact } from "../bank/Notifications.ts"
import * as Disputes from "../decide/Disputes.ts"
import { BankTask } from "../record/BankTask.ts"
import * as Booking from "../record/Booking.ts"
import { Dispute } from "../record/Dispute.ts"
import { Order } from "../record/Order.ts"

/** Returns the key of a dispute and of its task, which is part of an address of the operator interface. */
export const disputeIdOf = (acquirer: string, bankDisputeId: string): string =>
  `dispute-${crypto.hash("sha256", JSON.stringify([acquirer, bankDisputeId])).slice(0, 32)}`

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler

  const attempt = Effect.fnUntraced(function* (acquirer: string, fact: DisputeFact) {
    const orderId = Booking.parse(fact.reference)?.orderId
    const disputeId = disputeIdOf(acquirer, fact.disputeId)
    const order = orderId === undefined ? undefined : yield* store.load(Order, [orderId])
    const dispute = yield* store.load(Dispute, [disputeId])
    const task = yield* store.load(BankTask, [disputeId])
    const nowMs = yield* Clock.currentTimeMillis
    const claim = order === undefined ? undefined : scheduler.claim(nowMs, "callback", order.merchantId)
    const decided = Disputes.decide({ acquirer, fact, disputeId, order, dispute, task }, { nowMs, claim })
    yield* store.commit(decided.change)
    return decided
  })

  const alarm = ({ problem, task }: Disputes.Decided, { stage }: DisputeFact) =>
    Effect.logError(
      problem === undefined
        ? `A dispute is ${stage}: see pay tasks list`
        : `A dispute is ${stage}, and its money is not booked: see pay tasks list`
    ).pipe(Effect.annotateLogs({ taskId: task.taskId, orderId: task.orderId, problem: problem ?? "" }))

  return (acquirer: string, fact: DisputeFact) =>
    Transact.transact({
      attempt: attempt(acquirer, fact),
      onLostGuard: (guard) => (guard._tag === "Absent" && guard.entity === Evidence ? Effect.undefined : "again"),
      // The notification is not acknowledged, so that the bank sends it again.
      exhausted: (guard) => Effect.die(new GuardFailed({ guard })),
      tries: Transact.triesUnderLock
    }).pipe(
      Effect.flatMap((decided) => (decided === undefined ? Effect.void : alarm(decided, fact))),
      Effect.annotateLogs({ disputeId: fact.disputeId, stage: fact.stage })
    )
})
