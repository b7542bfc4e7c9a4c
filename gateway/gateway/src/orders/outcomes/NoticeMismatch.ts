/**
 * A bank's notification about a payment that is not as the gateway knows it: of another acquirer or terminal, in another currency, or
 * about another amount. It changes nothing of the order, and is evidence with a task in every case.
 */
import { Clock, Effect } from "effect"
import * as Decision from "../../kernel/Decision.ts"
import { Evidence } from "../../kernel/Evidence.ts"
import { Store } from "../../kernel/Store.ts"
import * as Transact from "../../kernel/Transact.ts"
import type { Fact } from "../bank/Notifications.ts"
import * as NoticeSender from "../decide/NoticeSender.ts"
import * as Unexpected from "../decide/Unexpected.ts"
import { BankTask, idOfNotice } from "../record/BankTask.ts"
import * as Booking from "../record/Booking.ts"
import type { Order } from "../record/Order.ts"
import type { OrderRequest } from "../record/OrderRequest.ts"
import * as UnexpectedAnswers from "./UnexpectedAnswers.ts"

type MoneyFact = Exclude<Fact, { readonly _tag: "Dispute" }>

/** The amount that the notification names. What a release frees is whatever was left of the hold, and a decline moves nothing. */
const amountMinorOf = (fact: MoneyFact): number | undefined => {
  if (Booking.parse(fact.reference)?.kind === "void") return undefined
  if (fact._tag === "Failed") return fact.amountMinor
  return fact.answer._tag === "Approved" ? fact.answer.amountMinor : undefined
}

interface Subject {
  readonly order: Order
  readonly request: OrderRequest
}

/** Returns what differs; undefined if nothing does. */
export const problemOf = ({ order, request }: Subject, acquirer: string, fact: MoneyFact): string | undefined => {
  const problem = NoticeSender.problemOf(order, acquirer, fact)
  const amountMinor = amountMinorOf(fact)
  return problem !== undefined || amountMinor === undefined || amountMinor === request.amountMinor
    ? problem
    : `it is for ${amountMinor} minor units, and ${request.amountMinor} were requested`
}

export const make = Effect.gen(function* () {
  const store = yield* Store
  const { alarm, evidenceOf } = yield* UnexpectedAnswers.make

  /** Records the notification and its task. A repeated one finds the task, and adds nothing. */
  return Effect.fnUntraced(function* (received: UnexpectedAnswers.ReceivedAnswer, problem: string) {
    const { amountMinor, order, reference } = received
    const nowMs = yield* Clock.currentTimeMillis
    const statement = { source: "bank", reference, verdict: "unknown", amountMinor } as const
    const task: BankTask = {
      ...Unexpected.taskOf(order, statement, false, nowMs),
      taskId: idOfNotice(reference),
      note: `A notification of the bank does not fit the payment: ${problem}`
    }
    const lost = yield* Transact.lostGuardOf(store, {
      guards: [Decision.absent(BankTask, "key", [task.taskId])],
      writes: [Decision.append(Evidence, evidenceOf(received, nowMs, problem)), Decision.put(BankTask, task)]
    })
    if (lost === undefined) yield* alarm(task)
  })
})
