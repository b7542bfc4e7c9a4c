/**
 * The session of a hosted page: one order, a few attempts, an address that cannot be guessed. The changes of a session are the
 * same for every instrument.
 */
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import * as Entity from "../../kernel/Entity.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import { Order } from "../../orders/record/Order.ts"
import type { RequestOutcome } from "../../orders/record/OrderRequest.ts"
import { OrderRequest } from "../../orders/record/OrderRequest.ts"

export type HostedKind = "sale" | "preauth" | "verification" | "transfer" | "payout"

export const HostedSession = Entity.make("hostedSessions", {
  columns: {
    /** The random part of the page's address (192 bits), which cannot be guessed. */
    token: Entity.text(),
    version: Entity.integer,
    orderId: Entity.text(),
    kind: Entity.text<HostedKind>(),
    /** The country of the payer's address, as the merchant named it. The endpoint's risk rules use it. */
    country: Entity.textOrNull(),
    /** The purpose of a payout, for the recipient's statement. */
    purpose: Entity.textOrNull(),
    /** Number of attempts so far. `maxAttempts` is the limit. */
    attempts: Entity.integer,
    maxAttempts: Entity.integer,
    /** The record (`OrderRequest`) of the last attempt; null before the first. */
    attemptId: Entity.textOrNull(),
    /** 1 while an attempt is under way. */
    paying: Entity.integer,
    expiresAtMs: Entity.integer,
    endedAtMs: Entity.integerOrNull
  },
  key: ["token"],
  unique: { order: ["orderId"] },
  changing: []
})
export type HostedSession = Entity.Row<typeof HostedSession>

/** A hosted session, and the record of its last attempt. */
export interface Form {
  readonly session: HostedSession
  readonly attempt: OrderRequest | undefined
}

/** A page, the order that it is about, and the request that created the order. */
export interface OpenPage<R extends OrderRequest = OrderRequest> {
  readonly order: Order
  readonly request: R
  readonly form: Form
}

/** Why a page ends without a payment, and the rule of the endpoint if one stopped it. */
export interface EndReason {
  readonly code: number
  readonly message: string
  readonly filteredBy?: string | undefined
}

/** Whether the customer may try again after a failed attempt. */
export const mayTryAgain = (session: HostedSession, nowMs: number): boolean =>
  session.endedAtMs === null && session.attempts < session.maxAttempts && nowMs < session.expiresAtMs

/** Returns the writes that open a page: its session, and the job that ends it at its time. */
export const openPage = (merchantId: string, session: HostedSession, nowMs: number): ReadonlyArray<Decision.Write> => [
  Decision.append(HostedSession, session),
  Decision.append(
    Job,
    Jobs.make({ kind: "session", subject: session.orderId, merchantId, nowMs, dueAtMs: session.expiresAtMs })
  )
]

/** Returns guards that fail when the order or its session has changed since it was read. */
export const guards = (order: Order, session: HostedSession): ReadonlyArray<Decision.Guard> => [
  Decision.versionIs(Order, [order.orderId], order.version),
  Decision.versionIs(HostedSession, [session.token], session.version)
]

/** Returns the writes that begin an attempt: the order's request moves, and the attempt gets a record of its own. */
export const beginAttempt = (
  session: HostedSession,
  request: OrderRequest,
  attemptId: string
): ReadonlyArray<Decision.Write> => [
  Decision.put(OrderRequest, request),
  Decision.append(OrderRequest, {
    ...request,
    requestId: attemptId,
    operation: attemptOperation,
    fingerprint: "",
    callbackUrl: null
  }),
  Decision.put(HostedSession, Change.next(session, { attempts: session.attempts + 1, attemptId, paying: 1 }))
]

/** The operation name of an attempt's record. */
const attemptOperation = "HOSTED_ATTEMPT"

/** Returns the write that ends the record of the attempt under way. */
const endAttempt = ({ attempt }: Form, outcome: RequestOutcome, nowMs: number): ReadonlyArray<Decision.Write> => {
  const { errorCode, errorMessage, progress } = outcome
  return attempt === undefined
    ? []
    : [Decision.put(OrderRequest, { ...attempt, progress, errorCode, errorMessage, finishedAtMs: nowMs })]
}

/** Returns the writes after a failed attempt that is not the last: the page is open again. */
export const reopenPage = (
  form: Form,
  request: OrderRequest,
  outcome: RequestOutcome,
  nowMs: number
): ReadonlyArray<Decision.Write> => [
  Decision.put(OrderRequest, { ...request, progress: "processing" }),
  ...endAttempt(form, outcome, nowMs),
  Decision.put(HostedSession, Change.next(form.session, { paying: 0 }))
]

/** Returns the writes that end the session, and the attempt that led to the order's outcome. */
export const closePage = (form: Form, outcome: RequestOutcome, nowMs: number): ReadonlyArray<Decision.Write> => [
  ...(form.session.paying === 1 ? endAttempt(form, outcome, nowMs) : []),
  Decision.put(HostedSession, Change.next(form.session, { paying: 0, endedAtMs: nowMs })),
  Decision.remove(Job, [Jobs.id("session", form.session.orderId)])
]
