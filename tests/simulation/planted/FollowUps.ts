/** Defects in captures, voids and refunds. */
import { type Planted, unseen, visible } from "./Patch.ts"

const followUp = "packages/gateway/src/orders/FollowUp.ts"
const outcome = "packages/gateway/src/orders/outcomes/ApprovedAnswer.ts"
const repeat = "packages/gateway/src/orders/Repeat.ts"
const acting = "packages/gateway/src/orders/ActOnOrder.ts"

export const followUps: ReadonlyArray<Planted> = [
  visible(
    "more can be refunded than was captured",
    "the bank is asked for more than it has, or declines what was accepted",
    followUp,
    "? order.capturedMinor - order.returnedMinor - order.returningMinor : 0",
    "? order.authorizedMinor : 0"
  ),
  visible(
    "refunds under way do not count as used",
    "two refunds at once are more than was captured",
    followUp,
    "? order.capturedMinor - order.returnedMinor - order.returningMinor : 0",
    "? order.capturedMinor - order.returnedMinor : 0"
  ),
  visible(
    "captures under way do not count as used",
    "two captures at once are more than was held",
    followUp,
    "? order.authorizedMinor - order.capturedMinor - order.capturingMinor",
    "? order.authorizedMinor - order.capturedMinor"
  ),
  {
    ...visible(
      "a hold that is being released can be captured",
      "a capture is under way beside the release of its hold",
      followUp,
      'if (order.releasing === 1)\n      return yield* Answer.refusal("orderState", "The hold is being released; it cannot be captured now")',
      ""
    ),
    frequentFault: "concurrentFollowUps"
  },
  visible(
    "a hold can be released while a capture moves",
    "the hold is cancelled under a capture whose outcome is unknown",
    followUp,
    "order.capturingMinor === 0\n    ? Result.void",
    "order.capturingMinor >= 0\n    ? Result.void"
  ),
  {
    ...visible(
      "a released hold can be released again",
      "the bank is asked to cancel one hold twice",
      followUp,
      "if (!isHeld(order) || order.releasing === 1) {",
      'if (order.state === "voided") {'
    ),
    goal: { transition: "preauth: authorized → voided", faults: ["concurrentFollowUps"] }
  },
  visible(
    "a capture is booked twice",
    "balances differ from the order's amounts",
    outcome,
    "capturedMinor,\n    capturingMinor: order.capturingMinor - request.amountMinor,",
    "capturedMinor: Math.min(order.authorizedMinor, capturedMinor + request.amountMinor),\n    capturingMinor: order.capturingMinor - request.amountMinor,"
  ),
  visible(
    "a refund is not counted on its order",
    "the order says less was returned than the books",
    outcome,
    "returnedMinor: order.returnedMinor + request.amountMinor,",
    "returnedMinor: order.returnedMinor,"
  ),
  visible(
    "a failed follow-up leaves its amount reserved",
    "what a declined capture had reserved can never be captured",
    outcome,
    "capture: ({ capturingMinor }, { amountMinor }) => ({ capturingMinor: capturingMinor - amountMinor }),",
    "capture: () => ({}),"
  ),
  unseen(
    "a failed release is reported as a failed refund",
    "a bank that refunds what was captured and then does not release the rest of the hold is too rare in so many steps",
    outcome,
    "if (isReleaseAfterRefund(context))",
    "if (isReleaseAfterRefund(context) && context.order.orderId === '')"
  ),
  visible(
    "a repeat under its Idempotency-Key is a second request",
    "one request is executed twice",
    repeat,
    "const holder = sameOperation.find(({ idempotencyKey }) => idempotencyKey === candidate.idempotencyKey)",
    "const holder = same.find(({ idempotencyKey }) => idempotencyKey === '')"
  ),
  visible(
    "a repeat under a used Idempotency-Key with other content is a replay",
    "another amount under the same key is answered with the first",
    repeat,
    "return holder.fingerprint === candidate.fingerprintLike(holder.fingerprint)",
    "return holder.fingerprint !== ''"
  ),
  visible(
    "a follow-up is answered before it is committed, and one in ten is lost",
    "an acknowledged request is unknown",
    acting,
    "yield* store.commit(withNonce(decision, call))",
    "if (Number(request.requestId) % 10 !== 0) yield* store.commit(withNonce(decision, call))"
  )
]
