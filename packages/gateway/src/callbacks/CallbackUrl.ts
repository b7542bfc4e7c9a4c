/**
 * What is asked of every address that a merchant names: `server_callback_url`, `notify_url`, `redirect_url` (decisions:
 * 3-D Secure, callback). A name is not resolved here; that is done, and judged, at each delivery.
 */
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
 * What is wrong with the URL, as the end of a sentence ("must be …"); `undefined`: nothing. Host names in odd notations
 * (`0x7f.1`, `2130706433`, `127.0.0.1.`, full-width digits) are judged as the WHATWG URL parser reads them, as the
 * socket later does. The text is never repeated in the answer.
 */
export const problem = (text: string, { addressPolicy, production }: Rules): string | undefined => {
  const target = parse(text)
  if (typeof target === "string") return target
  if (production && !target.secure) return "must be an https address"
  return addressPolicy === undefined ? undefined : outOfReach(target, addressPolicy)
}

/** The target of an absolute http(s) URL, or what is wrong with it. */
export const parse = (text: string): Target | string => {
  if (!/^https?:\/\/[^/\\]/i.test(text) || unprintable.test(text)) return malformed
  const url = URL.parse(text)
  if (url === null) return malformed
  if (hasUserinfo.test(text)) return "must not contain a user name or password"
  const host = url.hostname.startsWith("[") ? url.hostname.slice(1, -1) : url.hostname
  const secure = url.protocol === "https:"
  return {
    secure,
    host,
    literal: url.hostname.startsWith("[") || /^[0-9.]+$/.test(host),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search
  }
}

const malformed = "must be an absolute http or https address"
/** The URL parser would silently drop some of these, and reads `\` as `/`. */
const unprintable = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\]/u
/** Also an empty one (`http://@shop.example/`), which the URL parser forgets. */
const hasUserinfo = /^[^/]*\/\/[^/\\?#]*@/

const outOfReach = ({ host, literal, port }: Target, policy: AddressPolicy.AddressPolicy): string | undefined => {
  const address = literal ? host : localhost.test(host) ? "127.0.0.1" : undefined
  if (address !== undefined && AddressPolicy.check(address, policy) !== "allowed") {
    return "must not be a private or reserved address"
  }
  // Which address a name has is known at delivery only: it may lie where any port is allowed.
  const free = address === undefined && policy.anyPortRanges.length > 0
  return free || AddressPolicy.checkPort(port, address ?? host, policy) === "allowed"
    ? undefined
    : `must use one of the ports ${[...policy.ports].join(", ")}`
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
