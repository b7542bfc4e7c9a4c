/**
 * What a bank's answer makes of an order: pure, for every action and every answer. Approved and declined are final; a lost
 * answer books nothing, releases nothing and is asked for again; "never happened" is concluded only when the bank's
 * declared processing time is over and the request may no longer be sent (decisions: durable before the answer; unknown
 * outcomes).
 */
import type { BankAnswer, InquiryAnswer } from "../ports/Acquirer.ts"
import type * as AmountAttempts from "./AmountAttempts.ts"
import { approved, ended, neverHappened } from "./BankOutcome.ts"
import type * as Callbacks from "./Callbacks.ts"
import * as Decision from "./Decision.ts"
import { guards, isCreation } from "./Ending.ts"
import { AgendaItem } from "./entities/AgendaItem.ts"
import { Order } from "./entities/Order.ts"
import { OrderRequest } from "./entities/OrderRequest.ts"
import type * as FormAttempt from "./FormAttempt.ts"
import * as Lifecycle from "./Lifecycle.ts"

/** What the agenda holds while it asks the bank: read anew for each decision. */
export interface Held {
  readonly order: Order
  readonly request: OrderRequest
  readonly item: AgendaItem
  /** Where the customer pays on a hosted page. */
  readonly form?: FormAttempt.Form | undefined
  /** Where the merchant sent a list of amounts. */
  readonly round?: AmountAttempts.Round | undefined
}

export interface Terms {
  readonly nowMs: number
  readonly claim: Callbacks.Claim | undefined
  /** An uncaptured hold lapses after so long. */
  readonly holdMs: number
  /** A request is sent again only within so long of its acceptance. */
  readonly resubmitWithinMs: number
  readonly longestProcessingMs: number
}

/**
 * Answers of the bank, and the ways in which there is none. `NotSent` and `Lost` are of requests only: an inquiry that
 * fails proves nothing, which is `CannotSay`. `Unsendable`: not sent, and its CVV is gone for good.
 */
export type Answer = BankAnswer | InquiryAnswer | { readonly _tag: "NotSent" | "Lost" | "Unsendable" }

export interface Next {
  readonly decision: Decision.Decision
  /** Agenda items that the decision claims for this process. */
  readonly started: ReadonlyArray<AgendaItem>
  /** Send the same reference again under the same lease, once the decision is durable. */
  readonly resend: boolean
}

const secondMs = 1000
/** When an unknown outcome is asked for again: 5 s, 30 s, 5 min, 1 h, then daily. */
export const inquiryDelaysMs = [
  5 * secondMs,
  30 * secondMs,
  300 * secondMs,
  3600 * secondMs,
  86_400 * secondMs
] as const
/** When a request that provably was not sent is tried again. */
export const resendDelaysMs = [1 * secondMs, 2 * secondMs, 5 * secondMs, 15 * secondMs, 60 * secondMs] as const

const step = (delaysMs: ReadonlyArray<number>, tries: number): number =>
  delaysMs[Math.min(tries, delaysMs.length - 1)] ?? 0

/** The reference under which the bank knows a request: `orderid-kind-n`. */
export const reference = (request: OrderRequest, kind: Exclude<OrderRequest["action"], "refundThenCancel">): string =>
  `${request.orderId}-${kind}-${request.sequence}`

const wait = (held: Held, changes: Partial<AgendaItem>, dueAtMs: number): AgendaItem => ({
  ...held.item,
  tries: held.item.tries + 1,
  token: null,
  leaseUntilMs: 0,
  ...changes,
  dueAtMs
})

const mayResend = (held: Held, terms: Terms): boolean =>
  terms.nowMs - held.request.acceptedAtMs <= terms.resubmitWithinMs

/** Whether the request could not be sent before and may not be sent any more: its time went by while nobody looked. */
export const isTooLate = ({ item, request }: Held, nowMs: number, resubmitWithinMs: number): boolean =>
  item.openAttempts <= 1 && item.tries > 0 && nowMs - request.acceptedAtMs > resubmitWithinMs

/** Not known yet: the merchant sees `unknown`, nothing is booked, and the bank is asked again at `dueAtMs`. */
const unknown = (held: Held, item: AgendaItem): Next => {
  const { order, request } = held
  const lost: Order = {
    ...order,
    version: order.version + 1,
    state: isCreation(request) ? (Lifecycle.next(order.state, "lose") ?? order.state) : order.state
  }
  return {
    decision: {
      guards: guards(held),
      writes: [
        Decision.put(Order, lost),
        Decision.put(OrderRequest, { ...request, progress: "unknown" }),
        Decision.put(AgendaItem, item)
      ]
    },
    started: [],
    resend: false
  }
}

/**
 * Definite only when the bank's processing time has passed since the last moment at which the request can have been sent:
 * when its answer was given up, or, where its holder died without a word, when we first ask.
 */
const notFound = (held: Held, terms: Terms): Next => {
  const heardOf = held.request.progress !== "moving"
  const startedAtMs = heardOf ? (held.item.startedAtMs ?? terms.nowMs) : terms.nowMs
  const definiteAtMs = startedAtMs + terms.longestProcessingMs
  if (terms.nowMs < definiteAtMs) {
    const dueAtMs = Math.min(definiteAtMs, terms.nowMs + step(inquiryDelaysMs, held.item.tries))
    return unknown(held, wait(held, { startedAtMs }, dueAtMs))
  }
  if (!mayResend(held, terms)) return neverHappened(held, terms)
  const item: AgendaItem = { ...held.item, startedAtMs: terms.nowMs }
  return {
    decision: {
      guards: [Decision.leaseIs(held.item.itemId, held.item.token ?? "")],
      writes: [Decision.put(AgendaItem, item)]
    },
    started: [],
    resend: true
  }
}

/** The one door: every answer to every action. */
export const decide = (held: Held, answer: Answer, terms: Terms): Next => {
  switch (answer._tag) {
    case "Approved":
      return approved(held, terms, answer)
    case "Declined":
      return ended(held, terms, "declined", answer.code, answer.message)
    case "NotSent":
      return mayResend(held, terms)
        ? {
            decision: {
              guards: [Decision.leaseIs(held.item.itemId, held.item.token ?? "")],
              writes: [
                Decision.put(
                  AgendaItem,
                  wait(
                    held,
                    { openAttempts: 0, startedAtMs: null },
                    terms.nowMs + step(resendDelaysMs, held.item.tries)
                  )
                )
              ]
            },
            started: [],
            resend: false
          }
        : neverHappened(held, terms)
    case "Unsendable":
      return neverHappened(held, terms)
    case "Lost":
      return unknown(held, wait(held, { tries: 1, startedAtMs: terms.nowMs }, terms.nowMs + step(inquiryDelaysMs, 0)))
    case "CannotSay":
      return unknown(held, wait(held, {}, terms.nowMs + step(inquiryDelaysMs, held.item.tries)))
    case "NotFound":
      return notFound(held, terms)
  }
}
