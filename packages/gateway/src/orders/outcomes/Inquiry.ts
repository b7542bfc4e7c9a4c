/**
 * Decides what follows from a question to a bank or a payout rail, whatever it is about. An answer is applied. A lost answer
 * books nothing, releases nothing and is asked for again. "Never happened" is concluded only when the declared processing time is
 * over and the request may no longer be sent (decisions: durable before the answer; unknown outcomes).
 */

import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import type { BankAnswer, InquiryAnswer } from "../Acquirer.ts"
import { Order } from "../Order.ts"
import { OrderRequest } from "../OrderRequest.ts"
import type { BankTask } from "./BankTask.ts"

/** What a job knows while it asks, loaded again for each decision. */
export interface JobContext {
  readonly order: Order
  readonly request: OrderRequest
  readonly item: Job
}

export interface Terms {
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
  /** A request is sent again only within so long of its acceptance. */
  readonly resubmitWithinMs: number
  readonly longestProcessingMs: number
  /** For so long, by the monotonic clock, this process has known that the request may be under way. */
  readonly underWayMs: number
}

/**
 * Answers, and the ways in which there is none. `NotSent` and `Lost` are of requests only: an inquiry that fails proves
 * nothing, which is `CannotSay`. `Unsendable`: not sent, and what must be sent is gone for good.
 */
export type Answer = BankAnswer | InquiryAnswer | Unanswered | { readonly _tag: "Unsendable" }

/** No answer, and what was heard instead: without card data. */
export interface Unanswered {
  readonly _tag: "NotSent" | "Lost" | "CannotSay"
  readonly reason?: string
}

/** Why there is no answer, where something was heard. */
export const reasonOf = (answer: Answer): string | undefined => ("reason" in answer ? answer.reason : undefined)

export interface Next {
  readonly decision: Decision.Decision
  /** Jobs that the decision claims for this process. */
  readonly started: ReadonlyArray<Job>
  /** Send the same reference again under the same lease, once the decision is durable. */
  readonly resend: boolean
  /** The lifecycle has no transition for the answer: nothing of the order changes, and the answer is recorded beside it. */
  readonly unexpected?: true
  /** A task that the decision opens: operators are told. */
  readonly task?: BankTask
}

/** What an outcome means for the order: the part that differs between a payment and a payout. */
export interface Meaning<H extends JobContext, T extends Terms> {
  readonly approved: (context: H, terms: T, answer: BankAnswer & { readonly _tag: "Approved" }) => Next
  readonly declined: (context: H, terms: T, code: number, message: string) => Next
  readonly neverHappened: (context: H, terms: T) => Next
  /** What the other side was asked to move. */
  readonly askedMinor: (context: H) => number
  /** The state while nobody knows. */
  readonly lost: (context: H) => Order["state"]
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

/** What every decision about held work requires: still our lease, still the order that was read. */
export const guards = ({ item, order }: Pick<JobContext, "item" | "order">): ReadonlyArray<Decision.Guard> => [
  Decision.leaseOf(item),
  Decision.versionIs(Order, [order.orderId], order.version)
]

/** The item as it waits until `dueAtMs`, with one try more. */
export const wait = ({ item }: JobContext, changes: Partial<Job>, dueAtMs: number): Job => ({
  ...item,
  tries: item.tries + 1,
  token: null,
  leaseUntilMs: 0,
  ...changes,
  dueAtMs
})

/** The answer changes nothing: see `Unexpected`. Nobody asks for it any more. */
export const unexpected = ({ item }: Pick<JobContext, "item">): Next => ({
  decision: {
    guards: [Decision.leaseOf(item)],
    writes: [Decision.remove(Job, [item.itemId])]
  },
  started: [],
  resend: false,
  unexpected: true
})

/** Nothing but the item changes: it waits. */
export const later = (context: JobContext, changes: Partial<Job>, dueAtMs: number): Next => ({
  decision: {
    guards: [Decision.leaseOf(context.item)],
    writes: [Decision.put(Job, wait(context, changes, dueAtMs))]
  },
  started: [],
  resend: false
})

/** Not sent: nobody has begun, as far as the other side can know. */
const notSent = (context: JobContext, nowMs: number): Next =>
  later(context, { openAttempts: 0, startedAtMs: null }, nowMs + Jobs.step(resendDelaysMs, context.item.tries))

const mayResend = (context: JobContext, terms: Terms): boolean =>
  terms.nowMs - context.request.acceptedAtMs <= terms.resubmitWithinMs

/** Whether the request could not be sent before and may not be sent any more: its time went by while nobody looked. */
export const isTooLate = ({ item, request }: JobContext, nowMs: number, resubmitWithinMs: number): boolean =>
  item.openAttempts <= 1 && item.tries > 0 && nowMs - request.acceptedAtMs > resubmitWithinMs

/** The one door: every answer to every request. */
export const decide =
  <H extends JobContext, T extends Terms>(meaning: Meaning<H, T>) =>
  (context: H, answer: Answer, terms: T): Next => {
    /** Not known yet: the merchant sees `unknown`, nothing is booked, and the question is asked again. */
    const unknown = (item: Job): Next => ({
      decision: {
        guards: guards(context),
        writes: [
          Decision.put(Order, Change.next(context.order, { state: meaning.lost(context) })),
          Decision.put(OrderRequest, { ...context.request, progress: "unknown" }),
          Decision.put(Job, item)
        ]
      },
      started: [],
      resend: false
    })

    /**
     * Definite only when the processing time has passed since the last moment at which the request can have been sent:
     * when its answer was given up, or, where its holder died without a word, when we first ask.
     */
    const notFound = (): Next => {
      const heardOf = context.request.progress !== "moving"
      const startedAtMs = heardOf ? (context.item.startedAtMs ?? terms.nowMs) : terms.nowMs
      // By both clocks: the wall clock may have leapt.
      const definiteAtMs = Math.max(
        startedAtMs + terms.longestProcessingMs,
        terms.nowMs + terms.longestProcessingMs - terms.underWayMs
      )
      if (terms.nowMs < definiteAtMs) {
        const dueAtMs = Math.min(definiteAtMs, terms.nowMs + Jobs.step(inquiryDelaysMs, context.item.tries))
        return unknown(wait(context, { startedAtMs }, dueAtMs))
      }
      if (!mayResend(context, terms)) return meaning.neverHappened(context, terms)
      const item: Job = { ...context.item, startedAtMs: terms.nowMs }
      return {
        decision: {
          guards: [Decision.leaseOf(context.item)],
          writes: [Decision.put(Job, item)]
        },
        started: [],
        resend: true
      }
    }

    switch (answer._tag) {
      case "Approved": {
        const { amountMinor = meaning.askedMinor(context) } = answer
        return amountMinor === meaning.askedMinor(context)
          ? meaning.approved(context, terms, answer)
          : unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, inquiryDelaysMs.length)))
      }
      case "Declined":
        return meaning.declined(context, terms, answer.code, answer.message)
      case "NotSent":
        return mayResend(context, terms) ? notSent(context, terms.nowMs) : meaning.neverHappened(context, terms)
      case "Unsendable":
        return meaning.neverHappened(context, terms)
      case "Lost":
        return unknown(
          wait(context, { tries: 1, startedAtMs: terms.nowMs }, terms.nowMs + Jobs.step(inquiryDelaysMs, 0))
        )
      case "CannotSay":
        return unknown(wait(context, {}, terms.nowMs + Jobs.step(inquiryDelaysMs, context.item.tries)))
      case "NotFound":
        return notFound()
    }
  }
