/**
 * Decides what a dispute that a bank reports changes: evidence, the books, the order, the merchant's notification and an operator's task,
 * in one commit. It never changes the order's state, and what contradicts the order moves nothing. Pure.
 */
import * as Money from "@pay/schema/Money"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import type * as Jobs from "../../kernel/Jobs.ts"
import * as LedgerTable from "../../kernel/LedgerTable.ts"
import type { DisputeFact } from "../bank/Notifications.ts"
import { BankTask } from "../record/BankTask.ts"
import { Dispute } from "../record/Dispute.ts"
import * as Lifecycle from "../record/Lifecycle.ts"
import { Order } from "../record/Order.ts"
import * as Callbacks from "./Callbacks.ts"
import * as DisputeStage from "./DisputeStage.ts"
import * as NoticeSender from "./NoticeSender.ts"
import * as Unexpected from "./Unexpected.ts"

/** A reported stage of a dispute, and the rows that it may change. */
export interface Reported {
  readonly acquirer: string
  readonly fact: DisputeFact
  /** The key of the dispute and of its task. */
  readonly disputeId: string
  /** Undefined: no order of this gateway has the reference. */
  readonly order: Order | undefined
  readonly dispute: Dispute | undefined
  readonly task: BankTask | undefined
}

export interface Times {
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
}

/** Returns why the fact cannot be about the order; undefined if it can. */
const mismatch = ({ acquirer, dispute, fact, order }: Reported & { readonly order: Order }): string | undefined =>
  NoticeSender.problemOf(order, acquirer, fact) ??
  (dispute !== undefined && dispute.orderId !== "" && dispute.orderId !== order.orderId
    ? "it was of another order before"
    : undefined)

const judge = (reported: Reported): DisputeStage.Judged => {
  const { dispute, fact, order } = reported
  const stage = dispute?.stage ?? "inquiry"
  if (order === undefined) return { stage, movedMinor: 0, problem: "no order of this gateway has its reference" }
  const problem = mismatch({ ...reported, order })
  return problem === undefined
    ? DisputeStage.judge({ dispute, order }, fact.stage, fact.amountMinor)
    : { stage, movedMinor: 0, problem }
}

/** Returns the key of the evidence. The same notification a second time has the same one. */
const evidenceIdOf = ({ acquirer, fact }: Pick<Reported, "acquirer" | "fact">): string => `${acquirer} ${fact.eventId}`

const timeOf = (ms: number): string => {
  const time = new Date(ms)
  return Number.isNaN(time.valueOf()) ? String(ms) : time.toISOString()
}

const noteOf = ({ fact, order }: Reported, { movedMinor, problem }: DisputeStage.Judged): string => {
  const { message, reasonCode, respondByMs, stage } = fact
  const returnedMinor = order === undefined ? 0 : order.refundedMinor + order.refundingMinor
  return [
    `The dispute is ${stage}: ${message}${reasonCode === undefined ? "" : ` (${reasonCode})`}`,
    ...(respondByMs === undefined ? [] : [`respond at the bank until ${timeOf(respondByMs)}`]),
    ...(problem === undefined ? [] : [`its money is not booked: ${problem}`]),
    ...(movedMinor > 0 && order !== undefined && returnedMinor > 0
      ? [`${Money.fromMinor(returnedMinor, order.currency)} of the payment are or will be returned as well`]
      : [])
  ].join("; ")
}

/** The order of a task about a reference that no order of this gateway has. */
const noOrder: Unexpected.Subject = { orderId: "", merchantId: "", clientOrderId: "", currency: "", state: "" }

/** Returns the task of the dispute. A dispute that is won leaves nothing to do, until a further stage opens the task again. */
const taskOf = (reported: Reported, judged: DisputeStage.Judged, nowMs: number): BankTask => {
  const { disputeId, fact, order = noOrder, task } = reported
  const { amountMinor, currency, reference, stage } = fact
  const statement = { source: "bank", reference, verdict: "disputed", amountMinor } as const
  const isOver = stage === "won" && judged.problem === undefined
  return {
    ...Unexpected.taskOf(order, statement, false, nowMs),
    taskId: disputeId,
    version: (task?.version ?? 0) + 1,
    currency,
    createdAtMs: task?.createdAtMs ?? nowMs,
    note: noteOf(reported, judged),
    ...(isOver ? { state: "closed", closedAtMs: nowMs, closedBy: "gateway" } : {})
  }
}

/** Returns the order with the movement and the merchant's notification of it. */
const moved = (order: Order, movedMinor: number, fact: DisputeFact, { claim, nowMs }: Times) => {
  const changed = Change.next(order, { chargedBackMinor: order.chargedBackMinor + movedMinor })
  // The merchant learns it when the order has its outcome.
  return Lifecycle.isApproved(order.state)
    ? Callbacks.ofDispute(changed, { ...fact, isTaken: movedMinor > 0 }, nowMs, claim)
    : Callbacks.noCallbacks(changed)
}

const moving = (reported: Reported, { movedMinor }: DisputeStage.Judged, times: Times): Change.Change => {
  const { fact, order } = reported
  if (order === undefined || movedMinor === 0) return Change.none
  const callbacks = moved(order, movedMinor, fact, times)
  const cause = movedMinor > 0 ? "chargeback" : "chargebackReturn"
  return Change.all(
    Change.unchanged(Order, order),
    Change.writing(
      Decision.put(Order, callbacks.order),
      ...LedgerTable.book(order, order.orderId, evidenceIdOf(reported), cause, Math.abs(movedMinor), times.nowMs),
      ...callbacks.writes
    )
  )
}

const guarding = (...guards: ReadonlyArray<Decision.Guard>): Change.Change => ({ guards, writes: [] })

export interface Decided extends DisputeStage.Judged {
  readonly change: Change.Change
  readonly task: BankTask
}

/** Decides what the fact changes. The first guard fails if the same notification was received before. */
export const decide = (reported: Reported, times: Times): Decided => {
  const { acquirer, dispute, disputeId, fact, order, task: earlier } = reported
  const { nowMs } = times
  const judged = judge(reported)
  const { movedMinor, problem, stage } = judged
  const evidenceId = evidenceIdOf(reported)
  const orderId = order?.orderId ?? ""
  const task = taskOf(reported, judged, nowMs)
  const row: Dispute = {
    disputeId,
    version: (dispute?.version ?? 0) + 1,
    orderId: dispute?.orderId || orderId,
    acquirer,
    bankDisputeId: fact.disputeId,
    stage,
    bookedMinor: (dispute?.bookedMinor ?? 0) + movedMinor,
    createdAtMs: dispute?.createdAtMs ?? nowMs,
    changedAtMs: nowMs
  }
  const answer = JSON.stringify({ ...fact, problem })
  const change = Change.all(
    guarding(Decision.absent(Evidence, "key", [evidenceId])),
    dispute === undefined ? guarding(Decision.absent(Dispute, "key", [disputeId])) : Change.unchanged(Dispute, dispute),
    earlier === undefined
      ? guarding(Decision.absent(BankTask, "key", [disputeId]))
      : Change.unchanged(BankTask, earlier),
    moving(reported, judged, times),
    Change.writing(
      Decision.append(Evidence, { evidenceId, reference: fact.reference, orderId, answer, atMs: nowMs }),
      Decision.put(Dispute, row),
      Decision.put(BankTask, task)
    )
  )
  return { ...judged, change, task }
}
