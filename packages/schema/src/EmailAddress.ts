/** Spellings of an e-mail address that reach one mailbox, for comparisons. An address is stored and shown as it was sent. */

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text)

/** Characters that would end the host of a URL. A domain with one of them is compared as it is. */
const endsHost = /[/\\?#:]/

const domainOf = (domain: string): string =>
  isAscii(domain) || endsHost.test(domain)
    ? domain.toLowerCase()
    : (URL.parse(`http://${domain}`)?.hostname ?? domain.toLowerCase())

/**
 * Returns one text for all spellings of an address: its domain as it stands in the DNS (`bücher.example` as
 * `xn--bcher-kva.example`), and accents composed. Upper and lower case before the `@` stay different.
 */
export const canonical = (address: string): string => {
  const at = address.lastIndexOf("@") + 1
  return address.slice(0, at).normalize("NFC") + domainOf(address.slice(at))
}

/** Returns one text for all addresses of one customer, for risk rules. Upper and lower case are the same customer. */
export const customer = (address: string): string => canonical(address).toLowerCase()
