/** Decides what an HTTP answer means for the payment: accepted, refused, or an unknown outcome. */
import { codes } from "@pay/schema/ErrorCode"
import * as ErrorResponse from "@pay/schema/ErrorResponse"
import type { GatewayProfile } from "@pay/schema/GatewayProfile"
import type { Answer, Operation } from "@pay/schema/Operation"
import { Predicate, Result, Schema } from "effect"
import * as AnswerText from "./AnswerText.ts"
import * as Call from "./Call.ts"
import * as PayError from "./PayError.ts"
import * as Received from "./Received.ts"
import type { RecentAnswers } from "./RecentAnswers.ts"
import * as RequestForm from "./RequestForm.ts"
import type { WireAnswer } from "./Wire.ts"

/**
 * HTTP statuses that, with a body of the protocol, prove that the request had no effect. All other statuses except 200 leave the
 * outcome unknown.
 */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 429])

/** The `type` of bodies that report a refusal or a fault. */
const faults: ReadonlySet<unknown> = new Set(["validation-error", "error"])

/**
 * Returns the HTTP status that the answer would have in JSON mode. In the older dialect refusals have status 200, and only the
 * body shows that the request had no effect. A refusal with `Retry-After` counts as 429 (RFC 9110 §10.2.3), any other as 400.
 */
const statusOf = ({ headers, status }: WireAnswer, body: unknown, { differences }: Call.Call): number => {
  if (status !== 200 || differences.answers === "json" || !isFault(body)) return status
  if (typeOf(body) === "error") return 500
  return headers["retry-after"] === undefined ? 400 : 429
}

/** What {@link read} needs beside the call and its answer. */
interface Circumstances {
  /** The current time in milliseconds since 1970, which turns a date in `Retry-After` into a duration. */
  readonly nowMillis: number
  readonly answered: RecentAnswers
  /** The profile of the gateway that sent the answer. */
  readonly profile: GatewayProfile
}

/**
 * Decodes the answer to a call. Fails with `Refused` if the request had no effect, and with `OutcomeUnknown` if it may have had
 * one.
 */
export const read = <O extends Operation>(
  operation: O,
  call: Call.Call,
  answer: WireAnswer,
  { answered, nowMillis, profile }: Circumstances
): Result.Result<Answer<O>, PayError.Refused | PayError.OutcomeUnknown> => {
  const json = AnswerText.parse(answer.body, profile, call.differences)
  const status = statusOf(answer, json, call)
  if (!isOurs(call, json, answered)) return Result.fail(Call.outcomeUnknown(call, "Misplaced", String(status)))
  if (status === 200) {
    const decoded = Schema.decodeUnknownResult(operation.response)(json)
    return Result.isFailure(decoded) || isFault(json)
      ? unreadable(call, status, answer)
      : Result.succeed(decoded.success)
  }
  const refusal = isFault(json) ? json : profile.typesErrors ? undefined : typed(json)
  const fault = Schema.decodeUnknownOption(ErrorResponse.ValidationErrorResponse)(refusal)
  const body = fault._tag === "Some" ? fault.value : undefined
  if (status === 408 || status >= 500) {
    const fields = body === undefined ? { received: Received.describe(answer, call.url) } : fieldsOf(call, body)
    return Result.fail(Call.outcomeUnknown(call, "GatewayFault", String(status), fields))
  }
  if (body === undefined || !refusals.has(status)) return unreadable(call, status, answer)
  // Every signature has a nonce of its own. A used nonce therefore means that this same request arrived before, and that its
  // answer is missing.
  if (errorCode(body["error-code"]) === codes.nonceUsed.code) {
    return Result.fail(Call.outcomeUnknown(call, "Repeated", String(status), fieldsOf(call, body)))
  }
  const retryAfterMs = waitMillis(answer.headers["retry-after"], nowMillis)
  const { orderId: _, ...reasons } = fieldsOf(call, body)
  return Result.fail(
    new PayError.Refused({
      ...Call.about(call),
      ...reasons,
      status,
      errors: (body.errors ?? []).map(({ code, field, message }) => ({
        field: conceal(call, field),
        code: errorCode(code) ?? 0,
        message: conceal(call, message)
      })),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs })
    })
  )
}

/** Returns a field of the answer that identifies an order or a request. */
const name = (json: unknown, field: string): string | undefined => {
  if (!Predicate.hasProperty(json, field)) return undefined
  const value = json[field]
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined
}

/**
 * Whether the answer can belong to this request. It must not name another order or another request. A request that acts is not
 * acknowledged by an answer that was received before.
 */
const isOurs = ({ form, operation }: Call.Call, json: unknown, answered: RecentAnswers): boolean => {
  const serialNumber = name(json, "serial-number")
  const isFirst = serialNumber === undefined || answered.isFirst(serialNumber)
  return (
    (isFirst || operation.acts === "reads") &&
    isSame(name(json, "merchant-order-id"), RequestForm.clientOrderId(form)) &&
    isSame(name(json, "paynet-order-id"), form.texts.orderid) &&
    isSame(name(json, "by-request-sn"), form.texts["by-request-sn"])
  )
}

const isSame = (answered: string | undefined, sent: string | undefined): boolean =>
  answered === undefined || sent === undefined || answered.trim() === sent.trim()

const unreadable = (
  call: Call.Call,
  status: number,
  answer: WireAnswer
): Result.Result<never, PayError.OutcomeUnknown> => {
  const received = Received.describe(answer, call.url)
  return Result.fail(Call.outcomeUnknown(call, "UnreadableAnswer", String(status), { received }))
}

/** Makes a refusal of a body without `type` that has an error message or an error code. `undefined` for other bodies. */
const typed = (json: unknown): unknown =>
  typeof json === "object" && json !== null && !("type" in json) && ("error-message" in json || "error-code" in json)
    ? { type: "validation-error", "error-message": "no reason given", ...json }
    : undefined

const typeOf = (json: unknown): unknown => (Predicate.hasProperty(json, "type") ? json.type : undefined)

const isFault = (json: unknown): boolean => faults.has(typeOf(json))

const fieldsOf = (
  call: Call.Call,
  body: ErrorResponse.ValidationErrorResponse | undefined
): Partial<Call.AnsweredFields> => {
  if (body === undefined) return {}
  const { "error-code": code, "paynet-order-id": orderId, "serial-number": serialNumber } = body
  const number = errorCode(code)
  return {
    errorMessage: conceal(call, body["error-message"]),
    ...(number === undefined ? {} : { errorCode: number }),
    ...(serialNumber === undefined ? {} : { serialNumber: conceal(call, serialNumber) }),
    ...(orderId === undefined ? {} : { orderId: conceal(call, orderId) })
  }
}

const errorCode = (text: string | undefined): number | undefined =>
  text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined

/** Hides card data and recipients of the request in a message of the gateway, so that they do not get into logs. */
const conceal = ({ form, operation }: Call.Call, message: string): string => {
  let text = message
  for (const [name, info] of operation.infos) {
    const value = form.texts[name]
    if (value === undefined) continue
    if (info.kind === "recipient" && value.length >= 8) text = text.replaceAll(value, "***")
    if (info.kind === "cvv" || (info.kind === "card" && value.length >= 12))
      text = text.replace(new RegExp(`(?<!\\d)${value}(?!\\d)`, "g"), "***")
  }
  return text
}

/** Converts `Retry-After`, in seconds or as an HTTP date, to milliseconds (RFC 9110 §10.2.3). */
const waitMillis = (header: string | ReadonlyArray<string> | undefined, nowMillis: number): number | undefined => {
  if (typeof header !== "string") return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = /GMT$/.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMillis)
}
