/**
 * What every request's head must be before anything of it is read: one value of each header that decides something, a
 * usable `Host`, a body that is plain UTF-8 (RFC 9110, RFC 9112). Proxies and servers that read a doubled header differently
 * disagree on what the request says.
 */

import { mediaType } from "@pay/schema/Dialect"
import { Result } from "effect"
import { type Refused, refuse } from "../kernel/Answer.ts"

export interface Head {
  readonly httpVersion: string
  /** Names and values in turn, as they were received. */
  readonly rawHeaders: ReadonlyArray<string>
}

/** Headers that must not come twice: node:http keeps the first of some and joins others. */
const single = ["host", "authorization", "content-type", "idempotency-key", "content-encoding"] as const

const host = /^(?:\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::\d{1,5})?$/i
const charset = /;\s{0,9}charset\s{0,9}=\s{0,9}"?([^";\s]{0,40})/i

/** What else decides something, and may come in several lines. */
const deciding: ReadonlySet<string> = new Set([...single, "transfer-encoding"])

/** Clients send a dozen, proxies add some. */
export const mostHeaders = 128

/** Refuses a head that does not say clearly what is asked. */
export const check = ({ httpVersion, rawHeaders }: Head): Result.Result<void, Refused> => {
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
    : Result.fail(refuse("encodingUnsupported"))
}

const malformed = (message: string): Result.Result<never, Refused> => Result.fail(refuse("malformedForm", { message }))

const absolute = /^https?:\/\/([^/?#]{1,300})(.{0,})$/is

/**
 * The path and query of a request target. One in absolute form (RFC 9112 §3.2.2) is ours where it names one of `hosts`; any
 * other stays as it is, and no path begins so.
 */
export const target = (url: string, hosts: ReadonlyArray<string>): string => {
  if (url.startsWith("/")) return url
  const [, authority = "", rest = ""] = absolute.exec(url) ?? []
  if (!hosts.includes(authority.toLowerCase())) return url
  return rest.startsWith("/") ? rest : `/${rest}`
}

/** What has headers. Those of a value are joined if there are several. */
export interface Headed {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

const formType = "application/x-www-form-urlencoded"

/** The text of a header; empty if it is missing. */
export const header = (request: Headed, name: string): string => {
  const value = request.headers[name]
  return typeof value === "string" ? value : value === undefined ? "" : value.join(",")
}

/** Media types of one `Accept` that are looked at, and parameters of each: whole browsers send fewer. */
const mostAccepted = 32

/** Whether an `Accept` has the media type of JSON mode. */
export const accepts = (text: string): boolean =>
  text === mediaType ||
  text.split(",", mostAccepted).some((part) => {
    const [type = "", ...parameters] = part.split(";", mostAccepted).map((piece) => piece.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter))
  })

/** Whether a `Content-Type` is that of a form. */
export const isForm = (text: string): boolean =>
  text === formType || text.split(";", 1)[0]?.trim().toLowerCase() === formType

/** Why the parser of HTTP gave a request up, as the refusal that it is answered with. */
export const unreadable = ({ code, message }: NodeJS.ErrnoException): Refused => {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse("requestTimeout")
  if (code === "HPE_HEADER_OVERFLOW") return refuse("bodyTooLarge", { message: "The request's headers are too large" })
  return code === "HPE_INVALID_TRANSFER_ENCODING" && !message.includes("Content-Length")
    ? refuse("transferCodingUnsupported")
    : refuse("malformedForm", { message: "The request is not valid HTTP" })
}
