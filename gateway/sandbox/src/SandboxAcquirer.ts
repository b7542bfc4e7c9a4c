/**
 * A simulated bank. It answers by the tables of test cards and security codes, has its own books, and loses and delays answers on
 * request. With a journal, its answers survive the end of its process.
 */
import { Acquirer, AcquirerError, type FollowUp } from "@pay/gateway/Acquirer"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Booking from "./Booking.ts"
import type * as Journal from "./Journal.ts"
import { type FollowUpKind, ordinary, type Scenario } from "./Outcome.ts"
import { SandboxControl } from "./SandboxControl.ts"
import * as SimulatedBank from "./SimulatedBank.ts"
import * as TestCards from "./TestCards.ts"
import * as TestCvv from "./TestCvv.ts"
import * as TestRecipients from "./TestRecipients.ts"

export type { Options } from "./SimulatedBank.ts"

const failing = <A>(answer: Effect.Effect<A, SimulatedBank.BankUnanswered>): Effect.Effect<A, AcquirerError> =>
  Effect.mapError(answer, ({ reason }) => new AcquirerError({ reason }))

/** Returns the effect of the receiving card on a transfer: that of a payout to the card, without its late refusal. */
const receiving = ({ recipient }: Booking.Request): Scenario => {
  const { lateRefusal: _, ...scenario } = TestRecipients.byName(recipient?.testRecipient ?? "")?.scenarios.pay ?? {}
  return scenario
}

const make = Effect.fnUntraced(function* (options: SimulatedBank.Options) {
  const { books, control, deadlineMs, inquire, longestProcessingMs, reverse, send } = yield* SimulatedBank.make(options)

  const followUp = (kind: FollowUpKind, question: FollowUp) => {
    const request = Booking.ofFollowUp(kind, question)
    const testCard = TestCards.byName(books.find(question.original.reference)?.request.card?.testCard ?? "")
    return failing(send(request, { ...ordinary, ...testCard?.scenarios[kind] }))
  }

  const acquirer = Acquirer.checked({
    capabilities: {
      ...{ longestProcessingMs, deadlineMs, simulated: true, transfers: true, eligibility: true },
      unknownOutcomes: options.unknownOutcomes
    },
    authorize: (question) => {
      const cvv = question.card.cvv === undefined ? undefined : Redacted.value(question.card.cvv)
      const request = Booking.ofAuthorization(question)
      const payer = TestCards.byName(request.card?.testCard ?? "")
      const base = { ...TestCvv.outcome(cvv), ...TestCards.authorize(payer, question.amountMinor) }
      return failing(
        send(
          request,
          question.recipient === undefined ? base : { ...base, ...receiving(request), ...payer?.scenarios.eligible }
        )
      )
    },
    eligible: (question) => {
      const request = Booking.ofQuestion(question)
      const testCard = TestCards.byName(request.card?.testCard ?? "")
      return failing(send(request, { ...ordinary, ...testCard?.scenarios.eligible }))
    },
    followUp,
    inquire: ({ reference }) => failing(inquire(reference)),
    reverse: (inquiry) => failing(reverse(Booking.ofInquiry(inquiry)))
  })

  return Context.make(Acquirer, acquirer).pipe(Context.add(SandboxControl, SandboxControl.of(control)))
})

/**
 * Makes a separate bank with each call. Two banks share their books only if they have the same journal, which only one of them
 * may use at a time.
 */
export const layer = (
  options: SimulatedBank.Options = {}
): Layer.Layer<Acquirer | SandboxControl, Journal.JournalError> => Layer.effectContext(make(options))
