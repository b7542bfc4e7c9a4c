/**
 * Checks every address that a merchant names: `server_callback_url`, `notify_url`, `redirect_url` (docs/assumptions.md#fields).
 * Names are not resolved here, but at each delivery, which checks the addresses.
 */
import { Result } from "effect"
import * as AddressPolicy from "../../network/AddressPolicy.ts"

export interface Rules {
  /** Whether only https is allowed. */
  readonly production: boolean
  /**
   * The policy for addresses that the gateway itself calls. If it is left out, the browser goes to the address, and any host and
   * port is allowed.
   */
  readonly addressPolicy?: AddressPolicy.AddressPolicy | undefined
}

/** The parts of a URL that a connection needs. */
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
 * Checks a URL. Fails with the problem, as the end of a sentence ("must be …"). Host names in unusual notations (`0x7f.1`,
 * `2130706433`, `127.0.0.1.`, full-width digits) are checked as the WHATWG URL parser reads them, which the socket uses too. The
 * message never contains the text.
 */
export const check = (text: string, { addressPolicy, production }: Rules): Result.Result<void, string> =>
  Result.flatMap(parse(text), (target) => {
    if (production && !target.secure) return Result.fail("must be an https address")
    return addressPolicy === undefined ? Result.void : checkReach(target, addressPolicy)
  })

/** Parses an absolute http(s) URL. Fails with the problem. */
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
/** Characters that the URL parser would silently drop, and `\`, which it reads as `/`. */
const unprintable = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\\]/u
/** Matches a user name and password, also an empty one (`http://@shop.example/`), which the URL parser drops. */
const hasUserinfo = /^[^/]*\/\/[^/\\?#]*@/

const checkReach = (
  { host, literal, port }: Target,
  policy: AddressPolicy.AddressPolicy
): Result.Result<void, string> => {
  const address = literal ? host : localhost.test(host) ? "127.0.0.1" : undefined
  if (address !== undefined && Result.isFailure(AddressPolicy.check(address, policy))) {
    return Result.fail("must not be a private or reserved address")
  }
  // The address of a name is resolved at delivery only, and may be in a range where any port is allowed.
  const free = address === undefined && policy.anyPortRanges.length > 0
  return free || Result.isSuccess(AddressPolicy.checkPort(port, address ?? host, policy))
    ? Result.void
    : Result.fail(`must use one of the ports ${[...policy.ports].join(", ")}`)
}

/** Names of the machine itself, which are never resolved elsewhere (RFC 6761 §6.3). */
const localhost = /^(.*\.)?localhost\.?$/
