/** The signature base string of OAuth 1.0 (RFC 5849 §3.4.1): the general path, text to text. */
import * as Form from "./Form.ts"
import * as PercentEncoding from "./PercentEncoding.ts"

export interface SignableRequest {
  /** `POST` for every operation; any case. */
  readonly method: string
  /** The absolute address the merchant calls, with its query if it has one. */
  readonly url: string
  /** Decoded body fields and `oauth_*` parameters; the query of `url` is added here, not by the caller. */
  readonly parameters: ReadonlyArray<Form.Parameter>
}

/** An address taken apart: what stands in the base string and the decoded fields of its query. */
export interface Target {
  readonly baseUri: string
  readonly query: ReadonlyArray<Form.Parameter>
}

/** What the URL parser drops or reads as another character: two sides might sign different addresses. */
const unwritable = /[\p{Cc}\s\\]/u

/** `undefined`: not an absolute http or https address, or its query is malformed. */
export const target = (url: string): Target | undefined => {
  const parsed = unwritable.test(url) ? null : URL.parse(url)
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return undefined
  const query = Form.parse(parsed.search.slice(1))
  if (!query.ok) return undefined
  return { baseUri: `${parsed.protocol}//${parsed.host}${parsed.pathname}`, query: query.parameters }
}

/**
 * Scheme and host in lower case, no default port, no query, no fragment (RFC 5849 §3.4.1.2). `undefined`: not an
 * absolute http or https address, or one with blanks, control characters or `\`.
 *
 * @example baseUri("HTTP://EXAMPLE.COM:80/r%20v/X?id=123") === "http://example.com/r%20v/X"
 */
export const baseUri = (url: string): string | undefined => target(url)?.baseUri

/** Encodes names and values, sorts by name and then by value, joins (RFC 5849 §3.4.1.3.2). */
export const normalize = (parameters: ReadonlyArray<Form.Parameter>): string =>
  parameters
    .map(([name, value]) => [PercentEncoding.encode(name), PercentEncoding.encode(value)] as const)
    .sort((left, right) => compare(left[0], right[0]) || compare(left[1], right[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join("&")

/** Byte order: encoded text is ASCII. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** The three parts of RFC 5849 §3.4.1.1. `oauth_signature` never counts. `undefined`: the address is malformed. */
export const make = (request: SignableRequest): string | undefined => {
  const address = target(request.url)
  return address && join(request.method, address.baseUri, [...address.query, ...request.parameters])
}

/** {@link make} for an address that is already taken apart; `parameters` include those of the query. */
export const join = (method: string, baseUri: string, parameters: ReadonlyArray<Form.Parameter>): string =>
  [method.toUpperCase(), baseUri, normalize(parameters.filter(([name]) => name !== "oauth_signature"))]
    .map(PercentEncoding.encode)
    .join("&")
