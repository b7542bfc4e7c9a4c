/**
 * Decides what each event changes of an authentication: pure, one decision per event, guarded by the lease and by the
 * versions that were loaded. A successful authentication leads to the bank, everything else declines the order. Only the
 * issuer itself gives a verdict.
 */
import { declines } from "@pay/schema/Decline"
import * as Change from "../../kernel/Change.ts"
import * as Decision from "../../kernel/Decision.ts"
import { Job } from "../../kernel/Job.ts"
import * as Jobs from "../../kernel/Jobs.ts"
import * as ApprovedAnswer from "../../orders/decide/ApprovedAnswer.ts"
import type { Continuation } from "../../orders/decide/OutcomeContext.ts"
import * as RequestEnd from "../../orders/decide/RequestEnd.ts"
import * as Lifecycle from "../../orders/record/Lifecycle.ts"
import { Order } from "../../orders/record/Order.ts"
import type { OrderRequest } from "../../orders/record/OrderRequest.ts"
import type { CompletionIndicator, Enrolment } from "../ThreeDSServer.ts"
import { Authentication } from "./Authentication.ts"
import * as BrowserFacts from "./BrowserFacts.ts"
import * as ThreeDSStages from "./ThreeDSStages.ts"

export interface AuthenticationContext {
  readonly order: Order
  /** The request that created the order. */
  readonly request: OrderRequest
  readonly job: Job
  readonly authentication: Authentication
  /** The hosted session of the order, or the recurring payment that it starts. */
  readonly continuation?: Continuation | undefined
}

/** The time, this process's claim on new jobs, and the limits that the settings give each stage. */
export interface StageLimits {
  readonly nowMs: number
  readonly claim: Jobs.Claim | undefined
  readonly methodMs: number
  readonly browserMs: number
  readonly challengeMs: number
  /** Setting of the endpoint: whether a payment is declined if the issuer cannot authenticate it. */
  readonly unavailable: "decline" | "proceed"
}

/** A verdict whose authentication value is encrypted. */
export interface EncryptedVerdict {
  readonly transStatus: string
  readonly eci: string | null
  readonly encryptedAuthenticationValue: string | null
}

/** An enrolment after which the authentication request is still to be sent, or never. */
type EnrolledCard = Exclude<Enrolment, { readonly _tag: "Finished" | "Challenge" }>

/** The version and the server's identifier, as the row has them. */
type Transaction = Partial<Pick<Authentication, "protocol" | "serverTransId">>

export type Event =
  | { readonly _tag: "Enrolled"; readonly enrolment: EnrolledCard }
  /** `transaction`: of an enrolment that was at once the authentication request. */
  | { readonly _tag: "Finished"; readonly verdict: EncryptedVerdict; readonly transaction?: Transaction }
  | {
      readonly _tag: "Challenged"
      readonly acsUrl: string
      readonly creq: string
      readonly acsTransId: string
      readonly session?: string | undefined
      readonly transaction?: Transaction
    }
  | { readonly _tag: "Reported"; readonly verdict: EncryptedVerdict }
  | Silent
  /** The browser did not come back in time. */
  | { readonly _tag: "Deadline" }

/** The 3-D Secure server did not answer, or has no report yet. */
export interface Silent {
  readonly _tag: "Silent"
  /** What the server's adapter gave instead of an answer that the gateway can read. */
  readonly unreadable?: { readonly reason: string; readonly answer: string }
}

export interface Next {
  readonly decision: Decision.Decision
}

/**
 * Time until each further request for a report that has not arrived after the challenge. After the last one it counts as
 * missing.
 */
const reportDelaysMs = [1_000, 2_000, 4_000, 8_000, 15_000] as const

const unavailable: EncryptedVerdict = { transStatus: "U", eci: null, encryptedAuthenticationValue: null }

const guards = ({ authentication, continuation, job, order }: AuthenticationContext): ReadonlyArray<Decision.Guard> => [
  ...RequestEnd.guards({ continuation, job, order }),
  Decision.versionIs(Authentication, [authentication.orderId], authentication.version)
]

/** Returns the job of an authentication. If it is due now, this process claims it. */
export const newJob = (
  { merchantId, orderId }: Pick<Order, "merchantId" | "orderId">,
  dueAtMs: number,
  nowMs: number,
  claim: Jobs.Claim | undefined
) =>
  Jobs.make({
    kind: "threeds",
    subject: orderId,
    merchantId,
    nowMs,
    dueAtMs,
    claim: dueAtMs <= nowMs ? claim : undefined
  })

/** Moves to a stage that is not the last one. The job is due when the stage has something to do or its time is over. */
const moveOn = (
  context: AuthenticationContext,
  limits: StageLimits,
  stageEvent: ThreeDSStages.StageEvent,
  changes: Partial<Authentication>,
  waitMs = 0
): Next => {
  const { authentication } = context
  const job = newJob(context.order, limits.nowMs + waitMs, limits.nowMs, limits.claim)
  const row: Authentication = Change.next(authentication, {
    ...changes,
    stage: ThreeDSStages.next(authentication.stage, stageEvent) ?? authentication.stage,
    deadlineMs: waitMs === 0 ? null : limits.nowMs + waitMs
  })
  return {
    decision: { guards: guards(context), writes: [Decision.put(Authentication, row), Decision.put(Job, job)] }
  }
}

/**
 * Ends the authentication: the order goes to the bank or is declined. Without a verdict the cardholder is not authenticated.
 */
const conclude = (
  context: AuthenticationContext,
  limits: StageLimits,
  stageEvent: ThreeDSStages.StageEvent,
  verdict: EncryptedVerdict | undefined,
  transaction: Transaction = {}
): Next => {
  const { authentication, continuation, job, order, request } = context
  const row: Authentication = Change.next(authentication, {
    ...transaction,
    session: null,
    ...(verdict ?? { transStatus: null, eci: null, encryptedAuthenticationValue: null }),
    stage: ThreeDSStages.next(authentication.stage, stageEvent) ?? authentication.stage,
    deadlineMs: null
  })
  const meaning = verdict === undefined ? "refused" : ThreeDSStages.meaningOf(verdict.transStatus)
  const refused = meaning === "refused" || (meaning === "unavailable" && limits.unavailable === "decline")
  if (refused) {
    const failure = ApprovedAnswer.failureOf("declined", declines.notAuthenticated)
    const declined = ApprovedAnswer.ended({ order, request, job, continuation }, limits, failure)
    return {
      decision: { guards: guards(context), writes: [...declined.decision.writes, Decision.put(Authentication, row)] }
    }
  }
  const work = Jobs.make({
    kind: "bank",
    subject: request.requestId,
    merchantId: order.merchantId,
    nowMs: limits.nowMs,
    claim: limits.claim
  })
  const sent: Order = Change.next(order, { state: Lifecycle.after(order.state, "send") })
  return {
    decision: {
      guards: guards(context),
      writes: [
        Decision.put(Order, sent),
        Decision.put(Authentication, row),
        Decision.remove(Job, [job.jobId]),
        Decision.append(Job, work)
      ]
    }
  }
}

const enrolled = (context: AuthenticationContext, limits: StageLimits, enrolment: EnrolledCard): Next => {
  switch (enrolment._tag) {
    case "NotEnrolled":
      return conclude(context, limits, "notEnrolled", unavailable)
    case "Version1": {
      const { acsUrl, md, pareq, xid } = enrolment
      return moveOn(context, limits, "pareqIssued", { protocol: "1.0.2", acsUrl, md, pareq, xid }, limits.challengeMs)
    }
    case "Version2": {
      const { serverTransId, session = null, version: protocol } = enrolment
      const serverFields = { protocol, serverTransId, session }
      const { browser, mode } = context.authentication
      if (enrolment.methodUrl !== undefined) {
        return moveOn(
          context,
          limits,
          "methodOffered",
          { ...serverFields, methodUrl: enrolment.methodUrl },
          limits.methodMs
        )
      }
      // Clients of the older dialect upload nothing, and display `html` only.
      const uploads = mode === "merchant" && context.order.dialect !== "pairs"
      const waits = uploads && !BrowserFacts.isComplete(BrowserFacts.fromRow(browser))
      return waits
        ? moveOn(context, limits, "browserMissing", serverFields, limits.browserMs)
        : moveOn(context, limits, "noMethod", { ...serverFields, completionIndicator: "U" })
    }
  }
}

/**
 * Handles a missing answer. During enrolment and the authentication request it counts as U; a missing report is requested
 * again, for half a minute.
 */
const silent = (context: AuthenticationContext, limits: StageLimits): Next => {
  const { authentication, job } = context
  if (authentication.stage !== "result") return conclude(context, limits, "failed", unavailable)
  const waitMs = reportDelaysMs[job.tries]
  if (waitMs === undefined) return conclude(context, limits, "givenUp", undefined)
  const later: Job = {
    ...job,
    tries: job.tries + 1,
    dueAtMs: limits.nowMs + waitMs,
    openAttempts: 0,
    startedAtMs: null,
    token: null,
    leaseUntilMs: 0
  }
  return { decision: { guards: guards(context), writes: [Decision.put(Job, later)] } }
}

const overdue = (context: AuthenticationContext, limits: StageLimits): Next => {
  const { methodUrl, stage } = context.authentication
  switch (stage) {
    case "method": {
      const completionIndicator: CompletionIndicator = methodUrl === null ? "U" : "N"
      return moveOn(context, limits, "deadline", { completionIndicator })
    }
    case "pareq":
      return conclude(context, limits, "deadline", undefined)
    default:
      return moveOn(context, limits, "deadline", {})
  }
}

/**
 * Returns the decision after the browser came back: the changed row, and a job that is due at once or, if the step is still
 * open, at the step's deadline. No lease is required. `extra`: further writes.
 */
export const browserReturned = (
  { authentication, order }: Pick<AuthenticationContext, "authentication" | "order">,
  extra: ReadonlyArray<Decision.Write>,
  { claim, nowMs }: Pick<StageLimits, "claim" | "nowMs">
): Next => {
  const { orderId } = order
  const job = newJob(order, authentication.deadlineMs ?? nowMs, nowMs, claim)
  const row: Authentication = Change.next(authentication)
  return {
    decision: {
      guards: [
        Decision.versionIs(Authentication, [orderId], authentication.version),
        Decision.versionIs(Order, [orderId], order.version)
      ],
      writes: [Decision.put(Authentication, row), Decision.put(Job, job), ...extra]
    }
  }
}

/** Returns the decision about an event. The caller sends only the requests of the current stage. */
export const decide = (context: AuthenticationContext, event: Event, limits: StageLimits): Next => {
  switch (event._tag) {
    case "Enrolled":
      return enrolled(context, limits, event.enrolment)
    case "Finished":
      return conclude(context, limits, "finished", event.verdict, event.transaction)
    case "Challenged": {
      const { acsTransId, acsUrl, creq, session = null, transaction } = event
      const changes = { ...transaction, acsTransId, acsUrl, creq, session }
      return moveOn(context, limits, "challengeAsked", changes, limits.challengeMs)
    }
    case "Reported":
      return conclude(context, limits, "reported", event.verdict)
    case "Silent":
      return silent(context, limits)
    case "Deadline":
      return overdue(context, limits)
  }
}
