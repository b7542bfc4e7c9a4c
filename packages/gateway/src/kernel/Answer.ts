/** What a request is answered with, before it is written in a dialect: flat fields for an answer as for a refusal (decisions: wire, errors). */

import * as ErrorCode from "@pay/schema/ErrorCode"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import type { FieldProblem } from "@pay/schema/Operation"
import { Data, Result } from "effect"

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly fields: object
}

/** On every answer: what this gateway does beyond the specification. */
export const announcement: Readonly<Record<string, string>> = {
  [GatewayProfile.header]: GatewayProfile.format(GatewayProfile.ours)
}

export const ok = (fields: object): Answer => ({ status: 200, headers: announcement, fields })

/** A refusal on its way out: what is wrong, and as much of the order as may be told. */
export class Refused extends Data.TaggedError("Refused")<{
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

/** A refusal for one reason; a `field` to blame also stands in `errors`. */
export const refuse = (error: ErrorCode.Name, details: Details = {}): Refused => {
  const { code, message: standard, status } = ErrorCode.codes[error]
  const message = details.message ?? standard
  return new Refused({
    status,
    code,
    message,
    problems: details.field === undefined ? [] : [{ field: details.field, code, message }],
    orderId: details.orderId,
    clientOrderId: details.clientOrderId,
    headers: details.headers === undefined ? announcement : { ...announcement, ...details.headers }
  })
}

/** A refusal for problems of fields: all of them in `errors`, the first one in `error-message`. */
export const refuseFields = (problems: ReadonlyArray<FieldProblem>, clientOrderId: string | undefined): Refused => {
  const first = problems[0]
  return new Refused({
    status: 400,
    code: first?.code ?? ErrorCode.codes.parameterInvalid.code,
    message: first?.message ?? ErrorCode.codes.parameterInvalid.message,
    problems,
    orderId: undefined,
    clientOrderId,
    headers: announcement
  })
}

/** Too many of one kind (`requests from this address`): says of whom or what, and when the next one is taken. */
export const tooMany = (what: string, retryAfterMs: number, clientOrderId?: string): Refused => {
  const seconds = Math.ceil(retryAfterMs / 1000)
  return refuse("rateLimited", {
    message: `Too many ${what}; try again in ${seconds} s`,
    clientOrderId,
    headers: { "retry-after": String(seconds) }
  })
}

/** Others were faster with the same order each time. */
export const busy = (): Refused =>
  refuse("unavailable", { message: "Other requests about the same came first each time; send this one again" })

export const fromRefused = (refused: Refused, serialNumber: string): Answer => {
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

/** Why the gateway will not do what was asked: one entry of the contract's error table, with what the merchant should know. */
export interface Refusal {
  readonly error: ErrorCode.Name
  /** The request field to change, where one is to blame. */
  readonly field: string | undefined
  readonly message: string
}

/** What a decision fails with where the gateway will not do what was asked. */
export const refusal = (error: ErrorCode.Name, message: string, field?: string): Result.Result<never, Refusal> =>
  Result.fail({ error, field, message })
