/**
 * A customer's IP address in one notation, so that rules, limits and 3-D Secure mean the same host by the same text. An IPv6
 * address that stands for an IPv4 host (IPv4-mapped, NAT64, 6to4) is that host's IPv4 address. There are no zones: they mean
 * something on one machine only.
 */
import { Brand, Result } from "effect"
import ipaddr from "ipaddr.js"
import * as AddressPolicy from "./AddressPolicy.ts"

/** IPv4 in four decimal parts, IPv6 in lower case with its longest zeros left out (RFC 5952), or empty: not known. */
export type CustomerAddress = string & Brand.Brand<"CustomerAddress">

const make = Brand.nominal<CustomerAddress>()

/** No address is known. */
export const none = make("")

/** Under which IPv6 addresses an IPv4 host is reached, and where in their sixteen bytes its own four stand. */
const forms = [
  { range: ipaddr.IPv6.parseCIDR("::ffff:0:0/96"), offset: 12 },
  { range: ipaddr.IPv6.parseCIDR("64:ff9b::/96"), offset: 12 },
  { range: ipaddr.IPv6.parseCIDR("2002::/16"), offset: 2 }
]

const hostedSessionOf = (address: ipaddr.IPv6) => forms.find(({ range }) => address.match(range))

const carried = (address: ipaddr.IPv6, offset: number) =>
  new ipaddr.IPv4(address.toByteArray().slice(offset, offset + 4))

/** Undefined: no IP address, or one with a zone. */
export const parse = (text: string): CustomerAddress | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return make(text)
  if (!ipaddr.IPv6.isValid(text) || text.includes("%")) return undefined
  const address = ipaddr.IPv6.parse(text)
  const form = hostedSessionOf(address)
  return make((form === undefined ? address : carried(address, form.offset)).toString())
}

/** An address that was checked before; from a row of an earlier release it may be in another notation. */
export const of = (text: string | undefined): CustomerAddress => (text === undefined ? none : (parse(text) ?? none))

/** Returns the address of a browser. An unknown address is left out. */
export const addressOf = (text: string | undefined): CustomerAddress | undefined => {
  const address = of(text)
  return address === none ? undefined : address
}

/**
 * What is counted for an address: itself, or the 64-bit network of an IPv6 address, within which one customer moves freely;
 * text that is no address counts as it is.
 */
export const network = (text: string): string => {
  const address = parse(text)
  if (address === undefined) return text
  return address.includes(":") ? ipaddr.parse(address).toNormalizedString().split(":").slice(0, 4).join(":") : address
}

/** A CIDR range or one address of a rule, in the notation of the addresses it is to match; fails with the text that is none. */
export const range = (text: string): Result.Result<AddressPolicy.Range, string> =>
  Result.map(
    AddressPolicy.parseRange(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`),
    ([address, bits]): AddressPolicy.Range => {
      if (!(address instanceof ipaddr.IPv6)) return [address, bits]
      const form = hostedSessionOf(address)
      const left = form === undefined ? -1 : bits - 8 * form.offset
      return form === undefined || left < 0 ? [address, bits] : [carried(address, form.offset), Math.min(left, 32)]
    }
  )
