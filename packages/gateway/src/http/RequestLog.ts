/**
 * The requests that arrived last, for the operator who watches them. They are kept in memory, a bounded number of them, and are gone
 * when the process ends. They contain no field of a request but the numbers of its order.
 */
import { Context, Effect, Layer } from "effect"
import type { Answer, Refused } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Ids from "../kernel/Ids.ts"
import * as LogText from "../kernel/LogText.ts"
import { orderIdOf } from "./WrittenAnswer.ts"

/** `unchecked`: the request was refused before its signature was looked at. */
export const verdicts = ["right", "wrong", "unchecked"] as const
export type Verdict = (typeof verdicts)[number]

/** A request while it is handled. Its stages write down what they learn. */
export interface Observed {
  readonly atMs: number
  /** The name of the operation; undefined: the path names none. */
  operation: string | undefined
  endpoint: string | undefined
  /** Known once the signature is proved. */
  merchant: string | undefined
  clientOrderId: string | undefined
  orderId: string | undefined
  verdict: Verdict
}

export interface Entry extends Readonly<Observed> {
  /** Grows with each request, also over restarts of the gateway. */
  readonly sequence: number
  readonly tookMs: number
  readonly status: number
  /** The error code; undefined: the request was not refused. */
  readonly code: number | undefined
  /** The fields that are wrong. */
  readonly fields: string
}

export interface Question {
  /** Only requests after this one; undefined: the last ones. */
  readonly after?: number | undefined
  readonly limit: number
  readonly operation?: string | undefined
  readonly merchant?: string | undefined
  /** The gateway's number of the order, or the merchant's. */
  readonly order?: string | undefined
  readonly verdict?: Verdict | undefined
  readonly isRefused?: boolean | undefined
}

export interface Page {
  /** The oldest first. */
  readonly entries: ReadonlyArray<Entry>
  /** What `after` is next: also requests that were left out are behind it. */
  readonly next: number
  /** Requests after the one of the question that are no longer kept. */
  readonly missed: number
}

/** So many requests are kept. */
export const most = 2000

export class RequestLog extends Context.Service<
  RequestLog,
  {
    readonly begin: () => Observed
    /** An answer is only looked at for the number of the order that a request created. */
    readonly end: (observed: Observed, answer: Answer, refused: Refused | undefined) => void
    readonly read: (question: Question) => Page
  }
>()("@pay/gateway/RequestLog") {}

/** A sender who proved nothing may put anything into the number of an order. */
const shown = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : LogText.of(text).slice(0, 128)

/** Numbers of our own are shown, also those with the check digit of a card. */
const shownOrder = (text: string | undefined, nowMs: number): string | undefined =>
  text !== undefined && Ids.isPast(text, nowMs) ? text : shown(text)

const matches = (entry: Entry, { isRefused, merchant, operation, order, verdict }: Question): boolean =>
  (operation === undefined || entry.operation === operation) &&
  (merchant === undefined || entry.merchant === merchant) &&
  (verdict === undefined || entry.verdict === verdict) &&
  (order === undefined || entry.orderId === order || entry.clientOrderId === order) &&
  (isRefused !== true || entry.code !== undefined)

export const make = (nowMs: () => number): RequestLog["Service"] => {
  const ring: Array<Entry> = []
  /** Two processes that follow each other share no number: each begins with its time. */
  const first = Math.floor(nowMs()) * 1000 + 1
  let count = 0
  const newest = () => first + count - 1
  const oldest = () => first + Math.max(0, count - most)
  /** The entry of this number, where it belongs to the answer. */
  const entryOf = (sequence: number, question: Question): ReadonlyArray<Entry> => {
    const entry = ring[(sequence - first) % most]
    return entry !== undefined && matches(entry, question) ? [entry] : []
  }
  const last = (question: Question): Page => {
    const entries: Array<Entry> = []
    for (let at = newest(); at >= oldest() && entries.length < question.limit; at -= 1)
      entries.unshift(...entryOf(at, question))
    return { entries, next: newest(), missed: 0 }
  }
  const following = (question: Question, after: number): Page => {
    const entries: Array<Entry> = []
    let next = Math.min(Math.max(after, oldest() - 1), newest())
    while (next < newest() && entries.length < question.limit) {
      next += 1
      entries.push(...entryOf(next, question))
    }
    return { entries, next, missed: Math.max(0, oldest() - Math.max(after + 1, first)) }
  }
  return {
    begin: () => ({
      atMs: nowMs(),
      operation: undefined,
      endpoint: undefined,
      merchant: undefined,
      clientOrderId: undefined,
      orderId: undefined,
      verdict: "unchecked"
    }),
    end: (observed, answer, refused) => {
      const { atMs, clientOrderId, endpoint, merchant, operation, orderId, verdict } = observed
      ring[count % most] = {
        sequence: first + count,
        atMs,
        tookMs: Math.max(0, nowMs() - atMs),
        operation,
        endpoint,
        merchant,
        clientOrderId: shown(clientOrderId),
        orderId: shownOrder(orderId, atMs) ?? orderIdOf(answer),
        verdict,
        status: answer.status,
        code: refused?.code,
        fields: refused === undefined ? "" : LogText.of(refused.problems.map(({ field }) => field).join(", "))
      }
      count += 1
    },
    read: (question) => (question.after === undefined ? last(question) : following(question, question.after))
  }
}

export const layer = Layer.effect(
  RequestLog,
  Effect.map(AuthClock, (clock) => make(clock.nowMs))
)
