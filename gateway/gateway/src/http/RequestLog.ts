/**
 * The latest requests, for an operator who watches them. A limited number of them is in memory, until the process ends. An entry
 * contains no field of a request except the numbers of its order.
 */
import * as KeptText from "@pay/schema/KeptText"
import { Context, Effect, Layer } from "effect"
import type { Answer, RequestRefused } from "../kernel/Answer.ts"
import { AuthClock } from "../kernel/AuthClock.ts"
import * as Ids from "../kernel/Ids.ts"
import * as LogText from "../kernel/LogText.ts"
import { orderIdOf } from "./WrittenAnswer.ts"

/** `unchecked`: the request was refused before its signature was verified. */
const verdicts = ["right", "wrong", "unchecked"] as const
export type SignatureVerdict = (typeof verdicts)[number]

/** A request while it is handled. The stages fill in the fields. */
export interface Observed {
  readonly atMs: number
  /** Name of the operation. `undefined`: the path belongs to no operation. */
  operation: string | undefined
  endpoint: string | undefined
  /** Login of the merchant, once the signature is verified. */
  merchant: string | undefined
  clientOrderId: string | undefined
  orderId: string | undefined
  verdict: SignatureVerdict
  /** The remote address. */
  readonly address: string
  /** Name of the control key, or fingerprint of the RSA key, that verified the signature. */
  key: string | undefined
}

export interface Entry extends Readonly<Observed> {
  /** Sequence number, which grows with each request, also over restarts of the gateway. */
  readonly sequence: number
  readonly tookMs: number
  readonly status: number
  /** The error code. `undefined`: the request was not refused. */
  readonly code: number | undefined
  /** Names of the wrong fields. */
  readonly fields: string
}

export interface Question {
  /** Only requests after this sequence number. `undefined`: the latest requests. */
  readonly after?: number | undefined
  readonly limit: number
  readonly operation?: string | undefined
  readonly merchant?: string | undefined
  /** The gateway's or the merchant's number of the order. */
  readonly order?: string | undefined
  readonly verdict?: SignatureVerdict | undefined
  readonly address?: string | undefined
  readonly key?: string | undefined
  readonly isRefused?: boolean | undefined
}

export interface LogPage {
  /** Entries, oldest first. */
  readonly entries: ReadonlyArray<Entry>
  /** Value of `after` for the next page. It also skips requests that did not match. */
  readonly next: number
  /** Number of requests after `after` that are no longer stored. */
  readonly missed: number
}

/** Largest number of requests that are stored. */
export const most = 2000

export class RequestLog extends Context.Service<
  RequestLog,
  {
    readonly begin: (address: string) => Observed
    /**
     * Ends a request, and returns the milliseconds since its head. The answer is only used for the number of the order that the
     * request created.
     */
    readonly end: (observed: Observed, answer: Answer, refused: RequestRefused | undefined) => number
    readonly read: (question: Question) => LogPage
  }
>()("@pay/gateway/RequestLog") {}

/** Copies a text that was cut out of a request. */
const kept = (text: string | undefined): string | undefined => (text === undefined ? undefined : KeptText.of(text))

/** Shortens the number of an order and masks card numbers in it, because an unauthenticated client can send any text. */
const masked = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : LogText.of(text, 128)

/** Returns the gateway's own numbers unchanged, even if they have the check digit of a card. */
const maskedOrder = (text: string | undefined, nowMs: number): string | undefined =>
  text !== undefined && Ids.isPast(text, nowMs) ? text : masked(text)

/** What a line of the log says of a request, as far as it is known. */
export const aboutOf = ({ address, atMs, clientOrderId, key, merchant, operation, orderId }: Observed) => ({
  address,
  ...(operation !== undefined && { operation }),
  ...(merchant !== undefined && { merchant }),
  ...(key !== undefined && { key }),
  ...(clientOrderId !== undefined && { clientOrderId: masked(clientOrderId) }),
  ...(orderId !== undefined && { orderId: maskedOrder(orderId, atMs) })
})

/** Logs an answer that is no refusal. The order may be one that the request created. */
export const answered = (observed: Observed) => (answer: Answer) =>
  Effect.logDebug("A request was answered").pipe(
    Effect.annotateLogs({
      ...aboutOf({ ...observed, orderId: orderIdOf(answer) ?? observed.orderId }),
      status: answer.status
    })
  )

const matches = (entry: Entry, { address, isRefused, key, merchant, operation, order, verdict }: Question): boolean =>
  (operation === undefined || entry.operation === operation) &&
  (merchant === undefined || entry.merchant === merchant) &&
  (verdict === undefined || entry.verdict === verdict) &&
  (address === undefined || entry.address === address) &&
  (key === undefined || entry.key === key) &&
  (order === undefined || entry.orderId === order || entry.clientOrderId === order) &&
  (isRefused !== true || entry.code !== undefined)

export const make = (nowMs: () => number): RequestLog["Service"] => {
  const ring: Array<Entry> = []
  /** First sequence number. It is derived from the time, so that a process repeats no number of the one before. */
  const first = Math.floor(nowMs()) * 1000 + 1
  let count = 0
  const newest = () => first + count - 1
  const oldest = () => first + Math.max(0, count - most)
  /** Returns the entry of this sequence number, if it matches. */
  const entryOf = (sequence: number, question: Question): ReadonlyArray<Entry> => {
    const entry = ring[(sequence - first) % most]
    return entry !== undefined && matches(entry, question) ? [entry] : []
  }
  const last = (question: Question): LogPage => {
    const entries: Array<Entry> = []
    for (let at = newest(); at >= oldest() && entries.length < question.limit; at -= 1)
      entries.unshift(...entryOf(at, question))
    return { entries, next: newest(), missed: 0 }
  }
  const following = (question: Question, after: number): LogPage => {
    const entries: Array<Entry> = []
    let next = Math.min(Math.max(after, oldest() - 1), newest())
    while (next < newest() && entries.length < question.limit) {
      next += 1
      entries.push(...entryOf(next, question))
    }
    return { entries, next, missed: Math.max(0, oldest() - Math.max(after + 1, first)) }
  }
  return {
    begin: (address) => ({
      atMs: nowMs(),
      operation: undefined,
      endpoint: undefined,
      merchant: undefined,
      clientOrderId: undefined,
      orderId: undefined,
      verdict: "unchecked",
      address,
      key: undefined
    }),
    end: (observed, answer, refused) => {
      const { address, atMs, clientOrderId, endpoint, key, merchant, operation, orderId, verdict } = observed
      const tookMs = Math.max(0, nowMs() - atMs)
      ring[count % most] = {
        sequence: first + count,
        atMs,
        tookMs,
        operation,
        endpoint: kept(endpoint),
        merchant,
        clientOrderId: kept(masked(clientOrderId)),
        orderId: kept(maskedOrder(orderId, atMs) ?? orderIdOf(answer)),
        verdict,
        address: KeptText.of(address),
        key,
        status: answer.status,
        code: refused?.code,
        fields:
          refused === undefined ? "" : KeptText.of(LogText.of(refused.problems.map(({ field }) => field).join(", ")))
      }
      count += 1
      return tookMs
    },
    read: (question) => (question.after === undefined ? last(question) : following(question, question.after))
  }
}

export const layer = Layer.effect(
  RequestLog,
  Effect.map(AuthClock, (clock) => make(clock.nowMs))
)
