/** Defects in captures, voids and refunds. */
import { type Defect, unseen, visible } from "./Defect.ts"

const followUp = "gateway/gateway/src/orders/decide/FollowUp.ts"
const approvedAnswer = "gateway/gateway/src/orders/decide/ApprovedAnswer.ts"
const repeat = "gateway/gateway/src/orders/decide/Repeat.ts"
const acceptFollowUp = "gateway/gateway/src/orders/requests/AcceptFollowUp.ts"

export const followUps: ReadonlyArray<Defect> = [
  visible(
    "more can be refunded than was captured",
    "the gateway requests more than was captured, or the bank declines what the gateway accepted",
    followUp,
    "Math.max(0, order.capturedMinor - order.refundedMinor - order.refundingMinor - order.chargedBackMinor)",
    "order.authorizedMinor"
  ),
  visible(
    "pending refunds are not counted",
    "two concurrent refunds exceed the captured amount",
    followUp,
    "- order.refundedMinor - order.refundingMinor - order.chargedBackMinor",
    "- order.refundedMinor - order.chargedBackMinor"
  ),
  visible(
    "pending captures are not counted",
    "two concurrent captures exceed the authorized amount",
    followUp,
    "? order.authorizedMinor - order.capturedMinor - order.capturingMinor",
    "? order.authorizedMinor - order.capturedMinor"
  ),
  {
    ...visible(
      "a hold that is being released can be captured",
      "a capture is pending while its hold is being released",
      followUp,
      'if (order.voiding === 1)\n      return yield* Answer.refusal("orderState", "The hold is being released; it cannot be captured now")',
      ""
    ),
    frequentFault: "concurrentFollowUps"
  },
  visible(
    "a hold can be released while a capture is pending",
    "the hold is voided while the outcome of a capture is unknown",
    followUp,
    "order.capturingMinor === 0\n    ? Result.void",
    "order.capturingMinor >= 0\n    ? Result.void"
  ),
  {
    ...visible(
      "a released hold can be released again",
      "the gateway requests twice to void one hold",
      followUp,
      "if (!Lifecycle.isHeld(order.state) || order.voiding === 1) {",
      'if (order.state === "voided") {'
    ),
    goal: { transition: "preauth: authorized → voided", faults: ["concurrentFollowUps"] }
  },
  visible(
    "a capture is counted twice on its order",
    "balances differ from the order's amounts",
    approvedAnswer,
    "capturedMinor,\n    capturingMinor: order.capturingMinor - request.amountMinor,",
    "capturedMinor: Math.min(order.authorizedMinor, capturedMinor + request.amountMinor),\n    capturingMinor: order.capturingMinor - request.amountMinor,"
  ),
  visible(
    "a refund is not counted on its order",
    "the order has a smaller returned amount than the ledger",
    approvedAnswer,
    "refundedMinor: order.refundedMinor + request.amountMinor,",
    "refundedMinor: order.refundedMinor,"
  ),
  visible(
    "a failed capture leaves its amount reserved",
    "the amount of a declined capture can no longer be captured",
    approvedAnswer,
    "capture: ({ capturingMinor }, { amountMinor }) => ({ capturingMinor: capturingMinor - amountMinor }),",
    "capture: () => ({}),"
  ),
  unseen(
    "a failed release is reported as a failed refund",
    "a bank that makes the refund and then does not release the rest of the hold is too rare in 10,000 steps",
    approvedAnswer,
    "if (isReleaseAfterRefund(context))",
    "if (isReleaseAfterRefund(context) && context.order.orderId === '')"
  ),
  visible(
    "a repeat with the same Idempotency-Key is a second request",
    "one request is executed twice",
    repeat,
    "const holder = sameOperation.find(({ idempotencyKey }) => idempotencyKey === candidate.idempotencyKey)",
    "const holder = same.find(({ idempotencyKey }) => idempotencyKey === '')"
  ),
  visible(
    "a request with a used Idempotency-Key and other content is treated as a repeat",
    "a request with another amount and the same key gets the answer of the first",
    repeat,
    "return holder.fingerprint === candidate.fingerprintLike(holder.fingerprint)",
    "return holder.fingerprint !== ''"
  ),
  visible(
    "a follow-up is acknowledged before it is committed, and one in ten is lost",
    "an acknowledged request does not exist",
    acceptFollowUp,
    "yield* Effect.catchIf(store.commit(withNonce(decision, call))",
    "if (Number(request.requestId) % 10 !== 0) yield* Effect.catchIf(store.commit(withNonce(decision, call))"
  )
]
