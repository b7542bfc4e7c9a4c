import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as TextTable from "../../../packages/schema/test/TextTable.ts"
import * as AddressPolicy from "../src/network/AddressPolicy.ts"

/** First and last address of each block, with a neighbour outside where that one is public. */
const publicOnly = TextTable.rows(`
  0.0.0.0                                   | 0.0.0.0 is an address of this network (RFC 791)
  0.255.255.255                             | 0.255.255.255 is an address of this network (RFC 791)
  1.0.0.0                                   | allowed
  1.1.1.1                                   | allowed
  8.8.8.8                                   | allowed
  9.255.255.255                             | allowed
  10.0.0.0                                  | 10.0.0.0 is a private address (RFC 1918)
  10.255.255.255                            | 10.255.255.255 is a private address (RFC 1918)
  11.0.0.0                                  | allowed
  100.63.255.255                            | allowed
  100.64.0.0                                | 100.64.0.0 is a shared address of a carrier (RFC 6598)
  100.127.255.255                           | 100.127.255.255 is a shared address of a carrier (RFC 6598)
  100.128.0.0                               | allowed
  126.255.255.255                           | allowed
  127.0.0.0                                 | 127.0.0.0 is a loopback address (RFC 1122)
  127.0.0.1                                 | 127.0.0.1 is a loopback address (RFC 1122)
  127.255.255.255                           | 127.255.255.255 is a loopback address (RFC 1122)
  128.0.0.0                                 | allowed
  169.253.255.255                           | allowed
  169.254.0.0                               | 169.254.0.0 is a link-local address (RFC 3927)
  169.254.169.254                           | 169.254.169.254 is a link-local address (RFC 3927)
  169.254.255.255                           | 169.254.255.255 is a link-local address (RFC 3927)
  169.255.0.0                               | allowed
  172.15.255.255                            | allowed
  172.16.0.0                                | 172.16.0.0 is a private address (RFC 1918)
  172.31.255.255                            | 172.31.255.255 is a private address (RFC 1918)
  172.32.0.0                                | allowed
  191.255.255.255                           | allowed
  192.0.0.0                                 | 192.0.0.0 is a protocol assignment (RFC 6890)
  192.0.0.9                                 | 192.0.0.9 is a protocol assignment (RFC 6890)
  192.0.0.255                               | 192.0.0.255 is a protocol assignment (RFC 6890)
  192.0.1.0                                 | allowed
  192.0.2.0                                 | 192.0.2.0 is an address for documentation (RFC 5737)
  192.0.2.255                               | 192.0.2.255 is an address for documentation (RFC 5737)
  192.0.3.0                                 | allowed
  192.88.98.255                             | allowed
  192.88.99.0                               | 192.88.99.0 is a 6to4 relay (RFC 7526)
  192.88.99.255                             | 192.88.99.255 is a 6to4 relay (RFC 7526)
  192.88.100.0                              | allowed
  192.167.255.255                           | allowed
  192.168.0.0                               | 192.168.0.0 is a private address (RFC 1918)
  192.168.255.255                           | 192.168.255.255 is a private address (RFC 1918)
  192.169.0.0                               | allowed
  198.17.255.255                            | allowed
  198.18.0.0                                | 198.18.0.0 is an address for benchmarks (RFC 2544)
  198.19.255.255                            | 198.19.255.255 is an address for benchmarks (RFC 2544)
  198.20.0.0                                | allowed
  198.51.99.255                             | allowed
  198.51.100.0                              | 198.51.100.0 is an address for documentation (RFC 5737)
  198.51.100.255                            | 198.51.100.255 is an address for documentation (RFC 5737)
  198.51.101.0                              | allowed
  203.0.112.255                             | allowed
  203.0.113.0                               | 203.0.113.0 is an address for documentation (RFC 5737)
  203.0.113.255                             | 203.0.113.255 is an address for documentation (RFC 5737)
  203.0.114.0                               | allowed
  223.255.255.255                           | allowed
  224.0.0.0                                 | 224.0.0.0 is a multicast address (RFC 5771)
  239.255.255.255                           | 239.255.255.255 is a multicast address (RFC 5771)
  240.0.0.0                                 | 240.0.0.0 is a reserved address (RFC 1112)
  255.255.255.254                           | 255.255.255.254 is a reserved address (RFC 1112)
  255.255.255.255                           | 255.255.255.255 is the broadcast address (RFC 919)

  ::                                        | :: is the unspecified address (RFC 4291)
  ::1                                       | ::1 is the loopback address (RFC 4291)
  0:0:0:0:0:0:0:1                           | ::1 is the loopback address (RFC 4291)
  ::2                                       | ::2 is an IPv4-compatible address (RFC 4291)
  ::808:808                               | ::808:808 is an IPv4-compatible address (RFC 4291)
  ::ffff:127.0.0.1                          | ::ffff:7f00:1 is an IPv4-mapped address (RFC 4291)
  ::ffff:8.8.8.8                            | ::ffff:808:808 is an IPv4-mapped address (RFC 4291)
  ::FFFF:0A00:0001                          | ::ffff:a00:1 is an IPv4-mapped address (RFC 4291)
  ::ffff:0:8.8.8.8                          | ::ffff:0:808:808 is an IPv4-translated address (RFC 2765)
  64:ff9b::8.8.8.8                          | 64:ff9b::808:808 is a NAT64 address (RFC 6052)
  64:ff9b:1::1                              | 64:ff9b:1::1 is a local NAT64 address (RFC 8215)
  64:ff9b:1:ffff:ffff:ffff:ffff:ffff        | 64:ff9b:1:ffff:ffff:ffff:ffff:ffff is a local NAT64 address (RFC 8215)
  64:ff9b:2::1                              | 64:ff9b:2::1 is no global unicast address (RFC 4291)
  100::1                                    | 100::1 is an address that is discarded (RFC 6666)
  100:0:0:1::1                              | 100:0:0:1::1 is a dummy address (RFC 9780)
  1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff   | 1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff is no global unicast address (RFC 4291)
  2000::                                    | allowed
  2001::1                                   | 2001::1 is a Teredo address (RFC 4380)
  2001:0:ffff::1                            | 2001:0:ffff::1 is a Teredo address (RFC 4380)
  2001:2::1                                 | 2001:2::1 is a protocol assignment (RFC 2928)
  2001:20::1                                | 2001:20::1 is a protocol assignment (RFC 2928)
  2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff    | 2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff is a protocol assignment (RFC 2928)
  2001:200::                                | allowed
  2001:4860:4860::8888                      | allowed
  2001:db7:ffff::                           | allowed
  2001:db8::                                | 2001:db8:: is an address for documentation (RFC 3849)
  2001:db8:ffff:ffff::1                     | 2001:db8:ffff:ffff::1 is an address for documentation (RFC 3849)
  2001:db9::                                | allowed
  2002::1                                   | 2002::1 is a 6to4 address (RFC 3056)
  2002:808:808::1                           | 2002:808:808::1 is a 6to4 address (RFC 3056)
  2003::1                                   | allowed
  2606:4700:4700::1111                      | allowed
  2a00:1450:4001:82a::200e                  | allowed
  2a00:1450::5efe:8.8.8.8                   | allowed
  2a00:1450::5efe:10.0.0.1                  | 10.0.0.1 is a private address (RFC 1918)
  2a00:1450::200:5efe:127.0.0.1             | 127.0.0.1 is a loopback address (RFC 1122)
  3ffe:ffff::                               | allowed
  3fff::                                    | 3fff:: is an address for documentation (RFC 9637)
  3fff:fff:ffff::1                          | 3fff:fff:ffff::1 is an address for documentation (RFC 9637)
  3fff:1000::                               | allowed
  4000::                                    | 4000:: is no global unicast address (RFC 4291)
  5f00::1                                   | 5f00::1 is a segment routing identifier (RFC 9602)
  8000::                                    | 8000:: is no global unicast address (RFC 4291)
  fc00::                                    | fc00:: is a unique local address (RFC 4193)
  fd00:ec2::254                             | fd00:ec2::254 is a unique local address (RFC 4193)
  fe80::1                                   | fe80::1 is a link-local address (RFC 4291)
  febf:ffff::1                              | febf:ffff::1 is a link-local address (RFC 4291)
  fec0::1                                   | fec0::1 is a site-local address (RFC 3879)
  ff00::                                    | ff00:: is a multicast address (RFC 4291)
  ff02::1                                   | ff02::1 is a multicast address (RFC 4291)
  ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff   | ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff is a multicast address (RFC 4291)

  2a00:1450::1%eth0                         | not an IP address
  fe80::1%1                                 | not an IP address
  127.1                                     | not an IP address
  2130706433                                | not an IP address
  0x7f000001                                | not an IP address
  0177.0.0.1                                | not an IP address
  8.8.8.8.                                  | not an IP address
  8.8.8.8/32                                | not an IP address
  [2000::1]                                 | not an IP address
  localhost                                 | not an IP address
`).filter((row) => row.length === 2)

/** What a deployment allows, and that an address inside another stays judged. */
const allowing = TextTable.rows(`
  10.20.0.0/16             | 10.20.3.4                  | allowed
  10.20.0.0/16             | 10.21.0.1                  | 10.21.0.1 is a private address (RFC 1918)
  10.20.0.0/16             | ::ffff:10.20.3.4           | ::ffff:a14:304 is an IPv4-mapped address (RFC 4291)
  10.20.0.0/16             | 2a00:1450::5efe:10.20.3.4  | allowed
  ::ffff:0:0/96            | ::ffff:8.8.8.8             | allowed
  ::ffff:0:0/96            | ::ffff:10.20.3.4           | 10.20.3.4 is a private address (RFC 1918)
  ::ffff:0:0/96            | 10.20.3.4                  | 10.20.3.4 is a private address (RFC 1918)
  ::ffff:0:0:0/96          | ::ffff:0:127.0.0.1         | 127.0.0.1 is a loopback address (RFC 1122)
  64:ff9b::/96             | 64:ff9b::8.8.8.8           | allowed
  64:ff9b::/96             | 64:ff9b::192.168.1.1       | 192.168.1.1 is a private address (RFC 1918)
  64:ff9b:1::/48           | 64:ff9b:1::192.168.1.1     | 192.168.1.1 is a private address (RFC 1918)
  2002::/16                | 2002:808:808::1            | allowed
  2002::/16                | 2002:c0a8:101::1           | 192.168.1.1 is a private address (RFC 1918)
  2001::/32                | 2001:0:808:808::f7f7:f7f7  | allowed
  2001::/32                | 2001:0:a00:1::f7f7:f7f7    | 10.0.0.1 is a private address (RFC 1918)
  2001::/32                | 2001:0:808:808::f5ff:fffe  | 10.0.0.1 is a private address (RFC 1918)
  fd12::/16                | fd12::1                    | allowed
  0.0.0.0/0                | ::1                        | ::1 is the loopback address (RFC 4291)
`)

const verdictOf = Result.match({ onFailure: (why: string) => why, onSuccess: () => "allowed" })

describe("an address policy", () => {
  it.each(publicOnly)("answers for %s, if only public addresses are allowed: %s", (address = "", verdict) => {
    assert.strictEqual(verdictOf(AddressPolicy.check(address, AddressPolicy.publicOnly)), verdict)
  })

  it.each(allowing)("answers, if it also allows %s, for %s: %s", (range = "", address = "", verdict) => {
    const policy = Result.getOrThrow(AddressPolicy.make({ allowRanges: [range] }))
    assert.strictEqual(verdictOf(AddressPolicy.check(address, policy)), verdict)
  })

  it.each(["", "10.0.0.0", "10/8", "10.0.0.0/33", "::/129", "fe80::%1/64", "0x0a.0.0.0/8", "office"])(
    "rejects the range %j",
    (text) => {
      assert.deepStrictEqual(AddressPolicy.make({ allowRanges: [text] }), Result.fail(text))
      assert.deepStrictEqual(AddressPolicy.make({ anyPortRanges: [text] }), Result.fail(text))
    }
  )

  it("allows in a sandbox also this machine, on any port, and nothing else", () => {
    const policy = AddressPolicy.withLoopback
    const verdicts = ["127.0.0.1", "127.9.9.9", "::1", "8.8.8.8", "10.0.0.1", "::ffff:127.0.0.1"].map((address) => [
      address,
      Result.isSuccess(AddressPolicy.check(address, policy)),
      Result.isSuccess(AddressPolicy.checkPort(9999, address, policy))
    ])
    assert.deepStrictEqual(verdicts, [
      ["127.0.0.1", true, true],
      ["127.9.9.9", true, true],
      ["::1", true, true],
      ["8.8.8.8", true, false],
      ["10.0.0.1", false, false],
      ["::ffff:127.0.0.1", false, false]
    ])
  })

  it("allows the ports 80, 443, 8080 and 8443, or the configured ports", () => {
    const answers = (policy: AddressPolicy.AddressPolicy) =>
      [22, 80, 443, 3000, 8080, 8443].filter((port) =>
        Result.isSuccess(AddressPolicy.checkPort(port, "8.8.8.8", policy))
      )
    assert.deepStrictEqual(answers(AddressPolicy.publicOnly), [80, 443, 8080, 8443])
    assert.deepStrictEqual(answers(Result.getOrThrow(AddressPolicy.make())), [80, 443, 8080, 8443])
    assert.deepStrictEqual(answers(Result.getOrThrow(AddressPolicy.make({ ports: [3000] }))), [3000])
    assert.deepStrictEqual(
      AddressPolicy.checkPort(22, "8.8.8.8", AddressPolicy.publicOnly),
      Result.fail("port 22 is not among 80, 443, 8080, 8443")
    )
  })
})

describe("a list of address ranges", () => {
  const ranges = ["203.0.113.0/24", "2001:db8::/32"].map((text) => Result.getOrThrow(AddressPolicy.parseRange(text)))
  it.each([
    ["203.0.113.255", true],
    ["203.0.114.0", false],
    ["2001:db8:ffff::1", true],
    ["2001:db9::1", false],
    ["nowhere", false],
    ["", false]
  ] as const)("contains %j: %s", (address, expected) => {
    assert.strictEqual(AddressPolicy.contains(ranges, address), expected)
  })
})
