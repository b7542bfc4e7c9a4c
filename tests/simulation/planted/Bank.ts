/** Defects in what an answer of bank or rail means. */
import { behindApi, type Planted, unseen, visible } from "./Patch.ts"

const asking = "packages/gateway/src/orders/outcomes/Inquiry.ts"
const asker = "packages/gateway/src/orders/outcomes/BankJob.ts"
const outcome = "packages/gateway/src/orders/outcomes/ApprovedAnswer.ts"
const unexpected = "packages/gateway/src/orders/outcomes/UnexpectedAnswers.ts"
const late = "packages/gateway/src/orders/outcomes/LateAnswer.ts"
const carrying = "packages/gateway/src/orders/outcomes/CardJob.ts"

export const bank: ReadonlyArray<Planted> = [
  visible(
    "a lost answer is taken for a decline",
    "the bank approved what was reported to the merchant as declined",
    asking,
    'case "Lost":\n        return unknown(\n          wait(context, { tries: 1, startedAtMs: terms.nowMs }, terms.nowMs + Jobs.step(inquiryDelaysMs, 0))\n        )',
    'case "Lost":\n        return meaning.declined(context, terms, 100, "lost")'
  ),
  visible(
    "a bank that cannot say is taken for one that has declined",
    "the bank approved what was reported to the merchant as declined",
    asking,
    'case "CannotSay":\n        return unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, context.item.tries)))',
    'case "CannotSay":\n        return meaning.declined(context, terms, 100, "cannot say")'
  ),
  behindApi(
    "only the bank sees how often the gateway inquires; the order ends the same",
    visible(
      "not found is definite at once",
      "the bank is asked over and over, and each of its answers is kept",
      asking,
      "if (terms.nowMs < definiteAtMs) {",
      "if (terms.nowMs < 0) {"
    )
  ),
  behindApi(
    "its merchant gets the same answers; only the bank's books differ",
    visible(
      "a request that is sent again has another reference",
      "the bank books one request twice",
      carrying,
      "reference: CardAnswer.reference(request, kind),\n    ...namesOf(order),\n    original,",
      "reference: `${CardAnswer.reference(request, kind)}-${order.version}`,\n    ...namesOf(order),\n    original,"
    )
  ),
  behindApi(
    "the gateway has to die in the middle of an attempt",
    visible(
      "an open attempt is sent again without asking the bank first",
      "where the first one was lost on its way, a declined repeat hides an approval",
      asker,
      'return context.item.openAttempts <= 1 ? "send" : "inquire"',
      'return context.item.openAttempts <= 1 ? "send" : "tooLate"'
    )
  ),
  visible(
    "what may no longer be sent is sent",
    "an order that should have ended as one that never happened is authorized hours later",
    asking,
    "terms.nowMs - context.request.acceptedAtMs <= terms.resubmitWithinMs",
    "terms.nowMs - context.request.acceptedAtMs <= terms.resubmitWithinMs * 1000"
  ),
  {
    ...behindApi(
      "the evidence and the task are for operators",
      visible(
        "an approval that contradicts a final decline is dropped",
        "there is no task for what the bank approved after a decline",
        unexpected,
        "const task = Unexpected.taskOf(order, statement, reverse, nowMs)",
        "if (reverse !== undefined || statement.reference !== '') return { writes: [evidence], task: undefined }\n    const task = Unexpected.taskOf(order, statement, reverse, nowMs)"
      )
    ),
    frequentFault: "lateApproval"
  },
  {
    ...behindApi(
      "the evidence and the task are for operators",
      visible(
        "a late answer is ignored",
        "there is no task for what the bank approved after a decline",
        late,
        "isInTime ? Effect.void : storeLateAnswer(late, answer)",
        "isInTime || answer._tag !== '' ? Effect.void : storeLateAnswer(late, answer)"
      )
    ),
    frequentFault: "lateApproval"
  },
  behindApi(
    "the amounts of status are the order's; the books are for operators",
    visible(
      "an approved sale is not booked",
      "balances differ from the order's amounts",
      outcome,
      "cause === undefined\n      ? []",
      "cause === undefined || cause === 'sale'\n      ? []"
    )
  ),
  visible(
    "a hold never lapses",
    "an order stays authorized long after its hold has expired",
    outcome,
    "...(waits ? [Decision.put(Job, lapse)] : [])",
    "...(waits && order.orderId === '' ? [Decision.put(Job, lapse)] : [])"
  ),
  {
    ...behindApi(
      "the task is for operators",
      visible(
        "no task is opened for a hold that the bank refuses to release",
        "a hold that has expired stands, and no operator can see it",
        outcome,
        'outcome.progress === "declined" && hold === undefined',
        'outcome.progress === "declined" && hold !== undefined'
      )
    ),
    frequentFault: "refuseRelease"
  },
  visible(
    "an unknown outcome ends as declined after a day",
    "the bank approved what was reported to the merchant as declined",
    asking,
    'case "CannotSay":\n        return unknown(',
    'case "CannotSay":\n        if (terms.nowMs - context.request.acceptedAtMs > 86_400_000) return meaning.declined(context, terms, 100, "too long")\n        return unknown('
  ),
  behindApi(
    "a process has to be paused for longer than its lease",
    visible(
      "an answer is recorded without the lease",
      "a process that was paused beyond its lease records over its successor",
      asking,
      "  Decision.leaseOf(item),\n  Decision.versionIs(Order, [order.orderId], order.version)\n]",
      "  ...(item.itemId === '' ? [Decision.versionIs(Order, [order.orderId], order.version)] : [])\n]"
    )
  ),
  unseen(
    "an inquiry is made a little too often",
    "banks answer every inquiry; only their number grows, which no promise limits",
    asking,
    "  300 * secondMs,\n",
    "  30 * secondMs,\n"
  )
]
