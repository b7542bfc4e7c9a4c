/** One call in progress, and the errors that describe its failure. */

import { mediaType } from "@pay/schema/Dialect"
import { codes } from "@pay/schema/ErrorCode"
import type { GatewayProfile } from "@pay/schema/GatewayProfile"
import type { FieldProblem, Operation } from "@pay/schema/Operation"
import { Result } from "effect"
import * as Destination from "./Destination.ts"
import * as PayError from "./PayError.ts"
import type { Differences } from "./Profile.ts"
import * as RequestForm from "./RequestForm.ts"
import type { KeyMissing, KeyUnusable, Signed } from "./Signer.ts"
import { DEADLINE, type WireError } from "./Wire.ts"

/** One prepared call: its request, and the profile that applies to it. */
export interface Call {
  readonly operation: Operation
  readonly url: string
  readonly endpointId: string
  readonly form: RequestForm.RequestForm
  readonly idempotencyKey: string | undefined
  /** The profile that was assumed for the gateway when the call began. */
  readonly profile: GatewayProfile
  readonly differences: Differences
}

interface Context {
  readonly baseUrl: string
  readonly login: string
  readonly endpointId: string | undefined
  /** The key that the caller has passed. */
  readonly idempotencyKey: string | undefined
  readonly randomId: () => string
  readonly profile: GatewayProfile
  readonly differences: Differences
}

/** Prepares a call. Fails with everything that is wrong before anything is sent. */
export const prepare = (
  operation: Operation,
  input: object,
  context: Context
): Result.Result<Call, PayError.InvalidRequest> => {
  const { baseUrl, differences, login, profile, randomId } = context
  const problems: Array<FieldProblem> = []
  if (differences.lacks.some((name) => name === operation.name)) {
    const message = `the client's profile lists ${operation.name} as an operation that the gateway lacks`
    problems.push({ field: "profile", code: codes.notFound.code, message })
  }
  const destination = Destination.parse(context.endpointId ?? "")
  if (destination === undefined) problems.push(problem("endpointId", context.endpointId ? Destination.rule : unnamed))
  const isKeyed = operation.acts === "onOrder" || operation.acts === "onSubscription"
  const idempotencyKey = context.idempotencyKey ?? (isKeyed ? randomId() : undefined)
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    problems.push({ field: "Idempotency-Key", ...pick(codes.idempotencyKeyInvalid) })
  }
  const form = RequestForm.encode(operation, input, login, differences.answers)
  if (Result.isFailure(form)) problems.push(...form.failure)
  if (Result.isFailure(form) || destination === undefined || problems.length > 0) {
    return Result.fail(new PayError.InvalidRequest({ operation: operation.name, problems }))
  }
  const url = Destination.url(baseUrl, operation, destination, profile)
  const { id: endpointId } = destination
  return Result.succeed({
    ...{ operation, url, endpointId, form: form.success, idempotencyKey, profile, differences }
  })
}

const unnamed = "is missing: name an endpoint in the call, or one for all calls in the client's settings"

const problem = (field: string, says: string): FieldProblem => ({
  field,
  code: codes.parameterInvalid.code,
  message: `${field} ${says}`
})

const pick = ({ code, message }: { readonly code: number; readonly message: string }) => ({ code, message })

/** The error of a call whose key is missing in the credentials, or cannot be used any more. */
export const keyWrong = (call: Call, error: KeyMissing | KeyUnusable): PayError.InvalidRequest => {
  const needed = `is needed: ${call.operation.name} is signed with the merchant's RSA key`
  return new PayError.InvalidRequest({
    ...about(call),
    problems: [error._tag === "KeyMissing" ? problem("privateKey", needed) : problem(error.key, error.message)]
  })
}

/** Returns the headers of a request: those that the specification requires, the signature, and the idempotency key. */
export const headers = ({ differences, idempotencyKey }: Call, { authorization }: Signed): Record<string, string> => {
  const headers: Record<string, string> = {
    accept: differences.answers === "json" ? mediaType : "*/*",
    "content-type": "application/x-www-form-urlencoded",
    "user-agent": "pay-transport"
  }
  if (authorization !== undefined) headers.authorization = authorization
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey
  return headers
}

/** The fields of the answer to a request that was not accepted. */
export type AnsweredFields = Pick<
  PayError.OutcomeUnknown,
  "errorCode" | "errorMessage" | "serialNumber" | "orderId" | "received"
>

/** Returns the operation and the merchant's order id, which identify a call in its errors. */
export const about = ({ form, operation }: Pick<Call, "form" | "operation">) => {
  const clientOrderId = RequestForm.clientOrderId(form)
  return { operation: operation.name, ...(clientOrderId === undefined ? {} : { clientOrderId }) }
}

/** The error of a call to which the wire has no answer. */
export const unanswered = (call: Call, { code, reason }: WireError): PayError.NotSent | PayError.OutcomeUnknown => {
  const isLate = code === DEADLINE
  return reason === "NotSent"
    ? notSent(call, isLate ? "Deadline" : "Unreachable", code)
    : outcomeUnknown(call, isLate ? "Deadline" : "ConnectionLost", code)
}

/** The error of a call that would have to wait too long because of the client's `callsPerSecond`. */
export const limited = (call: Call, retryAfterMs: number): PayError.NotSent =>
  new PayError.NotSent({ ...about(call), reason: "Limited", code: "CALLS_PER_SECOND", retryAfterMs })

export const notSent = (call: Call, reason: PayError.NotSent["reason"], code: string): PayError.NotSent =>
  new PayError.NotSent({ ...about(call), reason, code })

export const outcomeUnknown = (
  call: Call,
  reason: PayError.OutcomeUnknown["reason"],
  code: string,
  fields: Partial<AnsweredFields> = {}
): PayError.OutcomeUnknown => {
  const orderId = fields.orderId ?? call.form.texts.orderid
  return new PayError.OutcomeUnknown({
    ...about(call),
    ...fields,
    ...(orderId === undefined ? {} : { orderId }),
    ...(call.idempotencyKey === undefined
      ? {}
      : { idempotencyKey: call.idempotencyKey, isKeyHonoured: call.profile.honoursIdempotencyKey }),
    reason,
    code,
    retryable: call.operation.acts === "reads"
  })
}
