/**
 * The address blocks to which a callback may not go, as data: all blocks that the IANA special-purpose address registries (RFC
 * 6890; iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry) do not mark as globally reachable, the
 * deprecated blocks of the same documents, and everything that IANA has not assigned as global unicast. If a registry makes
 * exceptions inside a block (192.0.0.9, 2001:20::/28, …), the whole block is refused, because no merchant's server has such an
 * address. A narrower block comes before a wider one, because the first match gives the reason.
 */

export interface Block {
  readonly range: string
  /** Continues a sentence after "is": `10.0.0.1 is a private address`. */
  readonly what: string
}

const block = (range: string, what: string): Block => ({ range, what })

export const ipv4: ReadonlyArray<Block> = [
  block("0.0.0.0/8", "an address of this network (RFC 791)"),
  block("10.0.0.0/8", "a private address (RFC 1918)"),
  block("100.64.0.0/10", "a shared address of a carrier (RFC 6598)"),
  block("127.0.0.0/8", "a loopback address (RFC 1122)"),
  block("169.254.0.0/16", "a link-local address (RFC 3927)"),
  block("172.16.0.0/12", "a private address (RFC 1918)"),
  block("192.0.0.0/24", "a protocol assignment (RFC 6890)"),
  block("192.0.2.0/24", "an address for documentation (RFC 5737)"),
  block("192.88.99.0/24", "a 6to4 relay (RFC 7526)"),
  block("192.168.0.0/16", "a private address (RFC 1918)"),
  block("198.18.0.0/15", "an address for benchmarks (RFC 2544)"),
  block("198.51.100.0/24", "an address for documentation (RFC 5737)"),
  block("203.0.113.0/24", "an address for documentation (RFC 5737)"),
  block("224.0.0.0/4", "a multicast address (RFC 5771)"),
  block("255.255.255.255/32", "the broadcast address (RFC 919)"),
  block("240.0.0.0/4", "a reserved address (RFC 1112)")
]

export const ipv6: ReadonlyArray<Block> = [
  block("::/128", "the unspecified address (RFC 4291)"),
  block("::1/128", "the loopback address (RFC 4291)"),
  block("::ffff:0:0/96", "an IPv4-mapped address (RFC 4291)"),
  block("::ffff:0:0:0/96", "an IPv4-translated address (RFC 2765)"),
  block("::/96", "an IPv4-compatible address (RFC 4291)"),
  block("64:ff9b::/96", "a NAT64 address (RFC 6052)"),
  block("64:ff9b:1::/48", "a local NAT64 address (RFC 8215)"),
  block("100::/64", "an address that is discarded (RFC 6666)"),
  block("100:0:0:1::/64", "a dummy address (RFC 9780)"),
  block("2001::/32", "a Teredo address (RFC 4380)"),
  block("2001::/23", "a protocol assignment (RFC 2928)"),
  block("2001:db8::/32", "an address for documentation (RFC 3849)"),
  block("2002::/16", "a 6to4 address (RFC 3056)"),
  block("3fff::/20", "an address for documentation (RFC 9637)"),
  block("5f00::/16", "a segment routing identifier (RFC 9602)"),
  block("fc00::/7", "a unique local address (RFC 4193)"),
  block("fe80::/10", "a link-local address (RFC 4291)"),
  block("fec0::/10", "a site-local address (RFC 3879)"),
  block("ff00::/8", "a multicast address (RFC 4291)"),
  ...["::/3", "4000::/2", "8000::/1"].map((range) => block(range, "no global unicast address (RFC 4291)"))
]

/** The position of an IPv4 address in the IPv6 addresses of a block. Gateways on the way may unwrap it. */
export interface Carrier {
  readonly range: string
  /** Offset of the first of the four bytes of the IPv4 address. */
  readonly offset: number
  /** Whether every bit of the IPv4 address is inverted, as in the client's address of Teredo. */
  readonly inverted: boolean
}

const carrier = (range: string, offset: number, inverted = false): Carrier => ({ range, offset, inverted })

export const carriers: ReadonlyArray<Carrier> = [
  carrier("::ffff:0:0/96", 12),
  carrier("::ffff:0:0:0/96", 12),
  carrier("64:ff9b::/96", 12),
  carrier("64:ff9b:1::/48", 12),
  carrier("2001::/32", 4),
  carrier("2001::/32", 12, true),
  carrier("2002::/16", 2)
]

/** Interface identifiers `::0:5efe:a.b.c.d` and `::200:5efe:a.b.c.d` carry an IPv4 address under any prefix (RFC 5214). */
export const isatap: ReadonlyArray<ReadonlyArray<number>> = [
  [0x00, 0x00, 0x5e, 0xfe],
  [0x02, 0x00, 0x5e, 0xfe]
]
