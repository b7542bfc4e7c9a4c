/** Describes a failed call: a message that says what to do, and an exit code. */
import * as ErrorCode from "@pay/schema/ErrorCode"
import type { Operation } from "@pay/schema/Operation"
import type * as PayClient from "@pay/transport/PayClient"
import type * as PayError from "@pay/transport/PayError"
import { codes, type ExitCode } from "../terminal/ExitCode.ts"
import * as Output from "../terminal/Output.ts"
import type * as Program from "../terminal/Program.ts"

export interface Failure {
  readonly code: ExitCode
  readonly report: Output.Report
}

/** The circumstances of a call, apart from its error. */
export interface Attempt {
  readonly operation: Operation
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  readonly idempotencyKey: string | undefined
}

const describe = (error: PayError.PayError | PayClient.InvalidSetting, attempt: Attempt): Failure => {
  switch (error._tag) {
    case "InvalidSetting":
      return invalidSetting(error)
    case "InvalidRequest":
      return invalid(error.problems, `call ${attempt.operation.command}`)
    case "NotSent":
      return failure(
        "not-sent",
        `${error.message}.\nNothing happened. PAY_BASE_URL is the gateway's address: pay doctor tests it. pay gateway start runs a sandbox. Then call again.`,
        { operation: error.operation, reason: error.reason, code: error.code }
      )
    case "Refused":
      return refused(error)
    case "OutcomeUnknown":
      return unknown(
        attempt,
        `${reasons[error.reason]} (${error.code})${error.received === undefined ? "" : `: received ${error.received}`}`,
        {
          reason: error.reason,
          code: error.code,
          ...given({
            orderId: error.orderId,
            errorCode: error.errorCode,
            errorMessage: error.errorMessage,
            serialNumber: error.serialNumber
          })
        }
      )
  }
}

/** The failure of a program whose settings cannot be used. */
export const invalidSetting = ({ message, problem, setting }: PayClient.InvalidSetting): Failure =>
  failure("usage", `${message}.\npay help tells the settings and their flags.`, { setting, problem })

/** The failure of a call that ended without an answer. */
export const ofEnd = (
  ended: Exclude<Program.Ended<never, PayError.PayError | PayClient.InvalidSetting>, { readonly _tag: "Done" }>,
  attempt: Attempt
): Failure => (ended._tag === "Stopped" ? interrupted(attempt) : describe(ended.error, attempt))

/** Prints the failure, and returns its exit code. */
export const print = ({ code, report }: Failure, asJson: boolean): ExitCode => {
  Output.printFailure(report, asJson)
  return code
}

/** The failure of a call during which the program was stopped. */
const interrupted = (attempt: Attempt): Failure =>
  attempt.operation.acts === "reads"
    ? failure("interrupted", "Stopped.", {})
    : unknown(attempt, "stopped before the answer came", { reason: "Interrupted" })

/** The failure of a call that was not sent, because the operation does not accept its fields. */
export const invalid = (problems: ReadonlyArray<PayError.FieldProblem>, topic: string): Failure =>
  failure(
    "usage",
    `${problems.map(({ message }) => message).join("\n")}\nNothing was sent. pay help ${topic} explains the fields.`,
    { problems }
  )

const refused = (error: PayError.Refused): Failure => {
  const { errorCode, errorMessage = "no reason given", errors, operation, retryAfterMs, serialNumber, status } = error
  const others = errors.filter(({ message }) => message !== errorMessage)
  const lines = [
    `${operation} was refused (HTTP ${status}${errorCode === undefined ? "" : `, code ${errorCode}`}): ${errorMessage}`,
    ...others.map(({ code, field, message }) => `  ${field}: ${message} (code ${code})`),
    `This request had no effect. ${advice(error)}`,
    ...(serialNumber === undefined ? [] : [`serial-number ${serialNumber}`])
  ]
  return failure("refused", lines.join("\n"), {
    operation,
    status,
    ...given({ errorCode, errorMessage: error.errorMessage, serialNumber, retryAfterMs }),
    errors
  })
}

const advice = ({ errorCode, retryAfterMs = 1000, status }: PayError.Refused): string => {
  if (status === 429) return `Call again in ${Math.ceil(retryAfterMs / 1000)} s.`
  return status === 401 || status === 403 || errorCode === ErrorCode.codes.authenticationFailed.code
    ? "Check login, endpoint and key; pay explain names the mistake behind a wrong signature."
    : "Correct what is named, then call again."
}

const reasons: Readonly<Record<PayError.OutcomeUnknown["reason"], string>> = {
  Deadline: "no answer came in time",
  ConnectionLost: "the connection was lost after the request had left",
  GatewayFault: "the gateway failed",
  UnreadableAnswer: "the answer is not one of this protocol",
  Repeated: "a proxy sent the request twice, and the first answer is lost",
  Misplaced: "the answer to another request came instead"
}

const unknown = (attempt: Attempt, why: string, about: Readonly<Record<string, unknown>>): Failure => {
  const { clientOrderId, idempotencyKey, operation } = attempt
  const orderId = typeof about.orderId === "string" ? about.orderId : attempt.orderId
  const head = `The outcome of ${operation.name} is unknown: ${why}.`
  if (operation.acts === "reads") {
    const text = `${head}\nIt only reads: ask again.`
    return failure("unknown", text, { operation: operation.name, ...about, next: "ask again" })
  }
  const next = clientOrderId === undefined ? undefined : statusCommand(clientOrderId, orderId)
  const repeat =
    idempotencyKey === undefined
      ? "The same call with the same client_orderid and content has no second effect."
      : `The same call with --idempotency-key ${idempotencyKey} has no second effect.`
  const lines = [head, "It may have happened: never assume that it did not.", ...(next ? [`Ask: ${next}`] : []), repeat]
  return failure("unknown", lines.join("\n"), {
    operation: operation.name,
    ...about,
    ...given({ clientOrderId, orderId, idempotencyKey, next })
  })
}

/** Returns the command that requests the status of the order, quoted for a shell. */
export const statusCommand = (clientOrderId: string, orderId?: string): string =>
  `pay status ${Output.quoted(clientOrderId)}${orderId === undefined ? "" : ` --orderid ${Output.quoted(orderId)}`}`

const outcomes = {
  usage: codes.usage,
  "not-sent": codes.notSent,
  refused: codes.refused,
  unknown: codes.unknown,
  interrupted: codes.unknown
}

const failure = (outcome: keyof typeof outcomes, text: string, json: Readonly<Record<string, unknown>>): Failure => ({
  code: outcomes[outcome],
  report: { text, json: { outcome, ...json } }
})

const given = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
