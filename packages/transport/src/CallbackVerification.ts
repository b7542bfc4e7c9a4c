/**
 * Proves that a callback comes from the gateway: the signatures over what was received. It needs no runtime of Effect, so that a
 * program that only receives callbacks is small.
 */

import * as Blanks from "@pay/schema/Blanks"
import * as Callback from "@pay/schema/Callback"
import * as CallbackSignature from "@pay/signing/Callback"
import type * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"

/** A callback as the merchant's server has received it. */
export interface Received {
  /** The address as it was called: absolute, or only path and query. */
  readonly url: string | URL
  /** The headers, with names in any case. Without the `webhook-*` headers, a copy of an earlier callback cannot be recognised. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body of a POST as it was received: the JSON of a callback, or the form that was posted to `redirect_url`. */
  readonly body?: string | undefined
}

/** The keys and limits with which callbacks are verified. */
export interface Keys {
  /** The merchant's control keys. There are two while one replaces the other. */
  readonly controlKeys: ReadonlyArray<string>
  /** Largest difference between `webhook-timestamp` and the current time, in seconds. Default 300. */
  readonly toleranceSeconds?: number
  /**
   * Whether callbacks without `webhook-*` headers are refused. Default false: the browser's return and old gateways have no such
   * headers.
   */
  readonly requireWebhookHeaders?: boolean
}

/** A callback that is proved to come from the gateway. */
export type VerifiedCallback = Callback.Callback & {
  /** The identifier of one event, equal in all its deliveries. If absent, the callback may be a copy of an earlier one. */
  readonly webhookId?: string
}

/**
 * Why a callback is not accepted. `Malformed`: it is not a callback. `Forged`: a signature is wrong. `Unsigned`: a signature is
 * missing. `OutsideTolerance`: it is a copy of an old callback, or a clock is wrong.
 */
export interface Refusal {
  readonly reason: "Malformed" | "Forged" | "Unsigned" | "OutsideTolerance"
  readonly detail: string
}

/** The callback, or why it is not accepted. */
export type Verified =
  | { readonly ok: true; readonly callback: VerifiedCallback }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Verifies `control` and, if any of them is present, the three headers of Standard Webhooks. All comparisons take constant time.
 *
 * @example verify({ url: request.url, headers: request.headers }, { controlKeys: [key] }, nowSeconds)
 */
export const verify = ({ body = "", headers = {}, url }: Received, keys: Keys, nowSeconds: number): Verified => {
  const content = contentOf(body, url)
  const controlKeys = keys.controlKeys.map(Blanks.trim)
  if (!content.parameters.ok) return problemRefused(content.parameters.problem)
  const read = Callback.read(content.parameters.value)
  if (!read.ok) return problemRefused(read.problem)
  const { control: _, ...callback } = read.value
  return (
    wrongControl(content.parameters.value, controlKeys) ??
    webhook(callback, content, headers, controlKeys, keys, nowSeconds)
  )
}

/** What was received, and each form of it that a signature may cover. */
interface Content {
  readonly parameters: Callback.Read<ReadonlyArray<Form.Parameter>>
  readonly forms: ReadonlyArray<string>
  readonly isJson: boolean
}

const contentOf = (body: string, url: string | URL): Content => {
  if (Callback.isJson(body)) return { parameters: Callback.jsonParameters(body), forms: [body], isJson: true }
  const form = body === "" ? queryOf(url) : body
  return { parameters: Callback.formParameters(form), forms: CallbackSignature.signedForms(form), isJson: false }
}

const queryOf = (url: string | URL): string => {
  const [address = ""] = String(url).split("#", 1)
  const queryAt = address.indexOf("?")
  return queryAt === -1 ? "" : address.slice(queryAt + 1)
}

const wrongControl = (
  parameters: ReadonlyArray<Form.Parameter>,
  controlKeys: ReadonlyArray<string>
): Refused | undefined => {
  const verified = CallbackSignature.verify(parameters, controlKeys)
  if (verified.ok) return undefined
  const { reason } = verified
  return reason._tag === "Mismatch"
    ? refused("Forged", "control is wrong")
    : refused("Malformed", `parameter ${reason.name} is ${reason._tag === "Missing" ? "missing" : "given twice"}`)
}

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

/** Only gateways that send the headers send JSON, so JSON without them is refused. */
const webhook = (
  callback: Callback.Callback,
  { forms, isJson }: Content,
  received: NonNullable<Received["headers"]>,
  controlKeys: ReadonlyArray<string>,
  { requireWebhookHeaders = false, toleranceSeconds = 300 }: Keys,
  nowSeconds: number
): Verified => {
  const headers: { [Name in (typeof names)[number]]?: string } = {}
  for (const [name, value] of Object.entries(received)) {
    const existing = names.find((header) => header === name.toLowerCase())
    if (existing !== undefined && value !== undefined)
      headers[existing] = typeof value === "string" ? value : value.join()
  }
  if (Object.keys(headers).length === 0) {
    return requireWebhookHeaders || isJson
      ? refused("Unsigned", "the webhook headers are missing")
      : { ok: true, callback }
  }
  const secrets = controlKeys.map(StandardWebhooks.secret)
  const verified = StandardWebhooks.verify({ headers, content: forms, secrets, nowSeconds, toleranceSeconds })
  if (verified.ok) return { ok: true, callback: { ...callback, webhookId: verified.id } }
  const { reason } = verified
  switch (reason._tag) {
    case "Missing":
      return refused("Unsigned", `header ${reason.name} is missing`)
    case "Malformed":
      return refused("Malformed", `header ${reason.name} is malformed`)
    case "Mismatch":
      return refused("Forged", changed)
    case "OutsideTolerance":
      return refused("OutsideTolerance", `webhook-timestamp is ${reason.ageSeconds} s old`)
  }
}

const problemRefused = (problem: Callback.Problem): Refused =>
  refused("Malformed", problem._tag === "Malformed" ? problem.reason : `parameter ${problem.name}: ${problem._tag}`)

/** The signature of the whole text is verified last, so that of its three main values is right. */
const changed =
  "webhook-signature is wrong, and control is right: a header or the content was changed, or is not the text that arrived, before it was parsed"

type Refused = Extract<Verified, { readonly ok: false }>

const refused = (reason: Refusal["reason"], detail: string): Refused => ({ ok: false, refusal: { reason, detail } })
