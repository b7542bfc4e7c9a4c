/** Sends requests to the payout rail: checks, payments, and inquiries about confirmed payments. */
import { Effect, Option } from "effect"
import type * as Hosted from "../hosted/decide/HostedSession.ts"
import * as HostedPage from "../hosted/HostedPage.ts"
import type { Job } from "../kernel/Job.ts"
import * as Spans from "../kernel/Spans.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import * as BankJob from "../orders/outcomes/BankJob.ts"
import type * as Counterparty from "../orders/outcomes/Counterparty.ts"
import * as LateAnswer from "../orders/outcomes/LateAnswer.ts"
import * as SentTimes from "../orders/outcomes/SentTimes.ts"
import type { Order } from "../orders/record/Order.ts"
import { isOfRail, type RailRequest, referenceOf } from "../orders/record/OrderRequest.ts"
import * as Destination from "../recipients/Destination.ts"
import { Payout } from "../recipients/Recipient.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as PayoutAnswer from "./decide/PayoutAnswer.ts"
import { PayoutRail } from "./PayoutRail.ts"

interface Subject {
  readonly order: Order
  readonly request: RailRequest
  readonly payout: Payout | undefined
  readonly form: Hosted.Form | undefined
}

const withRail = Effect.fnUntraced(function* (rail: PayoutRail["Service"]) {
  const vault = yield* KeyVault
  const approvalUntilMs = yield* EndpointRules.approvalUntilMs
  const withSpan = yield* Spans.make
  const { deadlineMs, lateRefusalAfterMs, longestProcessingMs } = rail.capabilities
  const callWithDeadline = yield* LateAnswer.make

  const reference = ({ request }: Subject) => referenceOf(request)

  /** Decrypts the destination; undefined if it cannot be decrypted, so that nothing is sent. */
  const destinationOf = (order: Order, payout: Payout) =>
    vault.decrypt(payout.encryptedDestination, order.orderId).pipe(
      Effect.map(Destination.fromText),
      Effect.catchTag("CannotOpen", (error) =>
        Effect.as(Effect.logWarning("A recipient cannot be decrypted; the payout is not sent", error), undefined)
      )
    )

  const send = Effect.fnUntraced(function* (
    subject: Subject,
    late: Counterparty.LateAnswerHandler,
    checkLease: Counterparty.LeaseCheck
  ) {
    const { order, payout, request } = subject
    const destination = payout === undefined ? undefined : yield* destinationOf(order, payout)
    if (payout === undefined || destination === undefined) return BankJob.unsendable
    const railCall = rail[request.action]({
      reference: reference(subject),
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      merchantId: order.merchantId,
      amountMinor: order.amountMinor,
      currency: order.currency,
      destination,
      purpose: payout.purpose ?? undefined
    })
    return yield* Effect.andThen(
      checkLease,
      callWithDeadline(
        withSpan(railCall, `rail.${request.action}`, () => ({ "pay.reference": reference(subject) }), "client"),
        rail.capabilities,
        late
      )
    )
  })

  return yield* BankJob.make<Subject>(yield* SentTimes.make, {
    longestProcessingMs: () => longestProcessingMs,
    load: Effect.fnUntraced(function* ({ order, request }, job, rows) {
      if (!isOfRail(request)) return yield* Effect.die(new Error(`job ${job.jobId} is not for the payout rail`))
      const payout = yield* rows.load(Payout, [order.orderId])
      return { order, request, payout, form: yield* HostedPage.formOf(rows, request) }
    }),
    send,
    inquire: (subject) => Effect.map(BankJob.answerOf(rail.inquire(reference(subject)), deadlineMs), BankJob.inquired),
    reference,
    amountMinor: ({ order }) => order.amountMinor,
    /** A check may always be sent again. A confirmed payout is only inquired about. */
    step: (context) =>
      context.request.action === "check" ? "send" : PayoutAnswer.isPosted(context) ? "inquire" : undefined,
    settle: (context, answer, terms, commit) =>
      commit(
        PayoutAnswer.decide(context, answer, {
          ...terms,
          lateRefusalAfterMs,
          approvalUntilMs: approvalUntilMs(context.order.endpointId, terms.nowMs)
        })
      )
  })
})

const waitsForRail = ({ jobId }: Job): Effect.Effect<void> =>
  Effect.logError("A payout waits for a rail, and this gateway has none").pipe(Effect.annotateLogs({ jobId }))
const noRail: BankJob.RequestJob = { run: waitsForRail, apply: waitsForRail }

/** Makes the handler for jobs of the payout rail. Without a rail, a job stays due and an error is logged. */
export const make = Effect.flatMap(
  Effect.serviceOption(PayoutRail),
  Option.match({ onNone: () => Effect.succeed(noRail), onSome: withRail })
)
