/** Requirements on answers. Each fails with a `Violation` that describes the difference. */
import type { Dialect } from "@pay/schema/Dialect"
import * as ErrorCode from "@pay/schema/ErrorCode"
import type { Operation } from "@pay/schema/Operation"
import * as Sample from "@pay/schema/Sample"
import { Effect, Result, Schema } from "effect"
import * as Capability from "./Capability.ts"
import type { Reply } from "./Exchange.ts"
import { dialectOf, Gateway } from "./Gateway.ts"
import { Violation } from "./Violation.ts"

type Body = Readonly<Record<string, unknown>>

/** Returns the answer in one line, for messages, and names an answer that is not of this protocol. */
export const shown = ({ body, headers, status, text }: Reply): string => {
  const line = text.replaceAll(/\s+/g, " ").trim().slice(0, 300)
  const { "content-encoding": encoding = "identity", "content-type": type = "", location } = headers
  if (encoding !== "identity")
    return `HTTP ${status} with Content-Encoding ${encoding}, which the request does not accept`
  if (status >= 300 && status < 400 && location !== undefined)
    return `HTTP ${status} to ${location.slice(0, 300)}, which is not followed`
  if (body !== undefined) return `HTTP ${status} ${line}`
  if (line === "") return `HTTP ${status}, an empty answer`
  const kind = line.startsWith("<") ? `a page (${type.split(";")[0]})` : "text that is not of this protocol"
  return `HTTP ${status}, ${kind}: ${line}`
}

/** Fails with a `Violation`. */
export const violated = (message: string): Effect.Effect<never, Violation> => Effect.fail(new Violation({ message }))

/** Requires that the condition is true. */
export const that = (condition: boolean, message: string): Effect.Effect<void, Violation> =>
  condition ? Effect.void : violated(message)

/** Requires that two values are identical. `what` names the value in the message. */
export const equal = (actual: unknown, expected: unknown, what: string): Effect.Effect<void, Violation> =>
  that(actual === expected, `${what} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`)

/** Returns a text or a number of an answer as text. */
export const textOf = (body: Body, name: string): string | undefined => {
  const value = body[name]
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined
}

/** Requires that the answer has a text or a number with this name. Returns it as text. */
export const text = (reply: Reply, name: string): Effect.Effect<string, Violation> => {
  const value = textOf(reply.body ?? {}, name)
  return value === undefined ? violated(`the answer has no ${name}: ${shown(reply)}`) : Effect.succeed(value)
}

/** Requires that the request was accepted. Returns the answer's fields. */
export const accepted = (reply: Reply, what = "the request"): Effect.Effect<Body, Violation> =>
  reply.status === 200 && reply.body !== undefined
    ? Effect.succeed(reply.body)
    : violated(`${what} was not accepted: ${shown(reply)}`)

/** The media type of an answer, by its form. */
const mediaTypes: Readonly<Record<Dialect, RegExp>> = {
  json: /^application\/vnd\.pay\+json\b/,
  pairs: /^text\/html\b/
}

/** Requires that the answer has the fields of the contract, with the contract's types. Returns the answer's fields. */
export const answered = Effect.fnUntraced(function* (operation: Operation, reply: Reply) {
  const { facts } = yield* Gateway
  const body = yield* accepted(reply)
  const decoded = Schema.decodeUnknownResult(operation.response)(body)
  if (Result.isFailure(decoded))
    return yield* violated(
      `the answer does not have the form of the contract: ${String(decoded.failure)}; ${shown(reply)}`
    )
  const form = (yield* dialectOf) === "pairs" ? operation.olderAnswer : "json"
  yield* that(
    mediaTypes[form].test(reply.headers["content-type"] ?? ""),
    `the answer's Content-Type is ${reply.headers["content-type"]}`
  )
  yield* equal(textOf(body, "type"), Sample.answer(operation).type, "the answer's type")
  const nothing = Object.entries(body).find(([, value]) => value === null || value === "")
  yield* that(nothing === undefined, `${nothing?.[0]} of the answer is empty; an absent value must be left out`)
  if (!Capability.textIdentifiers.isIn(facts)) return body
  const number = Object.entries(body).find(([, value]) => typeof value !== "string" && !Array.isArray(value))
  yield* that(number === undefined, `${number?.[0]} of the answer is not text`)
  return body
})

const signature = { about: "a request whose signature is wrong", statuses: [400, 401, 403] } as const
const absent = { about: "a request about an order or a card that does not exist", statuses: [400, 404] } as const
const size = { about: "a request that is too large", statuses: [400, 413] } as const

/**
 * The refusals whose HTTP status the specification leaves open, with the statuses that HTTP has for them besides 400. Every other
 * refusal has 400.
 */
const leftOpen: Readonly<
  Partial<Record<ErrorCode.Name, { readonly about: string; readonly statuses: ReadonlyArray<number> }>>
> = {
  acceptRequired: { about: "a request without the required Accept", statuses: [400, 406] },
  contentTypeRequired: { about: "a body that is not a form", statuses: [400, 415] },
  encodingUnsupported: { about: "a body in another encoding", statuses: [400, 415] },
  tooManyParameters: size,
  bodyTooLarge: size,
  notFound: { about: "an address that no endpoint has", statuses: [400, 404] },
  methodNotAllowed: { about: "another method than POST", statuses: [400, 404, 405, 501] },
  authenticationFailed: signature,
  authorizationRequired: signature,
  oauthMalformed: signature,
  oauthMethodUnsupported: signature,
  oauthSignatureInvalid: signature,
  timestampSkewed: signature,
  nonceUsed: signature,
  orderNotFound: absent,
  cardNotFound: absent,
  subscriptionNotFound: absent
}

/** Requires a status that the refusal may have at a gateway with codes of its own, and notes a choice of the gateway. */
const statusAllowed = Effect.fnUntraced(function* (reply: Reply, name: ErrorCode.Name, message: string) {
  const { status } = ErrorCode.codes[name]
  const open = reply.isOlder ? undefined : leftOpen[name]
  const allowed = open?.statuses ?? (reply.isOlder ? [status, 400] : [status])
  yield* that(allowed.includes(reply.status), message)
  if (open === undefined || reply.status === 400) return
  const { choices } = yield* Gateway
  const choice = `${open.about} is answered with HTTP ${reply.status}`
  choices.set(choice, (choices.get(choice) ?? 0) + 1)
})

/**
 * Requires that the request was refused for this reason, with a body of the contract's form. `field` must be among the problems.
 */
export const refused = Effect.fnUntraced(function* (
  reply: Reply,
  name: ErrorCode.Name,
  field?: string,
  what = "the request"
) {
  const { facts } = yield* Gateway
  const { code, status } = ErrorCode.codes[name]
  const message = `${what}, expected a refusal (${status}, code ${code}${field === undefined ? "" : ` of ${field}`}): ${shown(reply)}`
  const knowsCodes = Capability.errorCodes.isIn(facts)
  if (knowsCodes) yield* that(reply.status === status, message)
  else yield* statusAllowed(reply, name, message)
  if (!Capability.typedErrors.isIn(facts)) return
  const body = reply.body ?? {}
  yield* equal(body.type, status >= 500 ? "error" : "validation-error", `type of the refusal; ${message}; type`)
  yield* that((textOf(body, "error-message") ?? "") !== "", `no error-message; ${message}`)
  if (!knowsCodes) return
  yield* that(textOf(body, "error-code") === String(code), message)
  if (field === undefined || !Array.isArray(body.errors)) return
  const problems: ReadonlyArray<unknown> = body.errors
  const isNamed = problems.some(
    (problem) => typeof problem === "object" && problem !== null && "field" in problem && problem.field === field
  )
  yield* that(isNamed, message)
})

/** Requires that the request was refused, for any reason. */
export const refusedSomehow = (reply: Reply, what: string): Effect.Effect<void, Violation> =>
  that(reply.status >= 400 && reply.status < 500, `${what}, expected a refusal: ${shown(reply)}`)

/** Returns a refusal without its serial number, so that refusals of two requests can be compared. */
export const comparable = ({ body = {}, status }: Reply): string =>
  JSON.stringify([status, Object.entries({ ...body, "serial-number": "" }).toSorted()])
