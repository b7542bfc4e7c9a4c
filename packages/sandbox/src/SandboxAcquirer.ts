/**
 * A bank that is a program: answers by the tables of test cards and security codes, keeps books of its own, and loses,
 * delays and forgets answers on request. What it has answered survives the end of its process if it keeps a journal.
 */
import { Acquirer, AcquirerError } from "@pay/gateway/Acquirer"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Booking from "./Booking.ts"
import type * as Journal from "./Journal.ts"
import { type FollowUpKind, ordinary, type Plan } from "./Outcome.ts"
import { SandboxControl } from "./SandboxControl.ts"
import * as SimulatedBank from "./SimulatedBank.ts"
import * as TestCards from "./TestCards.ts"
import * as TestCvv from "./TestCvv.ts"
import * as TestRecipients from "./TestRecipients.ts"

export { type Options, ReferenceReused } from "./SimulatedBank.ts"

const failing = <A>(answer: Effect.Effect<A, SimulatedBank.Unanswered>): Effect.Effect<A, AcquirerError> =>
  Effect.mapError(answer, ({ reason }) => new AcquirerError({ reason }))

/** What the receiving card does to a transfer: as to a payout, but that nothing is refused late. */
const receiving = ({ recipient }: Booking.Request): Plan => {
  const { lateRefusal: _, ...plan } = TestRecipients.byName(recipient?.testRecipient ?? "")?.plans.pay ?? {}
  return plan
}

const make = Effect.fnUntraced(function* (options: SimulatedBank.Options) {
  const { books, control, deadlineMs, inquire, longestProcessingMs, send } = yield* SimulatedBank.make(options)

  const followUp = (kind: FollowUpKind) => (question: Parameters<typeof Booking.ofFollowUp>[1]) => {
    const request = Booking.ofFollowUp(kind, question)
    const testCard = TestCards.byName(books.find(question.original)?.request.card?.testCard ?? "")
    return failing(send(request, { ...ordinary, ...testCard?.plans[kind] }))
  }

  const acquirer = Acquirer.of({
    capabilities: { longestProcessingMs, deadlineMs, simulated: true, transfers: true, eligibility: true },
    authorize: (question) => {
      const cvv = question.card.cvv === undefined ? undefined : Redacted.value(question.card.cvv)
      const request = Booking.ofAuthorization(question)
      const payer = TestCards.byName(request.card?.testCard ?? "")
      const base = { ...TestCvv.outcome(cvv), ...TestCards.authorize(payer, question.amountMinor) }
      return failing(
        send(
          request,
          question.recipient === undefined ? base : { ...base, ...receiving(request), ...payer?.plans.eligible }
        )
      )
    },
    eligible: (question) => {
      const request = Booking.ofQuestion(question)
      const testCard = TestCards.byName(request.card?.testCard ?? "")
      return failing(send(request, { ...ordinary, ...testCard?.plans.eligible }))
    },
    capture: followUp("capture"),
    cancel: followUp("cancel"),
    refund: followUp("refund"),
    inquire: (reference) => failing(inquire(reference))
  })

  return Context.make(Acquirer, acquirer).pipe(Context.add(SandboxControl, SandboxControl.of(control)))
})

/** A bank of its own with each call, unless two share a journal, which only one may use at a time. */
export const layer = (
  options: SimulatedBank.Options = {}
): Layer.Layer<Acquirer | SandboxControl, Journal.JournalError> => Layer.effectContext(make(options))
