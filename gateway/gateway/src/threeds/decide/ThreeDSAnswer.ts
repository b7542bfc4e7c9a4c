/**
 * Checks whether data from the browser fits the authentication: its stage, its version, its transaction. Data without a signature
 * proves only that a step has ended, not its result. Results are not read here.
 */
import type * as ErrorCode from "@pay/schema/ErrorCode"
import * as ThreeDS from "@pay/schema/ThreeDS"
import { Result } from "effect"
import type { Order } from "../../orders/record/Order.ts"
import type { Browser, CompletionIndicator } from "../ThreeDSServer.ts"
import type { Authentication, Stage } from "./Authentication.ts"
import * as BrowserFacts from "./BrowserFacts.ts"
import * as ThreeDSStages from "./ThreeDSStages.ts"

export type CheckResult =
  | { readonly _tag: "Accept"; readonly changes: Partial<Authentication> }
  /** The step was ended before, by the same or by another answer, or by its deadline. */
  | { readonly _tag: "Late"; readonly message: string }
  | {
      readonly _tag: "Refuse"
      readonly error: ErrorCode.Name
      readonly field: string | undefined
      readonly message: string
    }

export type StepCheck = (authentication: Authentication, order: Order, nowMs: number) => CheckResult

type Step = "method" | "challenge" | "pareq"

const stageOrder: Readonly<Record<Stage, number>> = {
  enrol: 0,
  method: 1,
  areq: 2,
  challenge: 3,
  pareq: 3,
  result: 4,
  done: 5
}

export const refuse = (error: ErrorCode.Name, message: string, field?: string): CheckResult => ({
  _tag: "Refuse",
  error,
  field,
  message
})

const ofVersion1 = (step: Step): boolean => step === "pareq"

/** Succeeds if the step is open and its time is not over. */
export const checkOpen = (
  authentication: Authentication,
  step: Step,
  nowMs: number
): Result.Result<void, CheckResult> => {
  const { deadlineMs, protocol, stage } = authentication
  if (protocol !== null && (protocol === "1.0.2") !== ofVersion1(step)) {
    return Result.fail(refuse("orderState", `This authentication is of version ${protocol}, which has no such step`))
  }
  if (stageOrder[stage] < stageOrder[step]) return Result.fail(refuse("orderState", `The step ${step} has not begun`))
  const over = stage !== step || (deadlineMs !== null && nowMs >= deadlineMs)
  return over ? Result.fail({ _tag: "Late", message: `The step ${step} is over` }) : Result.void
}

/** Accepts the answer and moves to the next stage, which is due at once. */
export const accept = (
  { stage }: Authentication,
  event: ThreeDSStages.StageEvent,
  changes: Partial<Authentication> = {}
): CheckResult => ({
  _tag: "Accept",
  changes: { ...changes, stage: ThreeDSStages.next(stage, event) ?? stage, deadlineMs: null }
})

/**
 * Returns the completion indicator for the issuer: `U` if there is no method URL, whatever was uploaded. If there is one, an
 * uploaded `U` means that it was not used and becomes `N`.
 */
const completion = ({ methodUrl }: Authentication, indicator: CompletionIndicator): CompletionIndicator =>
  methodUrl === null ? "U" : indicator === "U" ? "N" : indicator

/** Ends the method step. `serverTransId` is undefined if the secret address of the page identifies the transaction. */
export const method =
  (indicator: CompletionIndicator, browser: Browser, serverTransId?: string): StepCheck =>
  (authentication, _order, nowMs) => {
    const open = checkOpen(authentication, "method", nowMs)
    if (Result.isFailure(open)) return open.failure
    if (serverTransId !== undefined && serverTransId !== authentication.serverTransId?.toLowerCase()) {
      const field = "threeDSServerTransID"
      return refuse("parameterInvalid", `Parameter ${field} is of another transaction`, field)
    }
    const merged = BrowserFacts.merge(BrowserFacts.fromRow(authentication.browser), browser)
    const completionIndicator = completion(authentication, indicator)
    const changes = { completionIndicator, browser: BrowserFacts.encode(merged) }
    return accept(authentication, "methodEnded", changes)
  }

/**
 * Number of refused results that end the browser's step, as its deadline does, so that a browser is not sent to the issuer
 * without end.
 */
const mostRefusedResults = 3

/** Counts a result that was refused. */
export const refusedResult =
  (step: "challenge" | "pareq"): StepCheck =>
  (authentication, _order, nowMs) => {
    const open = checkOpen(authentication, step, nowMs)
    if (Result.isFailure(open)) return open.failure
    const refusedResults = authentication.refusedResults + 1
    const isOver = refusedResults >= mostRefusedResults
    return { _tag: "Accept", changes: { refusedResults, ...(isOver ? { deadlineMs: nowMs } : {}) } }
  }

const mismatchOf = (
  cres: ThreeDS.CRes,
  { acsTransId, protocol, serverTransId }: Authentication
): string | undefined => {
  if (cres.threeDSServerTransID.toLowerCase() !== serverTransId?.toLowerCase()) return "is of another transaction"
  if (cres.acsTransID !== undefined && cres.acsTransID !== acsTransId) return "is of another transaction of the issuer"
  return cres.messageVersion !== undefined && cres.messageVersion !== protocol ? "is of another version" : undefined
}

/**
 * Whether the CRes belongs to a challenge that is not complete (EMV 3-D Secure, Challenge Completion Indicator). Only the last
 * CRes has a result.
 */
const isIncomplete = ({ challengeCompletionInd, transStatus }: ThreeDS.CRes): boolean =>
  challengeCompletionInd?.toUpperCase() === "N" && transStatus === undefined

const flawOf = (cres: ThreeDS.CRes, authentication: Authentication): string | undefined =>
  mismatchOf(cres, authentication) ?? (isIncomplete(cres) ? "says that the challenge has not ended" : undefined)

/** Ends the challenge. A CRes is not signed, so its `transStatus` is ignored. */
export const challenge =
  (encoded: string): StepCheck =>
  (authentication, _order, nowMs) => {
    const open = checkOpen(authentication, "challenge", nowMs)
    if (Result.isFailure(open)) return open.failure
    const cres = ThreeDS.cres.decode(encoded)
    const flaw = Result.isFailure(cres) ? cres.failure : flawOf(cres.success, authentication)
    return flaw === undefined
      ? accept(authentication, "challengeEnded")
      : refuse("parameterInvalid", `Parameter cRes ${flaw}`, "cRes")
  }
