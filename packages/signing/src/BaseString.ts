/** The signature base string of OAuth 1.0 (RFC 5849 §3.4.1), from text to text, for every request. */
import * as Form from "./Form.ts"
import * as PercentEncoding from "./PercentEncoding.ts"

/** A request with everything that its base string contains. */
export interface SignableRequest {
  /** The HTTP method in any case: `POST` for every operation. */
  readonly method: string
  /** The absolute address the merchant calls, with its query if it has one. */
  readonly url: string
  /**
   * The decoded fields of the body and the `oauth_*` parameters. The query of `url` is added to them and must not be among them.
   */
  readonly parameters: ReadonlyArray<Form.Parameter>
}

/** An address in two parts: its form in the base string, and the decoded fields of its query. */
export interface Target {
  readonly baseUri: string
  readonly query: ReadonlyArray<Form.Parameter>
}

/** Characters that the URL parser drops or replaces by others. The two sides might sign different addresses. */
const unwritable = /[\p{Cc}\s\\]/u

/** Parses an address. `undefined` if it is not an absolute http or https address, or if its query is malformed. */
export const target = (url: string): Target | undefined => {
  const parsed = unwritable.test(url) ? null : URL.parse(url)
  if (parsed === null || (parsed.protocol !== "http:" && parsed.protocol !== "https:")) return undefined
  const query = Form.parse(parsed.search.slice(1))
  if (!query.ok) return undefined
  return { baseUri: `${parsed.protocol}//${parsed.host}${parsed.pathname}`, query: query.parameters }
}

/**
 * Returns the base string URI of an address: scheme and host in lower case, no default port, no query, no fragment (RFC 5849
 * §3.4.1.2). `undefined` for the addresses that {@link target} refuses, such as one with blanks, control characters or `\`.
 *
 * @example baseUri("HTTP://EXAMPLE.COM:80/r%20v/X?id=123") === "http://example.com/r%20v/X"
 */
export const baseUri = (url: string): string | undefined => target(url)?.baseUri

/** Returns the parameter string: names and values encoded, sorted by name and then by value, and joined (RFC 5849 §3.4.1.3.2). */
export const normalize = (parameters: ReadonlyArray<Form.Parameter>): string =>
  parameters
    .map(([name, value]) => [PercentEncoding.encode(name), PercentEncoding.encode(value)] as const)
    .sort((left, right) => compare(left[0], right[0]) || compare(left[1], right[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join("&")

/** Compares in byte order. Encoded text is ASCII, so the order of characters is the order of bytes. */
const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/**
 * Returns the base string: the three parts of RFC 5849 §3.4.1.1. `oauth_signature` is left out. `undefined` if the address is
 * malformed.
 */
export const make = (request: SignableRequest): string | undefined => {
  const address = target(request.url)
  return address && join(request.method, address.baseUri, [...address.query, ...request.parameters])
}

/** {@link make} for an address that is already parsed. `parameters` include those of the query. */
export const join = (method: string, baseUri: string, parameters: ReadonlyArray<Form.Parameter>): string =>
  [method.toUpperCase(), baseUri, normalize(parameters.filter(([name]) => name !== "oauth_signature"))]
    .map(PercentEncoding.encode)
    .join("&")
