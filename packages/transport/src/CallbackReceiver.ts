/**
 * Receives callbacks for a merchant. It verifies the sender before it returns any field. A verified callback is still a hint,
 * because the signature covers status, orderid and client_orderid only: `status` returns the outcome.
 */

import * as Blanks from "@pay/schema/Blanks"
import * as Callback from "@pay/schema/Callback"
import * as CallbackSignature from "@pay/signing/Callback"
import type * as Form from "@pay/signing/Form"
import * as StandardWebhooks from "@pay/signing/StandardWebhooks"
import { Clock, Data, Effect, Redacted, Result } from "effect"

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
  readonly controlKeys: ReadonlyArray<Redacted.Redacted<string>>
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
 * The callback is not accepted. `Malformed`: it is not a callback. `Forged`: a signature is wrong. `Unsigned`: a signature is
 * missing. `OutsideTolerance`: it is a copy of an old callback, or a clock is wrong.
 */
export class CallbackRefused extends Data.TaggedError("CallbackRefused")<{
  readonly reason: "Malformed" | "Forged" | "Unsigned" | "OutsideTolerance"
  readonly detail: string
}> {
  override get message(): string {
    return `callback refused: ${this.detail}`
  }
}

/** {@link verifyAt} with the time of the `Clock`. */
export const verify = (received: Received, keys: Keys): Effect.Effect<VerifiedCallback, CallbackRefused> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fromResult(verifyAt(received, keys, Math.floor(now / 1000))))

/**
 * Verifies `control` and, if any of them is present, the three headers of Standard Webhooks. All comparisons take constant time.
 *
 * @example verifyAt({ url: request.url, headers: request.headers }, { controlKeys: [key] }, nowSeconds)
 */
export const verifyAt = (
  { body = "", headers = {}, url }: Received,
  keys: Keys,
  nowSeconds: number
): Result.Result<VerifiedCallback, CallbackRefused> =>
  Result.gen(function* () {
    const content = contentOf(body, url)
    const controlKeys = keys.controlKeys.map((key) => Blanks.trim(Redacted.value(key)))
    const parameters = yield* Result.mapError(content.parameters, problemRefused)
    const { control: _, ...callback } = yield* Result.mapError(Callback.read(parameters), problemRefused)
    yield* controlled(parameters, controlKeys)
    const webhookId = yield* webhook(content, headers, controlKeys, keys, nowSeconds)
    return webhookId === undefined ? callback : { ...callback, webhookId }
  })

/** What was received, and each form of it that a signature may cover. */
interface Content {
  readonly parameters: Result.Result<ReadonlyArray<Form.Parameter>, Callback.Problem>
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

const controlled = (
  parameters: ReadonlyArray<Form.Parameter>,
  controlKeys: ReadonlyArray<string>
): Result.Result<void, CallbackRefused> => {
  const verified = CallbackSignature.verify(parameters, controlKeys)
  if (verified.ok) return Result.void
  const { reason } = verified
  return reason._tag === "Mismatch"
    ? refused("Forged", "control is wrong")
    : refused("Malformed", `parameter ${reason.name} is ${reason._tag === "Missing" ? "missing" : "given twice"}`)
}

const names = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const

/** Only gateways that send the headers send JSON, so JSON without them is refused. */
const webhook = (
  { forms, isJson }: Content,
  received: NonNullable<Received["headers"]>,
  controlKeys: ReadonlyArray<string>,
  { requireWebhookHeaders = false, toleranceSeconds = 300 }: Keys,
  nowSeconds: number
): Result.Result<string | undefined, CallbackRefused> => {
  const headers: { [Name in (typeof names)[number]]?: string } = {}
  for (const [name, value] of Object.entries(received)) {
    const existing = names.find((header) => header === name.toLowerCase())
    if (existing !== undefined && value !== undefined)
      headers[existing] = typeof value === "string" ? value : value.join()
  }
  if (Object.keys(headers).length === 0) {
    return requireWebhookHeaders || isJson
      ? refused("Unsigned", "the webhook headers are missing")
      : Result.succeed(undefined)
  }
  const secrets = controlKeys.map(StandardWebhooks.secret)
  const verified = StandardWebhooks.verify({ headers, content: forms, secrets, nowSeconds, toleranceSeconds })
  if (verified.ok) return Result.succeed(verified.id)
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

const problemRefused = (problem: Callback.Problem): CallbackRefused =>
  new CallbackRefused({
    reason: "Malformed",
    detail: problem._tag === "Malformed" ? problem.reason : `parameter ${problem.name}: ${problem._tag}`
  })

/** The signature of the whole text is verified last, so that of its three main values is right. */
const changed =
  "webhook-signature is wrong, and control is right: a header or the content was changed, or is not the text that arrived, before it was parsed"

const refused = (reason: CallbackRefused["reason"], detail: string): Result.Result<never, CallbackRefused> =>
  Result.fail(new CallbackRefused({ reason, detail }))
