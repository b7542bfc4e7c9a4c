/**
 * A customer's IP address in one notation, so that rules, limits and 3-D Secure use the same text for the same host. An IPv6
 * address that stands for an IPv4 host (IPv4-mapped, NAT64, 6to4) becomes that host's IPv4 address. Addresses with a zone are
 * refused, because a zone has a meaning on one machine only.
 */
import { Brand, Result } from "effect"
import ipaddr from "ipaddr.js"
import * as AddressPolicy from "./AddressPolicy.ts"

/**
 * IPv4 in four decimal parts; IPv6 in lower case with its longest run of zeros left out (RFC 5952); or empty if the address is
 * unknown.
 */
export type CustomerAddress = string & Brand.Brand<"CustomerAddress">

const make = Brand.nominal<CustomerAddress>()

/** An unknown address. */
export const none = make("")

/** The IPv6 ranges that stand for IPv4 hosts, and the offset of the four IPv4 bytes in the sixteen bytes of the address. */
const forms = [
  { range: ipaddr.IPv6.parseCIDR("::ffff:0:0/96"), offset: 12 },
  { range: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), offset: 12 },
  { range: ipaddr.IPv6.parseCIDR("2002::/16"), offset: 2 }
]

const embeddingFormOf = (address: ipaddr.IPv6) => forms.find(({ range }) => address.match(range))

const embeddedIPv4 = (address: ipaddr.IPv6, offset: number) =>
  new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4))

/** Parses an address. `undefined`: the text is not an IP address, or has a zone. */
export const parse = (text: string): CustomerAddress | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return make(text)
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) return undefined
  const address = ipaddr.IPv6.parse(text)
  const form = embeddingFormOf(address)
  return make((form === undefined ? address : embeddedIPv4(address, form.offset)).toString())
}

/** Returns the address of a request or row that was checked before. A missing address is unknown. */
export const of = (text: string | undefined): CustomerAddress => (text === undefined ? none : (parse(text) ?? none))

/** Returns the address of a browser. An unknown address is left out. */
export const addressOf = (text: string | undefined): CustomerAddress | undefined => {
  const address = of(text)
  return address === none ? undefined : address
}

/**
 * Returns the key under which requests of an address are counted: the address itself, or the 64-bit network of an IPv6 address,
 * within which one customer can change addresses. Text that is not an address is its own key.
 */
export const network = (text: string): string => {
  const address = parse(text)
  if (address === undefined) return text
  return address.includes(":") ? ipaddr.parse(address).toNormalizedString().split(":").slice(0, 4).join(":") : address
}

/**
 * Parses a CIDR range or a single address of a rule, in the notation of {@link CustomerAddress}. Fails with the text if it is
 * neither.
 */
export const range = (text: string): Result.Result<AddressPolicy.Range, string> =>
  Result.map(
    AddressPolicy.parseRange(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`),
    ([address, bits]): AddressPolicy.Range => {
      if (!(address instanceof ipaddr.IPv6)) return [address, bits]
      const form = embeddingFormOf(address)
      const left = form === undefined ? -1 : bits - 8 * form.offset
      return form === undefined || left < 0 ? [address, bits] : [embeddedIPv4(address, form.offset), Math.min(left, 32)]
    }
  )
