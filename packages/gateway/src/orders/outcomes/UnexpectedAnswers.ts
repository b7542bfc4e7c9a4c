/**
 * Records what bank or rail answered and no order can follow: evidence, and a task with an alarm where the answer says of money
 * what the order does not.
 */

import { Clock, Effect, Metric } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import { Ids } from "../../kernel/Ids.ts"
import { Scheduler } from "../../kernel/Scheduler.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import { Directory } from "../../merchants/Directory.ts"
import type * as Booking from "../Booking.ts"
import { Order } from "../Order.ts"
import { isOfRail, OrderRequest } from "../OrderRequest.ts"
import { BankTask } from "./BankTask.ts"
import * as HoldTask from "./HoldTask.ts"
import type * as Inquiry from "./Inquiry.ts"
import * as Unexpected from "./Unexpected.ts"

/** Records of one order under one number. */
const mostSame = 100

const unexpectedAnswers = Metric.counter("pay_unexpected_answers_total", {
  description: "Answers of bank and rail that opened a task: no order could follow them",
  incremental: true
})

/** What was answered, and to what. */
export interface ReceivedAnswer {
  readonly order: Order
  readonly request: OrderRequest
  /** Under which the other side knows the request. */
  readonly reference: string
  /** What it was asked to move. */
  readonly amountMinor: number
  readonly answer: Inquiry.Answer
}

/** How the other side lists what it approved: its codes are not told there. */
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

  const evidenceOf = ({ answer, order: { orderId }, reference }: ReceivedAnswer, atMs: number): Evidence => ({
    evidenceId: ids.next(),
    reference,
    orderId,
    answer: JSON.stringify(answer),
    atMs
  })

  /** `isOver`: the order itself has ended, so that nobody asks again. */
  const recordOf = Effect.fnUntraced(function* (received: ReceivedAnswer, isOver: boolean) {
    const { amountMinor, answer, reference, request } = received
    const nowMs = yield* Clock.currentTimeMillis
    const evidence = Decision.append(Evidence, evidenceOf(received, nowMs))
    const verdict = Unexpected.verdictOf(answer)
    const order = (yield* store.load(Order, [received.order.orderId])) ?? received.order
    const range = { equals: [order.orderId, request.sequence], limit: mostSame }
    const same = yield* store.find(OrderRequest, "order", range)
    if (verdict === undefined || !Unexpected.contradicts(verdict, { order, request }, same, isOver))
      return { writes: [evidence], task: undefined }
    const source = isOfRail(request) ? "rail" : "bank"
    const statement = { source, reference, verdict, amountMinor } as const
    const reverse = directory.endpoint(order.endpointId)?.unexpectedApproval === "reverse"
    const task = Unexpected.taskOf(order, statement, reverse, nowMs)
    const isKnown = (yield* store.load(BankTask, [task.taskId])) !== undefined
    return {
      writes: [evidence, ...(isKnown ? [] : Unexpected.writesOf(task, nowMs))],
      task: isKnown ? undefined : task
    }
  })

  /** Loud: money is where the order does not say. */
  const alarm = (task: BankTask | undefined) =>
    task === undefined
      ? Effect.void
      : Metric.update(unexpectedAnswers, 1).pipe(
          Effect.andThen(Effect.logError(HoldTask.alarmOf(task))),
          Effect.annotateLogs({ taskId: task.taskId, orderId: task.orderId, reference: task.reference }),
          Effect.andThen(scheduler.wake)
        )

  /** Records it beside the order, which stays as it is. */
  const keep = Effect.fnUntraced(function* (received: ReceivedAnswer) {
    const { task, writes } = yield* recordOf(received, false)
    yield* Transact.record(store, writes)
    yield* alarm(task)
  })

  /** What only a comparison of the books has shown: as if it had been answered, once. */
  const report = Effect.fnUntraced(function* ({ booking, order, request }: Unexpected.Contradiction) {
    const { amountMinor, reference } = booking
    const { task, writes } = yield* recordOf({ order, request, reference, amountMinor, answer: listed(booking) }, false)
    if (task === undefined) return
    const guards = [Decision.absent(BankTask, "key", [task.taskId])]
    if ((yield* Transact.lostOf(store, { guards, writes })) === undefined) yield* alarm(task)
  })

  return { alarm, evidenceOf, report, keep, recordOf }
})
