/** Asks the payout rail for what a merchant wants paid: checks, payments, and whether a payment still holds. */
import { Effect, Option } from "effect"
import * as Destination from "../domain/Destination.ts"
import type { AgendaItem } from "../domain/entities/AgendaItem.ts"
import type { Order } from "../domain/entities/Order.ts"
import { isOfRail, type RailRequest } from "../domain/entities/OrderRequest.ts"
import { Payout } from "../domain/entities/Payout.ts"
import type * as FormAttempt from "../domain/FormAttempt.ts"
import * as PayoutWork from "../domain/PayoutWork.ts"
import { KeyVault } from "../ports/KeyVault.ts"
import { PayoutRail } from "../ports/PayoutRail.ts"
import { Store } from "../ports/Store.ts"
import * as ApprovalTerm from "./ApprovalTerm.ts"
import * as Asker from "./Asker.ts"
import { formOf } from "./FormOf.ts"

interface Subject {
  readonly order: Order
  readonly request: RailRequest
  readonly payout: Payout
  readonly form: FormAttempt.Form | undefined
}

const withRail = Effect.fnUntraced(function* (rail: PayoutRail["Service"]) {
  const store = yield* Store
  const vault = yield* KeyVault
  const approvalUntilMs = yield* ApprovalTerm.make
  const { deadlineMs, lateRefusalAfterMs, longestProcessingMs } = rail.capabilities

  const reference = ({ request }: Subject) => PayoutWork.reference(request)

  /** Undefined: the recipient cannot be read any more, so nothing is sent. */
  const destinationOf = ({ order, payout }: Subject) =>
    vault.open(payout.sealedDestination, order.orderId).pipe(
      Effect.map(Destination.fromText),
      Effect.catchTag("CannotOpen", (error) =>
        Effect.as(Effect.logWarning("A recipient cannot be opened; the payout is not sent", error), undefined)
      )
    )

  const send = Effect.fnUntraced(function* (subject: Subject) {
    const { order, payout, request } = subject
    const destination = yield* destinationOf(subject)
    if (destination === undefined) return Asker.unsendable
    const question = rail[request.action]({
      reference: reference(subject),
      orderId: order.orderId,
      amountMinor: order.amountMinor,
      currency: order.currency,
      destination,
      purpose: payout.purpose ?? undefined
    })
    return yield* Asker.heard(question, deadlineMs)
  })

  return yield* Asker.make<Subject>({
    longestProcessingMs,
    load: Effect.fnUntraced(function* ({ order, request }, item) {
      const payout = yield* store.load(Payout, [order.orderId])
      if (payout === undefined || !isOfRail(request))
        return yield* Effect.die(new Error(`agenda item ${item.itemId} is not for the payout rail`))
      return { order, request, payout, form: yield* formOf(store, request) }
    }),
    send,
    inquire: (subject) => Effect.map(Asker.heard(rail.inquire(reference(subject)), deadlineMs), Asker.inquired),
    reference,
    /** A check may always be asked anew; of a confirmed payout only its state is asked. */
    step: (held) => (held.request.action === "check" ? "send" : PayoutWork.isPosted(held) ? "inquire" : undefined),
    settle: (held, answer, terms, commit) =>
      commit(
        PayoutWork.decide(held, answer, {
          ...terms,
          lateRefusalAfterMs,
          approvalUntilMs: approvalUntilMs(held.order.endpointId, terms.nowMs)
        })
      )
  })
})

const noRail = ({ itemId }: AgendaItem): Effect.Effect<void> =>
  Effect.logError("A payout waits for a rail, and this gateway has none").pipe(Effect.annotateLogs({ itemId }))

/** Where no rail is provided, what is due for one stays where it is. */
export const make = Effect.flatMap(
  Effect.serviceOption(PayoutRail),
  Option.match({ onNone: () => Effect.succeed(noRail), onSome: withRail })
)
