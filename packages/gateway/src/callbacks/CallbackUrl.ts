/**
 * What is asked of every address that a merchant names: `server_callback_url`, `notify_url`, `redirect_url` (decisions:
 * 3-D Secure, callback). A name is not resolved here; that is done, and judged, at each delivery.
 */
import { Result } from "effect"
import * as AddressPolicy from "../network/AddressPolicy.ts"

export interface Rules {
  /** Only https. */
  readonly production: boolean
  /** For addresses that the gateway itself calls. Absent: the browser goes there, any host and port will do. */
  readonly addressPolicy?: AddressPolicy.AddressPolicy | undefined
}

/** A URL taken apart as a socket needs it. */
export interface Target {
  readonly secure: boolean
  /** Canonical: lower case, Punycode, IPv6 without brackets, IPv4 in four decimal parts. */
  readonly host: string
  readonly literal: boolean
  readonly port: number
  /** Path and query, as sent. */
  readonly path: string
}

/**
 * Fails with what is wrong with the URL, as the end of a sentence ("must be …"). Host names in odd notations
 * (`0x7f.1`, `2130706433`, `127.0.0.1.`, full-width digits) are judged as the WHATWG URL parser reads them, as the
 * socket later does. The text is never repeated in the answer.
 */
export const check = (text: string, { addressPolicy, production }: Rules): Result.Result<void, string> =>
  Result.flatMap(parse(text), (target) => {
    if (production && !target.secure) return Result.fail("must be an https address")
    return addressPolicy === undefined ? Result.void : checkReach(target, addressPolicy)
  })

/** The target of an absolute http(s) URL; fails with what is wrong with it. */
export const parse = (text: string): Result.Result<Target, string> => {
  if (!/^https?:\/\/[^/\\]/i.test(text) || unprintable.test(text)) return Result.fail(malformed)
  const url = URL.parse(text)
  if (url === null) return Result.fail(malformed)
  if (hasUserinfo.test(text)) return Result.fail("must not contain a user name or password")
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname
  const secure = url.protocol === "https:"
  return Result.succeed({
    secure,
    host,
    literal: url.hostname.startsWith("[") || /^[0-9.]+$/.test(host),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search
  })
}

const malformed = "must be an absolute http or https address"
/** The URL parser would silently drop some of these, and reads `\` as `/`. */
const unprintable = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\]/u
/** Also an empty one (`http://@shop.example/`), which the URL parser forgets. */
const hasUserinfo = /^[^/]*\/\/[^/\\?#]*@/

const checkReach = (
  { host, literal, port }: Target,
  policy: AddressPolicy.AddressPolicy
): Result.Result<void, string> => {
  const address = literal ? host : localhost.test(host) ? "127.0.0.1" : undefined
  if (address !== undefined && Result.isFailure(AddressPolicy.check(address, policy))) {
    return Result.fail("must not be a private or reserved address")
  }
  // Which address a name has is known at delivery only: it may lie where any port is allowed.
  const free = address === undefined && policy.anyPortRanges.length > 0
  return free || Result.isSuccess(AddressPolicy.checkPort(port, address ?? host, policy))
    ? Result.void
    : Result.fail(`must use one of the ports ${[...policy.ports].join(", ")}`)
}

/** RFC 6761 §6.3: these names never leave the machine. */
const localhost = /^(.*\.)?localhost\.?$/

/**
 * The address with more parameters (already encoded, joined by `&`) behind those it has, without its fragment; `query`
 * is the raw query string exactly as it will be sent, which is what `webhook-signature` covers.
 */
export const withQuery = (
  text: string,
  encoded: string
): { readonly url: string; readonly query: string } | undefined => {
  const url = URL.parse(text)
  if (url === null) return undefined
  url.hash = ""
  url.search = url.search === "" ? encoded : `${url.search}&${encoded}`
  return { url: url.href, query: url.search.slice(1) }
}
