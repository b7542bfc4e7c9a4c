/** Describes the end of a flow: a message and an exit code. */
import type { ExecuteError, FlowError } from "@pay/flows/FlowError"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as ErrorCode from "@pay/schema/ErrorCode"
import type { FieldProblem } from "@pay/schema/Operation"
import * as AnswerText from "../request/AnswerText.ts"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import type { StepOutcome } from "../terminal/LiveLines.ts"
import * as Output from "../terminal/Output.ts"

export interface FlowOutcome {
  readonly code: ExitCode
  readonly report: Output.Report
  /** Whether the flow's record can be deleted, because nothing is left to resume. */
  readonly isOver: boolean
}

export const approved = (flow: string, order: OrderStatus, evidence: ReadonlyArray<StepOutcome>): FlowOutcome => ({
  code: codes.ok,
  report: { text: AnswerText.table(AnswerText.texts(order)), json: { outcome: "approved", flow, order, evidence } },
  isOver: true
})

const exitOf = (error: FlowError | ExecuteError): ExitCode => {
  switch (error._tag) {
    case "Unreachable":
      return codes.notSent
    case "StillUnknown":
    case "NeedsAPerson":
      return codes.unknown
    default:
      return codes.refused
  }
}

export const failed = (
  flow: string,
  clientOrderId: string,
  error: FlowError | ExecuteError,
  evidence: ReadonlyArray<StepOutcome>
): FlowOutcome => {
  const { _tag: outcome, message, retryable } = error
  const isOver = !(retryable || outcome === "NeedsAPerson")
  const next = `pay flow resume ${Output.quoted(clientOrderId)}${outcome === "NeverHappened" ? " --form FILE" : ""}`
  const order = "order" in error ? error.order : undefined
  const lines = [`${outcome}: ${message}`, ...(isOver ? [] : [`Continue: ${next}`])]
  return {
    code: exitOf(error),
    isOver,
    report: {
      text: lines.join("\n"),
      json: {
        outcome,
        flow,
        clientOrderId,
        message,
        retryable,
        ...("code" in error && error.code !== undefined ? { code: error.code } : {}),
        ...("hard" in error ? { hard: error.hard } : {}),
        ...(order === undefined ? {} : { order }),
        ...(isOver ? {} : { next }),
        evidence
      }
    }
  }
}

/** The outcome of a flow whose program was stopped. The payment may continue without it. */
export const stopped = (flow: string, clientOrderId: string, evidence: ReadonlyArray<StepOutcome>): FlowOutcome => {
  if (clientOrderId === "") {
    const report = { text: "Stopped; nothing was sent.", json: { outcome: "interrupted", flow, evidence } }
    return { code: codes.notSent, report, isOver: true }
  }
  const next = `pay flow resume ${Output.quoted(clientOrderId)}`
  const text = `Stopped; the payment may continue without this program.\nContinue: ${next}`
  return {
    code: codes.unknown,
    report: { text, json: { outcome: "interrupted", flow, clientOrderId, next, evidence } },
    isOver: false
  }
}

/** The outcome of a flow that was not sent, because fields are missing or wrong and no user can be asked for them. */
export const incomplete = (flow: string, problems: ReadonlyArray<FieldProblem>): FlowOutcome => {
  const isMissing = ({ code }: FieldProblem) => code === ErrorCode.codes.parameterRequired.code
  const missing = problems.filter(isMissing).map(({ field }) => field)
  const lines = [
    ...(missing.length === 0 ? [] : [`Missing: ${missing.join(", ")}`]),
    ...problems.filter((problem) => !isMissing(problem)).map(({ message }) => message),
    `Nothing was sent. On a terminal pay flow ${flow} asks for what is missing; pay help flow ${flow} explains the fields.`
  ]
  return { code: codes.usage, isOver: true, report: { text: lines.join("\n"), json: { outcome: "usage", problems } } }
}
