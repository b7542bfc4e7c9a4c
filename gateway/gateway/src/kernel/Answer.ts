/**
 * The answer to a request before it is written in a dialect: flat fields, for a success and for a refusal
 * (docs/assumptions.md#refusals).
 */

import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { clientOrderNames, type FieldProblem } from "@pay/schema/Operation"
import { Data, Result } from "effect"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly fields: object
}

/** Headers of every answer. They name what this gateway does beyond the specification. */
export const announcement: Readonly<Record<string, string>> = {
  [GatewayProfile.header]: GatewayProfile.format(GatewayProfile.ours)
}

export const ok = (fields: object): Answer => ({ status: 200, headers: announcement, fields })

/** A refusal as an error: the problem, and the identifiers of the order that the caller may see. */
export class RequestRefused extends Data.TaggedError("RequestRefused")<{
  /** HTTP status and `error-code`, from the contract's table. */
  readonly status: number
  readonly code: number
  readonly message: string
  readonly problems: ReadonlyArray<FieldProblem>
  readonly orderId: string | undefined
  readonly clientOrderId: string | undefined
  readonly headers: Readonly<Record<string, string>>
}> {}

interface Details {
  readonly message?: string | undefined
  readonly field?: string | undefined
  readonly orderId?: string | undefined
  readonly clientOrderId?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** Makes a refusal for one reason. `field`, if given, is also listed in `errors`. */
export const refuse = (error: ErrorCode.Name, details: Details = {}): RequestRefused => {
  const { code, message: standard, status } = ErrorCode.codes[error]
  const message = details.message ?? standard
  return new RequestRefused({
    status,
    code,
    message,
    problems: details.field === undefined ? [] : [{ field: details.field, code, message }],
    orderId: details.orderId,
    clientOrderId: details.clientOrderId,
    headers: details.headers === undefined ? announcement : { ...announcement, ...details.headers }
  })
}

/** Whether the merchant's order id is refused because it contains a card number, so that no answer may repeat it. */
const isCardNumber = ({ code, field }: FieldProblem): boolean =>
  code === ErrorCode.codes.cardRepeated.code && clientOrderNames.some((name) => name === field)

/** Makes a refusal for problems of fields: `errors` lists all of them, `error-message` is the message of the first. */
export const refuseFields = (
  problems: ReadonlyArray<FieldProblem>,
  clientOrderId: string | undefined
): RequestRefused => {
  const first = problems[0]
  return new RequestRefused({
    status: 400,
    code: first?.code ?? ErrorCode.codes.parameterInvalid.code,
    message: first?.message ?? ErrorCode.codes.parameterInvalid.message,
    problems,
    orderId: undefined,
    clientOrderId: problems.some(isCardNumber) ? undefined : clientOrderId,
    headers: announcement
  })
}

/** Makes the refusal for an exceeded limit. `what` names the limited things, such as `requests from this address`. */
export const tooMany = (what: string, retryAfterMs: number, clientOrderId?: string): RequestRefused => {
  const seconds = Math.ceil(retryAfterMs / 1000)
  return refuse("rateLimited", {
    message: `Too many ${what}; try again in ${seconds} s`,
    clientOrderId,
    headers: { "retry-after": String(seconds) }
  })
}

/** Makes the refusal for a request that lost the race for its order in every try. */
export const busy = (): RequestRefused =>
  refuse("unavailable", { message: "Other requests about the same came first each time; send this one again" })

export const fromRefused = (refused: RequestRefused, serialNumber: string): Answer => {
  const { code, status } = refused
  return {
    status,
    headers: refused.headers,
    fields: {
      type: status >= 500 ? "error" : "validation-error",
      "serial-number": serialNumber,
      "error-code": String(code),
      "error-message": refused.message,
      ...(refused.clientOrderId === undefined ? {} : { "merchant-order-id": refused.clientOrderId }),
      ...(refused.orderId === undefined ? {} : { "paynet-order-id": refused.orderId }),
      ...(refused.problems.length === 0
        ? {}
        : { errors: refused.problems.map(({ code, field, message }) => ({ field, code: String(code), message })) })
    }
  }
}

/** Why the gateway refuses a request: one entry of the contract's error table, and a message for the merchant. */
export interface Refusal {
  readonly error: ErrorCode.Name
  /** The request field to change. `undefined`: no single field is the cause. */
  readonly field: string | undefined
  readonly message: string
}

/** Fails a decision with a {@link Refusal}. */
export const refusal = (error: ErrorCode.Name, message: string, field?: string): Result.Result<never, Refusal> =>
  Result.fail({ error, field, message })
