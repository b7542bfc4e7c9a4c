/** What an answer shows of a gateway's habits, without anything that differs from one run to the next. */
import type { Dialect } from "@pay/schema/Dialect"
import * as Pairs from "@pay/schema/Pairs"
import { Redacted } from "effect"
import type { Fields, Merchant } from "../Draft.ts"
import type { Reply } from "../Exchange.ts"

/** The form of a body. */
export type Form = Dialect | "page" | "text" | "empty"

/** One answer. */
export interface Observation {
  readonly http: number
  readonly contentType: string
  readonly form: Form
  readonly type?: string
  readonly code?: string
  readonly message?: string
  /** The status of the order, if the answer has one. */
  readonly status?: string
  /** Whether identifiers are text or numbers, if the answer has one. */
  readonly identifiers?: "text" | "numbers"
  /** The form of each date, with 9 for every digit. */
  readonly dates?: Readonly<Record<string, string>>
  readonly serialNumber: boolean
}

/** There was no answer. */
export interface Silence {
  readonly noAnswer: string
}

export type Observed = Observation | Silence

const bodyOf = ({ body, isOlder, text }: Reply): readonly [Form, Readonly<Record<string, unknown>>] => {
  if (body !== undefined && !isOlder) return ["json", body]
  const pairs = text.trimStart().startsWith("<") ? undefined : Pairs.read(text)
  if (pairs !== undefined && (pairs.type !== undefined || pairs["error-code"] !== undefined)) return ["pairs", pairs]
  const start = text.trimStart()
  return [start === "" ? "empty" : start.startsWith("<") ? "page" : "text", {}]
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined

const identifierNames = ["paynet-order-id", "merchant-order-id", "serial-number"]

const identifiersOf = (body: Readonly<Record<string, unknown>>): "text" | "numbers" | undefined => {
  const values = identifierNames.flatMap((name) => (body[name] === undefined ? [] : [typeof body[name]]))
  return values.length === 0 ? undefined : values.includes("number") ? "numbers" : "text"
}

const datesOf = (body: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      /date|time/.test(name) && typeof value === "string" ? [[name, value.slice(0, 60).replaceAll(/\d/g, "9")]] : []
    )
  )

/** Replaces what belongs to this request or this moment, and keys, by a word in braces. */
const stable = (text: string, { controlKey, endpoint, login }: Merchant, fields: Fields): string => {
  const own: ReadonlyArray<readonly [string | undefined, string]> = [
    [Redacted.value(controlKey), "{key}"],
    [fields.client_orderid ?? fields["client-order-id"], "{client_orderid}"],
    [fields.login, "{login}"],
    [login, "{login}"],
    [endpoint, "{endpoint}"]
  ]
  let output = text.replaceAll(/\s+/g, " ").trim()
  for (const [value, word] of own) if (value !== undefined && value !== "") output = output.replaceAll(value, word)
  return output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, "{uuid}")
    .replaceAll(/[0-9a-f]{40}/gi, "{control}")
    .replaceAll(/\d{6,}/g, "{number}")
    .slice(0, 200)
}

/** Returns what the answer shows. */
export const of = (reply: Reply, merchant: Merchant, fields: Fields): Observation => {
  const [form, body] = bodyOf(reply)
  const type = textOf(body.type)
  const code = textOf(body["error-code"])
  const message = textOf(body["error-message"])
  const status = textOf(body.status)
  const identifiers = identifiersOf(body)
  const dates = datesOf(body)
  return {
    http: reply.http,
    contentType: (reply.headers["content-type"] ?? "").toLowerCase().replaceAll(/\s/g, ""),
    form,
    ...(type !== undefined && { type: stable(type, merchant, fields) }),
    ...(code !== undefined && { code: stable(code, merchant, fields) }),
    ...(message !== undefined && { message: stable(message, merchant, fields) }),
    ...(status !== undefined && { status: stable(status, merchant, fields) }),
    ...(identifiers !== undefined && { identifiers }),
    ...(Object.keys(dates).length > 0 && { dates }),
    serialNumber: body["serial-number"] !== undefined
  }
}

export const isAnswer = (observed: Observed | undefined): observed is Observation =>
  observed !== undefined && "http" in observed

const faults: ReadonlySet<string | undefined> = new Set(["validation-error", "error"])

/** Whether the answer is of this protocol. */
export const isOfProtocol = (observed: Observed | undefined): observed is Observation =>
  isAnswer(observed) &&
  (observed.form === "json" || observed.form === "pairs") &&
  (observed.type !== undefined || observed.code !== undefined || observed.message !== undefined)

/** Whether the answer is the gateway's decision about the request: too many requests and a fault of a server are none. */
export const isDecision = (observed: Observed | undefined): observed is Observation =>
  isOfProtocol(observed) && observed.http !== 429 && observed.http < 500

/** Whether the gateway refused the request. */
export const isRefusal = (observed: Observed | undefined): observed is Observation =>
  isDecision(observed) && (faults.has(observed.type) || (observed.http >= 400 && observed.http < 500))

/** Whether the gateway did what the request asked. */
export const isAccepted = (observed: Observed | undefined): boolean =>
  isOfProtocol(observed) && observed.http === 200 && !faults.has(observed.type)

/** Whether two answers say the same. */
export const isSame = (one: Observed | undefined, other: Observed | undefined): boolean =>
  isAnswer(one) &&
  isAnswer(other) &&
  one.http === other.http &&
  one.type === other.type &&
  one.code === other.code &&
  one.message === other.message
