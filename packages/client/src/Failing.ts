/** Converts the errors of flows and calls to errors of this package. */

import * as FieldNames from "@pay/flows/FieldNames"
import type { ExecuteError, FlowError, PayloadDiffers, StorageFailed } from "@pay/flows/FlowError"
import type { FieldProblem, Operation } from "@pay/schema/Operation"
import type { PayError as CallError } from "@pay/transport/PayError"
import type { Failure } from "./contract/Client.ts"
import * as Errors from "./Errors.ts"
import * as FieldPaths from "./FieldPaths.ts"
import type { Observed } from "./Observations.ts"

export const failure = (error: Errors.PayError): Failure => ({ ok: false, error })

const messageOf = (problems: ReadonlyArray<FieldProblem>): string => problems.map(({ message }) => message).join("; ")

/** Makes the failure of a call whose input is wrong. Nothing was sent. */
export const invalidInput = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  problems: ReadonlyArray<FieldProblem>
): Failure => invalid(problems.map(FieldPaths.inProblem(operation, input)))

/** Makes the failure of a call with problems that were noticed before anything was sent. */
export const invalid = (problems: ReadonlyArray<FieldProblem>): Failure =>
  failure(Errors.make("InvalidInput", { message: messageOf(problems), problems, retryable: false }))

type WithUndefined<T> = { readonly [Name in keyof T]?: T[Name] | undefined }

/** Removes values that are `undefined`. */
const withoutUndefined = (
  input: WithUndefined<Errors.Facts> & Pick<Errors.Facts, "message" | "retryable">
): Errors.Facts => {
  const { message, retryable, ...others } = input
  const present = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined))
  return { ...present, message, retryable }
}

const lastSerialNumber = (evidence: FlowError["evidence"]): string | undefined =>
  evidence.findLast(({ serialNumber }) => serialNumber !== undefined)?.serialNumber

/** Replaces names of fields in a message by the names that callers use, such as `redirect_url` by `redirectUrl`. */
const renamed = (operation: Operation, message: string): string => {
  const names = new Set(Object.keys(operation.fields).flatMap((wire) => [wire, FieldNames.of(wire)]))
  return message.replaceAll(/[\w-]+/g, (word) =>
    names.has(word) && (/[A-Z_]/.test(word) || word === "cvv2")
      ? FieldPaths.pathOf(operation, FieldNames.of(word))
      : word
  )
}

/** Returns the code of a flow's error. A request that this side refused before it was sent has wrong input. */
const codeOf = (error: FlowError): Errors.Code => {
  if (error._tag !== "NotAccepted") return error._tag
  return error.status === undefined && error.code === undefined && error.problems.length > 0
    ? "InvalidInput"
    : "Refused"
}

/** Makes the failure of a flow. */
export const ofFlow = (operation: Operation, error: FlowError | ExecuteError): Failure => {
  switch (error._tag) {
    case "PayloadInvalid":
      return invalidInput(operation, {}, error.problems)
    case "PayloadDiffers":
    case "StorageFailed":
      return failure(ofEngine(error))
    default:
      return ofOutcome(operation, error)
  }
}

/** Makes the error of an engine that did not run a flow, or whose storage failed. */
export const ofEngine = (error: PayloadDiffers | StorageFailed): Errors.PayError =>
  Errors.make(error._tag, { message: error.message, cause: error, retryable: error.retryable })

const ofOutcome = (operation: Operation, error: FlowError): Failure =>
  failure(
    Errors.make(
      codeOf(error),
      withoutUndefined({
        message: renamed(operation, error.message),
        cause: error,
        retryable: error.retryable,
        clientOrderId: error.clientOrderId,
        evidence: error.evidence,
        order: "order" in error ? error.order : undefined,
        orderId: error.evidence.findLast(({ orderId }) => orderId !== undefined)?.orderId,
        errorCode: "code" in error && typeof error.code === "number" ? error.code : undefined,
        hard: error._tag === "Declined" ? error.hard : undefined,
        serialNumber:
          (error._tag === "NotAccepted" ? error.serialNumber : undefined) ?? lastSerialNumber(error.evidence),
        retryAfterMs: error._tag === "NotAccepted" ? error.retryAfterMs : undefined,
        problems: error._tag === "NotAccepted" ? error.problems.map(FieldPaths.inProblem(operation, {})) : undefined
      })
    )
  )

/**
 * Returns what to do after a call that was not answered, as the end of its message. It is empty for a refusal, whose message has
 * the reason.
 */
const advice = (error: CallError): string => {
  if (error._tag === "NotSent") return ". Nothing was sent: call again"
  if (error._tag !== "OutcomeUnknown") return ""
  return error.retryable ? ". Call again" : ". Ask for the status before you call again"
}

/** Makes the failure of a bare operation that was not answered, or was refused, with what the client has learned about its order. */
export const ofCall = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  error: CallError,
  observed: Observed["of"]
): Failure => {
  if (error._tag === "InvalidRequest") {
    return invalidInput(
      operation,
      input,
      error.problems.map((problem) => FieldNames.inProblem(operation, problem))
    )
  }
  const problems = error._tag === "Refused" ? error.errors : []
  const { evidence, order } = observed(error.clientOrderId ?? "")
  return failure(
    Errors.make(
      error._tag,
      withoutUndefined({
        message: renamed(operation, error.message) + advice(error),
        cause: error,
        retryable: error.retryable,
        clientOrderId: error.clientOrderId,
        evidence,
        order,
        orderId: "orderId" in error ? error.orderId : undefined,
        serialNumber: "serialNumber" in error ? error.serialNumber : undefined,
        errorCode: "errorCode" in error ? error.errorCode : undefined,
        retryAfterMs: "retryAfterMs" in error ? error.retryAfterMs : undefined,
        problems: problems.map((problem) =>
          FieldPaths.inProblem(operation, input)(FieldNames.inProblem(operation, problem))
        )
      })
    )
  )
}
