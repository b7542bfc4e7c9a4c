/**
 * A bank that is a program: answers by the tables of test cards and security codes, keeps books of its own, and loses,
 * delays and forgets answers on request. What it has answered survives the end of its process if it keeps a journal.
 */
import { Acquirer, AcquirerError } from "@pay/gateway/Acquirer"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Booking from "./Booking.ts"
import type * as Journal from "./Journal.ts"
import { type BankKind, ordinary } from "./Outcome.ts"
import { SandboxControl } from "./SandboxControl.ts"
import * as SimulatedBank from "./SimulatedBank.ts"
import * as TestCards from "./TestCards.ts"
import * as TestCvv from "./TestCvv.ts"

export { type Options, ReferenceReused } from "./SimulatedBank.ts"

const failing = <A>(answer: Effect.Effect<A, SimulatedBank.Unanswered>): Effect.Effect<A, AcquirerError> =>
  Effect.mapError(answer, ({ reason }) => new AcquirerError({ reason }))

const make = Effect.fnUntraced(function* (options: SimulatedBank.Options) {
  const { books, control, deadlineMs, inquire, longestProcessingMs, send } = yield* SimulatedBank.make(options)

  const followUp = (kind: Exclude<BankKind, "authorize">) => (asked: Parameters<typeof Booking.ofFollowUp>[1]) => {
    const request = Booking.ofFollowUp(kind, asked)
    const testCard = TestCards.byName(books.find(asked.original)?.request.card?.testCard ?? "")
    return failing(send(request, { ...ordinary, ...testCard?.plans[kind] }))
  }

  const acquirer = Acquirer.of({
    capabilities: { longestProcessingMs, deadlineMs, simulated: true },
    authorize: (asked) => {
      const cvv = asked.card.cvv === undefined ? undefined : Redacted.value(asked.card.cvv)
      const request = Booking.ofAuthorization(asked)
      const testCard = TestCards.byName(request.card?.testCard ?? "")
      return failing(send(request, { ...TestCvv.outcome(cvv), ...TestCards.authorize(testCard, asked.amountMinor) }))
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
