/**
 * Whom a request comes from, for rate limits: the peer of the socket, or, where that is one of our own proxies, the last
 * address in `X-Forwarded-For` that is not. What a client writes in front of that is never believed.
 */
import { BlockList, isIP } from "node:net"
import ipaddr from "ipaddr.js"

export type Proxies = BlockList

/** CIDR ranges of our own proxies; undefined names the text that is none. */
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

const trusted = (list: Proxies, address: string): boolean => {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6")
}

/** Whether the peer is one of our own proxies. */
export const isProxy = (list: Proxies, peer: string): boolean => trusted(list, plain(peer))

/** Headers that proxies add. */
export const forwarding = ["forwarded", "via", "x-forwarded-for", "x-real-ip"] as const

/** Sent by proxies, and by browsers for a page that wants more than to be looked at. */
const foreign = [...forwarding, "origin", "sec-fetch-site"] as const

type Headers = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Whether a request came through a proxy, whatever its socket says. */
export const isForwarded = (headers: Headers): boolean => forwarding.some((name) => headers[name] !== undefined)

/** Whether a request that a peer on this machine sent may be somebody else's: forwarded, or made by a page in a browser. */
export const isForeign = (headers: Headers): boolean => foreign.some((name) => headers[name] !== undefined)

/**
 * In one notation: a dual-stack socket writes an IPv4 peer as IPv6, and a link-local one with its zone. NAT64 and 6to4
 * addresses stay as they are: under one of `127.0.0.1` somebody else would count as this machine.
 */
const plain = (text: string): string => {
  const [address = ""] = text.split("%", 1)
  if (isIP(address) !== 6) return address
  const read = ipaddr.IPv6.parse(address)
  return read.isIPv4MappedAddress() ? read.toIPv4Address().toString() : address
}

/** Whether the address is of this machine, also as a dual-stack socket names it. */
export const isLoopback = (address: string): boolean => {
  const text = plain(address)
  return text === "::1" || (isIP(text) === 4 && text.startsWith("127."))
}

/** The longest chain of our own proxies that is followed. */
const mostHops = 16

export const of = (peer: string, forwardedFor: string | undefined, list: Proxies): string => {
  let address = plain(peer)
  let left = forwardedFor ?? ""
  for (let hop = 0; hop < mostHops && trusted(list, address); hop++) {
    const comma = left.lastIndexOf(",")
    const before = plain(left.slice(comma + 1).trim())
    if (isIP(before) === 0) break
    address = before
    left = left.slice(0, Math.max(0, comma))
  }
  return address
}
