/**
 * Pays a checked payout exactly once at a gateway without `Idempotency-Key`. The request is sent once. If its answer is lost,
 * only the final status of the order shows the outcome.
 */
import * as Status from "@pay/schema/Status"
import { Effect } from "effect"
import { FlowSettings } from "../engine/FlowSettings.ts"
import * as Steps from "../engine/Steps.ts"
import type { OrderStatus } from "../order/OrderStatus.ts"
import { keyOf, type OnOrder } from "./Action.ts"
import type { ActionPlan } from "./ActionPlan.ts"
import * as Ask from "./Ask.ts"
import * as AwaitFinal from "./AwaitFinal.ts"
import * as Ending from "./Ending.ts"
import * as OrderTurn from "./OrderTurn.ts"
import * as StatusAfterRefusal from "./StatusAfterRefusal.ts"

/** Pays the checked payout in its turn, and returns its final status. */
export const carryOut = (followUp: OnOrder, plan: ActionPlan) =>
  OrderTurn.inTurn(
    followUp,
    plan,
    ({ status }) => status,
    (turn) => carryOutAlone(followUp, plan, turn)
  )

const carryOutAlone = Effect.fnUntraced(function* (followUp: OnOrder, plan: ActionPlan, turn: OrderTurn.Turn) {
  const { clientOrderId, endpointId, operation, orderId, step, trail } = followUp
  const { isOpen, order: before } = plan
  const about = { clientOrderId, trail }
  const named = { clientOrderId, orderId, endpointId }
  const needsAPerson = (reason: string, order?: OrderStatus) =>
    Ending.needsAPerson(operation.name, reason, about, order)
  const outcome = (name: string) =>
    Effect.mapError(AwaitFinal.watch({ step: `${step} ${name}`, named, trail }), ({ order }) =>
      needsAPerson("nobody could say whether it was paid", order)
    )
  if (isOpen || before === undefined) {
    const isSettled = before !== undefined && Status.isFinal(before.status)
    return yield* needsAPerson("it may have been paid before", isSettled ? before : (yield* outcome("now")).order)
  }
  if (before.status === "approved") return yield* needsAPerson("it was approved before it was paid", before)
  if (Status.isFinal(before.status)) return yield* Ending.conclude(before, about)
  const idempotencyKey = yield* keyOf(followUp)
  turn.begin()
  const { ended } = yield* Ask.send(`${step} 1`, followUp, trail, { idempotencyKey, sends: "once" })
  if (ended._tag === "InvalidRequest") return yield* Ending.refused(ended, about)
  if (ended._tag === "Refused") {
    // A proxy may have sent the request twice. The refusal of the second one then hides the outcome of the first.
    yield* Steps.sleep(`${step} 1 quiet`, (yield* FlowSettings).quietPeriod)
    const reply = yield* StatusAfterRefusal.request(`${step} 1 refused`, named, trail)
    if (reply._tag === "NotSent" || reply._tag === "OutcomeUnknown")
      return yield* needsAPerson(StatusAfterRefusal.unanswered)
    return yield* reply._tag === "Answered" && Status.isFinal(reply.answer.order.status)
      ? Ending.conclude(reply.answer.order, about)
      : Ending.refused(ended, about)
  }
  if (ended._tag === "NotSent") return yield* Ending.unreachable(ended, about)
  return yield* Ending.conclude((yield* outcome("status")).order, about)
})
