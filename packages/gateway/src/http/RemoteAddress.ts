/**
 * Whom a request comes from, for rate limits: the peer of the socket, or, where that is one of our own proxies, the last
 * address in `X-Forwarded-For` that is not. What a client writes in front of that is never believed.
 */
import { BlockList, isIP } from "node:net"

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

/** An IPv4 peer as a dual-stack socket names it, in its own notation. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/, "")

const loopback = /^(::ffff:)?127\.|^::1$/

/** Whether the address is of this machine, also as a dual-stack socket names it. */
export const isLoopback = (address: string): boolean => loopback.test(address)

export const of = (peer: string, forwardedFor: string | undefined, list: Proxies): string => {
  if (forwardedFor === undefined) return plain(peer)
  const chain = [...forwardedFor.split(",").map((address) => address.trim()), peer].map(plain)
  let address = chain.pop() ?? peer
  while (trusted(list, address)) {
    const before = chain.pop()
    if (before === undefined || isIP(before) === 0) break
    address = before
  }
  return address
}
