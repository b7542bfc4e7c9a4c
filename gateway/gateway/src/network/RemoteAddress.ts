/**
 * The client address of a request, for rate limits: the peer of the socket or, if the peer is a proxy of the deployment, the last
 * address in `X-Forwarded-For` that is not such a proxy. Earlier entries are written by the client and never trusted. Entries may have
 * ports, brackets and quotes, as proxies write them.
 */
import { BlockList, isIP } from "node:net"
import ipaddr from "ipaddr.js"

export type Proxies = BlockList

/** Parses the CIDR ranges of the deployment's own proxies. `undefined`: one of the texts is not a CIDR range. */
export const proxies = (ranges: ReadonlyArray<string>): Proxies | undefined => {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", bits = ""] = range.split("/")
    const family = isIP(address)
    const most = family === 4 ? 32 : 128
    if (family === 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > most) return undefined
    list.addSubnet(address, Number(bits), family === 4 ? "ipv4" : "ipv6")
  }
  return list
}

const isListed = (list: Proxies, address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6")
}

/** Whether the peer is one of the deployment's own proxies. */
export const isProxy = (list: Proxies, peer: string): boolean => isListed(list, plain(peer))

/** Headers that proxies add. */
export const forwarding = ["forwarded", "via", "x-forwarded-for", "x-real-ip"] as const

/** Headers that proxies add, and headers that browsers add to requests of a page's scripts and forms. */
const foreignHeaders = [...forwarding, "origin", "sec-fetch-site"] as const

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Whether the headers show that a request came through a proxy, whatever the address of its socket is. */
export const isForwarded = (headers: Headers): boolean => forwarding.some((name) => headers[name] !== undefined)

/**
 * Whether a request from a peer on this machine may originate elsewhere: a proxy forwarded it, or a page in a browser made it.
 */
export const isForeign = (headers: Headers): boolean => foreignHeaders.some((name) => headers[name] !== undefined)

/**
 * Normalizes an address. A dual-stack socket writes an IPv4 peer as IPv6, and a link-local peer with its zone. NAT64 and 6to4
 * addresses stay unchanged: otherwise another host could count as `127.0.0.1`.
 */
const plain = (text: string): string => {
  const [address = ""] = text.split("%", 1)
  if (isIP(address) !== 6) return address
  const read = ipaddr.IPv6.parse(address)
  return read.isIPv4MappedAddress() ? read.toIPv4Address().toString() : address
}

/** Whether the address is a loopback address, also in the notation of a dual-stack socket. */
export const isLoopback = (address: string): boolean => {
  const text = plain(address)
  return text === "::1" || (isIP(text) === 4 && text.startsWith("127."))
}

/** Longest chain of the deployment's own proxies that is followed. */
const mostHops = 16

/** The address inside an entry: `198.51.100.1:5001`, `[2001:db8::1]:443`, `"[2001:db8::1]"`. */
const notations = /^"?(?:\[([0-9a-f:.]{2,45})(?:%[^\]"]{0,40})?\]|(\d{1,3}(?:\.\d{1,3}){3}))(?::\d{1,5})?"?$/i

/** Reads an entry of `X-Forwarded-For`. `undefined`: it is no address, such as `unknown` or `_hidden` (RFC 7239 section 6). */
const entryAddress = (text: string): string | undefined => {
  const [, bracketed, withPort] = notations.exec(text) ?? []
  const address = plain(bracketed ?? withPort ?? text)
  return isIP(address) === 0 ? undefined : address
}

/** The caller of a request. */
export interface Caller {
  readonly address: string
  /**
   * The entry of a trusted proxy that is no address. The caller is then unknown: the proxy's own address would make all its clients
   * one caller, and an earlier entry is written by the client.
   */
  readonly unreadable: string | undefined
}

export const of = (peer: string, forwardedFor: string | undefined, list: Proxies): Caller => {
  let address = plain(peer)
  let left = forwardedFor
  for (let hop = 0; hop < mostHops && left !== undefined && isListed(list, address); hop++) {
    const comma = left.lastIndexOf(",")
    const entry = left.slice(comma + 1).trim()
    const before = entryAddress(entry)
    if (before === undefined) return { address, unreadable: entry }
    address = before
    left = comma === -1 ? undefined : left.slice(0, comma)
  }
  return { address, unreadable: undefined }
}
