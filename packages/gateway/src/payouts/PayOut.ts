/** Asks the payout rail for what a merchant wants paid: checks, payments, and whether a payment still holds. */
import { Effect, Option } from "effect"
import type * as FormAttempt from "../hosted/FormAttempt.ts"
import { formOf } from "../hosted/FormOf.ts"
import type { AgendaItem } from "../kernel/AgendaItem.ts"
import { Store } from "../kernel/Store.ts"
import * as EndpointRules from "../merchants/EndpointRules.ts"
import type { Order } from "../orders/Order.ts"
import { isOfRail, type RailRequest } from "../orders/OrderRequest.ts"
import * as Asker from "../orders/outcomes/Asker.ts"
import * as Asking from "../orders/outcomes/Asking.ts"
import * as LateAnswer from "../orders/outcomes/LateAnswer.ts"
import * as Destination from "../recipients/Destination.ts"
import { Payout } from "../recipients/Payout.ts"
import { KeyVault } from "../vault/KeyVault.ts"
import * as FormerPayments from "./FormerPayments.ts"
import * as FormerPayout from "./FormerPayout.ts"
import { PayoutRail } from "./PayoutRail.ts"
import * as PayoutWork from "./PayoutWork.ts"

interface Subject {
  readonly order: Order
  readonly request: RailRequest
  readonly payout: Payout | undefined
  readonly form: FormAttempt.Form | undefined
}

const withRail = Effect.fnUntraced(function* (rail: PayoutRail["Service"]) {
  const store = yield* Store
  const vault = yield* KeyVault
  const approvalUntilMs = yield* EndpointRules.approvalUntilMs
  const formerPayments = yield* FormerPayments.make
  const { deadlineMs, lateRefusalAfterMs, longestProcessingMs } = rail.capabilities
  const listening = yield* LateAnswer.make({ deadlineMs, longestProcessingMs })

  const reference = ({ request }: Subject) => PayoutWork.reference(request)

  /** Undefined: the recipient cannot be read any more, so nothing is sent. */
  const destinationOf = (order: Order, payout: Payout) =>
    vault.open(payout.sealedDestination, order.orderId).pipe(
      Effect.map(Destination.fromText),
      Effect.catchTag("CannotOpen", (error) =>
        Effect.as(Effect.logWarning("A recipient cannot be opened; the payout is not sent", error), undefined)
      )
    )

  const send = Effect.fnUntraced(function* (subject: Subject, late: Asker.Late) {
    const { order, payout, request } = subject
    const destination = payout === undefined ? undefined : yield* destinationOf(order, payout)
    if (payout === undefined || destination === undefined) return Asker.unsendable
    const question = rail[request.action]({
      reference: reference(subject),
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      merchantId: order.merchantId,
      amountMinor: order.amountMinor,
      currency: order.currency,
      destination,
      purpose: payout.purpose ?? undefined
    })
    return yield* listening(question, late)
  })

  return yield* Asker.make<Subject>({
    longestProcessingMs,
    load: Effect.fnUntraced(function* ({ order, request }, item, rows) {
      if (!isOfRail(request))
        return yield* Effect.die(new Error(`agenda item ${item.itemId} is not for the payout rail`))
      const payout = yield* rows.load(Payout, [order.orderId])
      return { order, request, payout, form: yield* formOf(store, request) }
    }),
    send,
    inquire: (subject) => Effect.map(Asker.heard(rail.inquire(reference(subject)), deadlineMs), Asker.inquired),
    reference,
    amountMinor: ({ order }) => order.amountMinor,
    /** A check may always be asked anew; of a confirmed payout only its state is asked. */
    step: (held) => (held.request.action === "check" ? "send" : PayoutWork.isPosted(held) ? "inquire" : undefined),
    settle: Effect.fnUntraced(function* (held, heard, terms, commit) {
      const former = held.request.action === "check" ? yield* formerPayments(held) : undefined
      if (former !== undefined && former.answer._tag !== "CannotSay") {
        const { decision, started } = FormerPayout.found(held, former.sequence, terms.nowMs, terms.claim)
        const guards = [...Asking.guards(held), ...decision.guards]
        return yield* commit({ decision: { ...decision, guards }, started, resend: false })
      }
      return yield* commit(
        PayoutWork.decide(held, former?.answer ?? heard, {
          ...terms,
          lateRefusalAfterMs,
          approvalUntilMs: approvalUntilMs(held.order.endpointId, terms.nowMs)
        })
      )
    })
  })
})

const noRail = ({ itemId }: AgendaItem): Effect.Effect<void> =>
  Effect.logError("A payout waits for a rail, and this gateway has none").pipe(Effect.annotateLogs({ itemId }))

/** Where no rail is provided, what is due for one stays where it is. */
export const make = Effect.flatMap(
  Effect.serviceOption(PayoutRail),
  Option.match({ onNone: () => Effect.succeed(noRail), onSome: withRail })
)
