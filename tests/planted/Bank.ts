/** Defects in what an answer of bank or rail means. */
import type { Way } from "@pay/gateway/Acquirer"
import { behindApi, type Defect, unseen, visible } from "./Defect.ts"

const unknownWay = "gateway/gateway/src/orders/decide/UnknownWay.ts"
const endUnknown = "gateway/gateway/src/orders/outcomes/EndUnknown.ts"
const inquiry = "gateway/gateway/src/orders/decide/Inquiry.ts"
const bankJob = "gateway/gateway/src/orders/outcomes/BankJob.ts"
const approvedAnswer = "gateway/gateway/src/orders/decide/ApprovedAnswer.ts"
const unexpectedAnswers = "gateway/gateway/src/orders/outcomes/UnexpectedAnswers.ts"
const lateAnswer = "gateway/gateway/src/orders/outcomes/LateAnswer.ts"
const bankCalls = "gateway/gateway/src/orders/outcomes/BankCalls.ts"

/** The API of a bank with inquiries shows nothing of the other ways. */
const atOtherBanks = "it needs a bank without inquiries"

/** A defect at a bank that ends lost answers in these ways. The runs that search for it lose many. */
const ofWays = (ways: ReadonlyArray<Way>, defect: Defect): Defect => ({
  ...behindApi(atOtherBanks, defect),
  ways,
  frequentFault: "bankOutcome"
})

export const bank: ReadonlyArray<Defect> = [
  ofWays(
    [{ by: "resend", windowMs: 180_000 }, { by: "person" }],
    visible(
      "the identical request is sent again after the bank's window",
      "the bank executes it as a new one",
      unknownWay,
      "Math.max(sinceMs, ageMs) <= limitMs",
      "Math.max(sinceMs, ageMs) <= limitMs * 100"
    )
  ),
  ofWays(
    [{ by: "reversal" }],
    visible(
      "a request counts as reversed although the bank was not told",
      "the bank approved what was reported to the merchant as declined",
      endUnknown,
      "Effect.map(reverse(inquiry), reversedAs)",
      'Effect.succeed(reversedAs({ _tag: "Reversed" }))'
    )
  ),
  ofWays(
    [{ by: "person" }],
    visible(
      "an outcome that only a person can learn is treated as a decline",
      "the bank approved what was reported to the merchant as declined",
      endUnknown,
      '{ _tag: "NoWayLeft" }',
      '{ ...declines.issuerTimedOut, _tag: "Declined" }'
    )
  ),
  visible(
    "a lost answer is treated as a decline",
    "the bank approved what was reported to the merchant as declined",
    inquiry,
    'case "Lost":\n        return unknown(\n          wait(context, { tries: 1, startedAtMs: terms.nowMs }, terms.nowMs + Jobs.step(inquiryDelaysMs, 0))\n        )',
    'case "Lost":\n        return meaning.declined(context, terms, 100, "lost")'
  ),
  visible(
    "an inquiry without a result is treated as a decline",
    "the bank approved what was reported to the merchant as declined",
    inquiry,
    'case "CannotSay":\n        return unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, context.job.tries)))',
    'case "CannotSay":\n        return meaning.declined(context, terms, 100, "cannot say")'
  ),
  behindApi(
    "only the bank sees the number of inquiries; the order has the same outcome",
    visible(
      "a reference that the bank does not know is treated as final at once",
      "the gateway inquires again and again, and stores each answer",
      inquiry,
      "if (terms.nowMs < definiteAtMs) {",
      "if (terms.nowMs < 0) {"
    )
  ),
  behindApi(
    "the merchant gets the same answers; only the bank's books differ",
    visible(
      "a request that is sent again has another reference",
      "the bank executes one request twice",
      bankCalls,
      "reference: referenceOf(request)",
      "reference: `${referenceOf(request)}-${order.version}`"
    )
  ),
  behindApi(
    "it needs a gateway that is killed while a request is pending",
    visible(
      "a request that a killed process had sent is reported as not sent, without an inquiry",
      "the bank approved what was reported to the merchant as failed",
      bankJob,
      'return context.job.openAttempts <= 1 ? "send" : "inquire"',
      'return context.job.openAttempts <= 1 ? "send" : "tooLate"'
    )
  ),
  visible(
    "a request is sent after the time in which it may be sent",
    "an order that should have failed is authorized hours later",
    inquiry,
    "terms.nowMs - context.request.acceptedAtMs <= terms.resubmitWithinMs",
    "terms.nowMs - context.request.acceptedAtMs <= terms.resubmitWithinMs * 1000"
  ),
  {
    ...behindApi(
      "only operators see the evidence and the task",
      visible(
        "an approval after a final decline is not recorded",
        "operators get no task for an approval after a decline",
        unexpectedAnswers,
        "const task = Unexpected.taskOf(order, statement, reverse, nowMs)",
        "if (reverse !== undefined || statement.reference !== '') return { writes: [evidence], task: undefined }\n    const task = Unexpected.taskOf(order, statement, reverse, nowMs)"
      )
    ),
    frequentFault: "lateApproval"
  },
  {
    ...behindApi(
      "only operators see the evidence and the task",
      visible(
        "an answer after the deadline is ignored",
        "operators get no task for an approval after a decline",
        lateAnswer,
        "isInTime ? Effect.void : storeLateAnswer(late, answer)",
        "isInTime || answer._tag !== '' ? Effect.void : storeLateAnswer(late, answer)"
      )
    ),
    frequentFault: "lateApproval"
  },
  behindApi(
    "status shows the amounts of the order; only operators see the ledger",
    visible(
      "an approved sale is not written to the ledger",
      "balances differ from the order's amounts",
      approvedAnswer,
      "cause === undefined\n      ? []",
      "cause === undefined || cause === 'sale'\n      ? []"
    )
  ),
  visible(
    "a hold is not released when it expires",
    "an order stays authorized long after its hold has expired",
    approvedAnswer,
    "...(waits ? [Decision.put(Job, lapse)] : [])",
    "...(waits && order.orderId === '' ? [Decision.put(Job, lapse)] : [])"
  ),
  {
    ...behindApi(
      "only operators see the task",
      visible(
        "no task is opened for a hold that the bank refuses to release",
        "an expired hold is not released, and operators get no task",
        approvedAnswer,
        'outcome.progress === "declined" && hold === undefined',
        'outcome.progress === "declined" && hold !== undefined'
      )
    ),
    frequentFault: "refuseRelease"
  },
  visible(
    "an unknown outcome ends as declined after a day",
    "the bank approved what was reported to the merchant as declined",
    inquiry,
    'case "CannotSay":\n        return unknown(',
    'case "CannotSay":\n        if (terms.nowMs - context.request.acceptedAtMs > 86_400_000) return meaning.declined(context, terms, 100, "too long")\n        return unknown('
  ),
  behindApi(
    "it needs a process that is paused for longer than its lease",
    visible(
      "an answer is recorded without a check of the lease",
      "a process that was paused for longer than its lease overwrites the result of the next process",
      inquiry,
      "  Decision.leaseOf(job),\n  Decision.versionIs(Order, [order.orderId], order.version)\n]",
      "  ...(job.jobId === '' ? [Decision.versionIs(Order, [order.orderId], order.version)] : [])\n]"
    )
  ),
  unseen(
    "an inquiry is made after 30 seconds instead of five minutes",
    "banks answer every inquiry, and no check limits the number of inquiries",
    inquiry,
    "  300 * secondMs,\n",
    "  30 * secondMs,\n"
  )
]
