/** Callbacks of the gateway, as web servers receive them. */
import * as CallbackReceiver from "@pay/transport/CallbackReceiver"
import { Effect, Predicate, Redacted, Result } from "effect"
import type { ReceivedRequest, VerifiedCallback } from "./contract/Client.ts"
import * as Errors from "./Errors.ts"

type Headers = NonNullable<CallbackReceiver.Received["headers"]>

const isEntries = (headers: object): headers is Iterable<readonly [string, string]> => Symbol.iterator in headers

const textOf = (value: unknown): string | ReadonlyArray<string> | undefined =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(String) : undefined

/** Returns the headers of a `Request` of the web or of a request of Node, with names in lower case. */
export const headersOf = ({ headers = {} }: ReceivedRequest): Headers => {
  const entries = isEntries(headers) ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), textOf(value)]))
}

/** Returns the address as it was called. A router of Express may have changed `url`, but not `originalUrl`. */
export const urlOf = ({ originalUrl, url = "" }: ReceivedRequest): string => originalUrl ?? url

const withoutRequest = "callbacks.verify needs the request of your web server, with its url and headers."

/**
 * Returns the callback's order. Throws `CallbackRefusedError` if the callback is refused, and `InvalidInputError` if the argument
 * is not a request.
 */
export const verify = (request: ReceivedRequest | string, controlKeys: ReadonlyArray<string>): VerifiedCallback => {
  if (typeof request !== "string" && !Predicate.isObject(request))
    throw Errors.make("InvalidInput", { message: withoutRequest, retryable: false })
  const received = typeof request === "string" ? { url: request } : { url: urlOf(request), headers: headersOf(request) }
  const keys = { controlKeys: controlKeys.map((key) => Redacted.make(key)) }
  const verified = Effect.runSync(Effect.result(CallbackReceiver.verify(received, keys)))
  if (Result.isFailure(verified)) {
    const { detail, reason } = verified.failure
    const message = `The callback was refused (${reason}): ${detail}. Answer 403.`
    throw Errors.make("CallbackRefused", { message, cause: verified.failure, retryable: false })
  }
  const { client_orderid: clientOrderId, webhookId } = verified.success
  return webhookId === undefined ? { clientOrderId } : { clientOrderId, webhookId }
}
