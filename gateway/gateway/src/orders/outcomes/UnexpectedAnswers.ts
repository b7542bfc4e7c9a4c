/**
 * Records answers of bank or rail that no order's lifecycle can apply: as evidence, and as a task with an alarm if the answer
 * contradicts the order about money.
 */

import { Clock, Effect, Metric } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import { Ids } from "../../kernel/Ids.ts"
import { OrderGate } from "../../kernel/OrderGate.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { Directory } from "../../merchants/Directory.ts"
import * as HoldTask from "../decide/HoldTask.ts"
import type * as Inquiry from "../decide/Inquiry.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask } from "../record/BankTask.ts"
import type * as Booking from "../record/Booking.ts"
import { Order } from "../record/Order.ts"
import { isOfRail, OrderRequest } from "../record/OrderRequest.ts"
import * as Uncommitted from "./Uncommitted.ts"

/** Highest number of records of one order with the same sequence number that are loaded. */
const maxRecords = 100

const unexpectedAnswers = Metric.counter("pay_unexpected_answers_total", {
  description: "Answers of bank and rail that opened a task: no order could follow them",
  incremental: true
})

/** An answer of a bank or rail, and the request that it answers. */
export interface ReceivedAnswer {
  readonly order: Order
  readonly request: OrderRequest
  /** The reference of the request at the bank or rail. */
  readonly reference: string
  /** The amount that the bank or rail was requested to move. */
  readonly amountMinor: number
  readonly answer: Inquiry.Answer
}

/** Returns an approved booking as an answer. A list of bookings has no approval code and no transaction number. */
const listed = ({ amountMinor }: Booking.Booking): Inquiry.Answer => ({
  _tag: "Approved",
  approvalCode: "",
  processorTxId: "",
  amountMinor
})

export const make = Effect.gen(function* () {
  const store = yield* Store
  const scheduler = yield* Scheduler
  const ids = yield* Ids
  const directory = yield* Directory
  const gate = yield* OrderGate

  /** `uncommitted`: why the answer cannot be committed. */
  const evidenceOf = (
    { answer, order: { orderId }, reference }: ReceivedAnswer,
    atMs: number,
    uncommitted?: string
  ): Evidence => ({
    evidenceId: ids.next(),
    reference,
    orderId,
    answer: JSON.stringify({ ...answer, uncommitted }),
    atMs
  })

  /** Returns the evidence and a possible task. `isOver`: the order itself has ended, so that no job inquires again. */
  const recordOf = Effect.fnUntraced(function* (received: ReceivedAnswer, isOver: boolean) {
    const { answer, reference, request } = received
    const { amountMinor = received.amountMinor } = answer._tag === "Approved" ? answer : {}
    const nowMs = yield* Clock.currentTimeMillis
    const evidence = Decision.append(Evidence, evidenceOf(received, nowMs))
    const verdict = Unexpected.verdictOf(answer)
    const order = (yield* store.load(Order, [received.order.orderId])) ?? received.order
    const range = { equals: [order.orderId, request.sequence], limit: maxRecords }
    const same = yield* store.find(OrderRequest, "order", range)
    if (verdict === undefined || !Unexpected.contradicts(verdict, { order, request }, same, isOver))
      return { writes: [evidence], task: undefined }
    const source = isOfRail(request) ? "rail" : "bank"
    const processorTxId = answer._tag === "Approved" ? answer.processorTxId : undefined
    const statement = { source, reference, verdict, amountMinor, processorTxId } as const
    const isSetSo = directory.endpoint(order.endpointId)?.unexpectedApproval === "reverse"
    const reverse = isSetSo && !gate.mayBeOfAnother(order.createdAtMs)
    const task = Unexpected.taskOf(order, statement, reverse, nowMs)
    const isKnown = (yield* store.load(BankTask, [task.taskId])) !== undefined
    return {
      writes: [evidence, ...(isKnown ? [] : Unexpected.writesOf(task, nowMs))],
      task: isKnown ? undefined : task
    }
  })

  /** Logs an error and increases a counter, because money is not where the order shows it. */
  const alarm = (task: BankTask | undefined) =>
    task === undefined
      ? Effect.void
      : Metric.update(unexpectedAnswers, 1).pipe(
          Effect.andThen(Effect.logError(HoldTask.alarmOf(task))),
          Effect.annotateLogs({ taskId: task.taskId, orderId: task.orderId, reference: task.reference }),
          Effect.andThen(scheduler.wake)
        )

  /** Records the answer as evidence, and possibly as a task. The order does not change. */
  const keep = (received: ReceivedAnswer) =>
    Uncommitted.onDefect(
      Effect.gen(function* () {
        const { task, writes } = yield* recordOf(received, false)
        yield* Transact.record(store, writes)
        yield* alarm(task)
      }),
      Effect.fnUntraced(function* (reason) {
        const nowMs = yield* Clock.currentTimeMillis
        yield* Transact.record(store, [Decision.append(Evidence, evidenceOf(received, nowMs, reason))])
      })
    )

  /**
   * Records a contradiction that a comparison with the bank's books has shown, like an answer. The task is written only once.
   */
  const report = Effect.fnUntraced(function* ({ booking, order, request }: Unexpected.Contradiction) {
    const { amountMinor, reference } = booking
    const { task, writes } = yield* recordOf({ order, request, reference, amountMinor, answer: listed(booking) }, false)
    if (task === undefined) return
    const guards = [Decision.absent(BankTask, "key", [task.taskId])]
    if ((yield* Transact.lostGuardOf(store, { guards, writes })) === undefined) yield* alarm(task)
  })

  return { alarm, evidenceOf, report, keep, recordOf }
})
