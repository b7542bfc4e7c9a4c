/**
 * The addresses and ports to which a callback may go (docs/assumptions.md#callback-delivery). A merchant names the address, and
 * the gateway is inside a private network: without this policy, it would send requests to any system that trusts its network.
 */
import { Result } from "effect"
import ipaddr from "ipaddr.js"
import * as SpecialAddresses from "./SpecialAddresses.ts"

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = readonly [network: Address, bits: number]

export interface AddressPolicy {
  readonly ports: ReadonlySet<number>
  /** Ranges that are allowed although they are not globally routable. */
  readonly allowRanges: ReadonlyArray<Range>
  /** The ranges in which any port is allowed. */
  readonly anyPortRanges: ReadonlyArray<Range>
}

export interface Options {
  readonly ports?: ReadonlyArray<number>
  /** CIDR ranges, such as `10.20.0.0/16`, that callbacks may reach although they are not globally routable. */
  readonly allowRanges?: ReadonlyArray<string>
  /** CIDR ranges where any port may be used; they need to be allowed as well. */
  readonly anyPortRanges?: ReadonlyArray<string>
}

const defaultPorts: ReadonlyArray<number> = [80, 443, 8080, 8443]

/** Makes a policy. Fails with the text that is not a CIDR range. */
export const make = (options: Options = {}): Result.Result<AddressPolicy, string> =>
  Result.gen(function* () {
    return {
      ports: new Set(options.ports ?? defaultPorts),
      allowRanges: yield* Result.all((options.allowRanges ?? []).map(parseRange)),
      anyPortRanges: yield* Result.all((options.anyPortRanges ?? []).map(parseRange))
    }
  })

/** Parses a CIDR range. Fails with the text if it is not one. */
export const parseRange = (text: string): Result.Result<Range, string> =>
  (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) && !text.includes("%")
    ? Result.succeed(ipaddr.parseCIDR(text))
    : Result.fail(text)

const loopback = ["127.0.0.0/8", "::1/128"].map((range): Range => ipaddr.parseCIDR(range))

/** Globally routable addresses only, for production. */
export const publicOnly: AddressPolicy = { ports: new Set(defaultPorts), allowRanges: [], anyPortRanges: [] }

/** Also the addresses of the machine itself, on any port, for a sandbox. */
export const withLoopback: AddressPolicy = { ...publicOnly, allowRanges: loopback, anyPortRanges: loopback }

/**
 * Checks whether a callback may connect to this address (text, as a resolver returns it). Fails with the reason, in words for an
 * operator. An IPv6 address that carries an IPv4 address must pass as both.
 */
export const check = (text: string, policy: AddressPolicy): Result.Result<void, string> => {
  const address = parse(text)
  if (address === undefined) return Result.fail("not an IP address")
  for (const reading of readings(address)) {
    const special = within(reading, policy.allowRanges) ? undefined : specialBlock(reading)
    if (special !== undefined) return Result.fail(`${reading.toString()} is ${special}`)
  }
  return Result.void
}

/** Checks whether a callback may connect to this port of an address that `check` allows. */
export const checkPort = (port: number, text: string, policy: AddressPolicy): Result.Result<void, string> => {
  const address = parse(text)
  const free = policy.ports.has(port) || (address !== undefined && within(address, policy.anyPortRanges))
  return free ? Result.void : Result.fail(`port ${port} is not among ${[...policy.ports].join(", ")}`)
}

/**
 * Parses an address in its canonical form. URLs and resolvers give canonical forms, so octal, hexadecimal and shortened forms and
 * zones are refused.
 */
const parse = (text: string): Address | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return ipaddr.IPv6.isValid(text) && !text.includes("%") ? ipaddr.IPv6.parse(text) : undefined
}

const within = (address: Address, ranges: ReadonlyArray<Range>): boolean =>
  ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))

/** Whether an address, as text, is in one of the ranges. Text that is not an address is in none. */
export const contains = (ranges: ReadonlyArray<Range>, text: string): boolean => {
  const address = ranges.length === 0 ? undefined : parse(text)
  return address !== undefined && within(address, ranges)
}

const parseBlocks = <A extends { readonly range: string }>(blocks: ReadonlyArray<A>) =>
  blocks.map((block) => ({ ...block, range: [ipaddr.parseCIDR(block.range)] }))

const prepare = () => ({
  ipv4: parseBlocks(SpecialAddresses.ipv4),
  ipv6: parseBlocks(SpecialAddresses.ipv6),
  carriers: parseBlocks(SpecialAddresses.carriers)
})

let prepared: ReturnType<typeof prepare> | undefined
/** Prepared for the first callback, so that the start of the gateway does not wait for it. */
const specialBlocks = () => {
  prepared ??= prepare()
  return prepared
}

const specialBlock = (address: Address): string | undefined =>
  specialBlocks()[address.kind()].find(({ range }) => within(address, range))?.what

/** The address itself, and every IPv4 address that it carries. */
const readings = (address: Address): ReadonlyArray<Address> => {
  if (address.kind() === "ipv4") return [address]
  const bytes = address.toByteArray()
  const embedded = specialBlocks()
    .carriers.filter(({ range }) => within(address, range))
    .map(({ inverted, offset }) => bytes.slice(offset, offset + 4).map((byte) => (inverted ? byte ^ 0xff : byte)))
  const isatap = SpecialAddresses.isatap.some((marker) => marker.every((byte, i) => bytes[8 + i] === byte))
  if (isatap) embedded.push(bytes.slice(12))
  return [address, ...embedded.map((octets) => new ipaddr.IPv4(octets))]
}
