/** Callbacks of the gateway, as web servers receive them. */
import * as CallbackVerification from "@pay/transport/CallbackVerification"
import type { ReceivedRequest, VerifiedCallback } from "./contract/Client.ts"
import * as Errors from "./Errors.ts"

type Headers = NonNullable<CallbackVerification.Received["headers"]>

const isEntries = (headers: object): headers is Iterable<readonly [string, string]> => Symbol.iterator in headers

const textOf = (value: unknown): string | ReadonlyArray<string> | undefined =>
  typeof value === "string" ? value : Array.isArray(value) ? value.map(String) : undefined

/** Returns the headers of a `Request` of the web or of a request of Node, with names in lower case. */
export const headersOf = ({ headers = {} }: ReceivedRequest): Headers => {
  const entries = isEntries(headers) ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), textOf(value)]))
}

/** Returns the address as it was called. A router of Express may have changed `url`, but not `originalUrl`. */
export const urlOf = ({ originalUrl, url = "" }: ReceivedRequest): string => originalUrl ?? String(url)

const withoutRequest =
  "callbacks.verify needs the request of your web server, with its url and headers, and not values that were parsed from it."
const withoutBody =
  "The callback was posted, and callbacks.verify needs its body as it was received, as text or bytes: callbacks.verify(request, await request.text())."

const misused = (message: string) => Errors.make("InvalidInput", { message, retryable: false })

/** Returns the body as text if it is text or bytes. A body that was parsed is another text than the signed one. */
const bodyOf = (bodies: ReadonlyArray<unknown>): string | undefined => {
  const body = bodies.find((each) => typeof each === "string" || each instanceof Uint8Array)
  return body instanceof Uint8Array ? Buffer.from(body).toString() : body
}

/** Whether a body has the parameters of a callback, because the server has parsed it. */
const isParsed = (body: unknown): boolean => typeof body === "object" && body !== null && "control" in body

const receivedOf = (
  request: ReceivedRequest,
  given: string | Uint8Array | undefined
): CallbackVerification.Received => {
  const headers = headersOf(request)
  const bodies = [given, request.rawBody, request.body]
  const body = bodyOf(bodies)
  const isJson = /^application\/json\b/i.test(String(headers["content-type"])) && request.method !== "GET"
  if (body === undefined && (isJson || bodies.some(isParsed))) throw misused(withoutBody)
  const { originalUrl, url } = request
  if (body === undefined && (originalUrl ?? url) === undefined) throw misused(withoutRequest)
  return { url: urlOf(request), headers, body }
}

/**
 * Returns the callback's order. Throws `CallbackRefusedError` if the callback is refused, and `InvalidInputError` if the arguments
 * are not a request.
 */
export const verify = (
  request: ReceivedRequest | string | URL,
  body: string | Uint8Array | undefined,
  controlKeys: ReadonlyArray<string>
): VerifiedCallback => {
  const isAddress = typeof request === "string" || request instanceof URL
  if (!isAddress && (typeof request !== "object" || request === null)) throw misused(withoutRequest)
  const received = isAddress ? { url: request } : receivedOf(request, body)
  const verified = CallbackVerification.verify(received, { controlKeys }, Math.floor(Date.now() / 1000))
  if (!verified.ok) {
    const { detail, reason } = verified.refusal
    const message = `The callback was refused (${reason}): ${detail}. Answer 403.`
    throw Errors.make("CallbackRefused", { message, retryable: false })
  }
  const { client_orderid: clientOrderId, webhookId } = verified.callback
  return webhookId === undefined ? { clientOrderId } : { clientOrderId, webhookId }
}
