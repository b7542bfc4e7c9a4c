/**
 * Checks the head of a request before anything else is read: one value of each header that matters, a usable `Host`, a body in
 * plain UTF-8 (RFC 9110, RFC 9112). If a header occurs twice, proxies and servers may use different values of it.
 */

import { mediaType } from "@pay/schema/Dialect"
import { Result } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"

export interface Head {
  readonly httpVersion: string
  /** Names and values alternately, as they were received. */
  readonly rawHeaders: ReadonlyArray<string>
}

/** Headers that must not occur twice: `node:http` keeps the first of some, and joins others. */
const single = ["host", "authorization", "content-type", "idempotency-key", "content-encoding"] as const

const host = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i
const charset = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([^";\s]{0,40})/i

/** A charset that a message may repeat, other than UTF-8. */
const printable = /^(?!utf-?8$)[\w.:-]+$/
const charsetMessage = (charset: string): string =>
  `The body must be UTF-8, and Content-Type has the charset ${charset}; encode the form as UTF-8 and sign that text`

/** All headers that are checked. `transfer-encoding` may occur several times. */
const deciding: ReadonlySet<string> = new Set([...single, "transfer-encoding"])

/** Largest number of headers. Clients send about a dozen, and proxies add some. */
export const mostHeaders = 128

/** Refuses a head that is ambiguous or cannot be served. */
export const check = ({ httpVersion, rawHeaders }: Head): Result.Result<void, RequestRefused> => {
  if (rawHeaders.length > 2 * mostHeaders)
    return Result.fail(refuse("bodyTooLarge", { message: "The request has too many headers" }))
  const headers = new Map<string, string>()
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase()
    if (!deciding.has(name)) continue
    const value = rawHeaders[i + 1] ?? ""
    if (headers.has(name) && single.some((one) => one === name))
      return malformed(`The header ${rawHeaders[i]} is given twice`)
    headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value)
  }
  const named = headers.get("host")
  if (named === undefined ? httpVersion === "1.1" : !host.test(named)) {
    return malformed(`The header Host is ${named === undefined ? "missing" : named === "" ? "empty" : "not a host"}`)
  }
  const coding = headers.get("transfer-encoding")
  if (coding !== undefined && coding.trim().toLowerCase() !== "chunked")
    return Result.fail(refuse("transferCodingUnsupported"))
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? ""
  const written = charset.exec(headers.get("content-type") ?? "")?.[1]?.toLowerCase() ?? "utf-8"
  return (encoding === "" || encoding === "identity") && (written === "utf-8" || written === "utf8")
    ? Result.void
    : Result.fail(refuse("encodingUnsupported", printable.test(written) ? { message: charsetMessage(written) } : {}))
}

const malformed = (message: string): Result.Result<never, RequestRefused> =>
  Result.fail(refuse("malformedForm", { message }))

const absolute = /^https?:\/\/([^/?#]{1,300})(.{0,})$/is

/**
 * Returns the path and query of a request target. In absolute form (RFC 9112 §3.2.2), the target must name one of `hosts`. Any
 * other target is returned unchanged, and no path of the gateway begins like it.
 */
export const target = (url: string, hosts: ReadonlyArray<string>): string => {
  if (url.startsWith("/")) return url
  const [, authority = "", rest = ""] = absolute.exec(url) ?? []
  if (!hosts.includes(authority.toLowerCase())) return url
  return rest.startsWith("/") ? rest : `/${rest}`
}

/** A request with headers. A header that occurs several times is joined. */
export interface Headed {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** A request as the server received it, within its limits of size. */
export interface ReceivedRequest extends Headed {
  readonly method: string
  /** The part of the URL before the path, which OAuth signatures cover: configured, never taken from `Host`. */
  readonly publicBaseUrl: string
  /** Path and query as received. */
  readonly target: string
  /** `undefined`: the bytes were not UTF-8. */
  readonly body: string | undefined
  /** Remote address, for rate limits. */
  readonly remoteAddress: string
}

const formType = "application/x-www-form-urlencoded"

/** Returns the value of a header; empty if it is missing. */
export const header = (request: Headed, name: string): string => {
  const value = request.headers[name]
  return typeof value === "string" ? value : value === undefined ? "" : value.join(",")
}

/** Largest number of media types of one `Accept` that are read, and of parameters of each. Browsers send fewer. */
const mostAccepted = 32

/** Whether an `Accept` contains the media type of JSON mode. */
export const accepts = (text: string): boolean =>
  text === mediaType ||
  text.split(",", mostAccepted).some((part) => {
    const [type = "", ...parameters] = part.split(";", mostAccepted).map((piece) => piece.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })

/** Whether a `Content-Type` is that of a form. */
export const isForm = (text: string): boolean =>
  text === formType || text.split(";", 1)[0]?.trim().toLowerCase() === formType

/** Converts an error of the HTTP parser to the refusal with which the request is answered. */
export const unreadable = ({ code, message }: NodeJS.ErrnoException): RequestRefused => {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse("requestTimeout")
  if (code === "HPE_HEADER_OVERFLOW") return refuse("bodyTooLarge", { message: "The request's headers are too large" })
  return code === "HPE_INVALID_TRANSFER_ENCODING" && !message.includes("Content-Length")
    ? refuse("transferCodingUnsupported")
    : refuse("malformedForm", { message: "The request is not valid HTTP" })
}
