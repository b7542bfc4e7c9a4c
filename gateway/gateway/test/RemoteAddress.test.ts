import { assert, describe, it } from "@effect/vitest"
import * as RemoteAddress from "../src/network/RemoteAddress.ts"

const list = RemoteAddress.proxies(["10.0.0.0/8", "fd00::/8"])

/** peer, X-Forwarded-For, believed. */
const table: ReadonlyArray<readonly [string, string | undefined, string]> = [
  ["203.0.113.7", undefined, "203.0.113.7"],
  ["::ffff:203.0.113.7", undefined, "203.0.113.7"],
  ["203.0.113.7", "198.51.100.1", "203.0.113.7"],
  ["fe80::1%eth0", undefined, "fe80::1"],
  ["10.1.2.3", "::ffff:c633:6401", "198.51.100.1"],
  ["::ffff:a01:203", "192.0.2.9, ::ffff:10.9.9.9", "192.0.2.9"],
  ["2002:7f00:1::1", undefined, "2002:7f00:1::1"],
  ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "192.0.2.9, 198.51.100.1", "198.51.100.1"],
  ["10.1.2.3", "192.0.2.9, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  ["fd00::1", "2001:db8::5", "2001:db8::5"],
  ["10.1.2.3", undefined, "10.1.2.3"],
  ["10.1.2.3", "198.51.100.1:5001", "198.51.100.1"],
  ["10.1.2.3", '"198.51.100.1:5001"', "198.51.100.1"],
  ["10.1.2.3", "[2001:db8::1]:443", "2001:db8::1"],
  ["10.1.2.3", "[2001:db8::1]", "2001:db8::1"],
  ["10.1.2.3", '"[2001:db8::1]:443"', "2001:db8::1"],
  ["10.1.2.3", "[2001:DB8::1%25eth0]:443", "2001:DB8::1"],
  ["10.1.2.3", "[::ffff:198.51.100.1]:5001", "198.51.100.1"],
  ["10.1.2.3", "192.0.2.9:1, 198.51.100.1:5001, [::ffff:10.9.9.9]:80", "198.51.100.1"],
  ["10.1.2.3", "", "unknown"],
  ["10.1.2.3", "192.0.2.9,", "unknown"],
  ["10.1.2.3", "192.0.2.9, , 10.9.9.9", "unknown"],
  ["10.1.2.3", "192.0.2.9, unknown", "unknown"],
  ["10.1.2.3", "192.0.2.9, _hidden", "unknown"],
  ["10.1.2.3", "192.0.2.9, unknown, 10.9.9.9:80", "unknown"],
  ["10.1.2.3", "192.0.2.9, 198.51.100.256:80", "unknown"],
  ["10.1.2.3", "192.0.2.9, 198.51.100.1:port", "unknown"],
  ["10.1.2.3", "192.0.2.9, [198.51.100.1]x", "unknown"],
  ["10.1.2.3", "192.0.2.9, not an address", "unknown"],
  ["10.1.2.3", "10.9.9.9", "10.9.9.9"],
  ["10.1.2.3", `198.51.100.1${", 10.9.9.9".repeat(15)}`, "198.51.100.1"],
  ["10.1.2.3", `198.51.100.1${", 10.9.9.9".repeat(16)}`, "10.9.9.9"]
]

describe("the address of a caller", () => {
  for (const [peer, forwardedFor, believed] of table) {
    const header = forwardedFor ?? "(absent)"
    it(`is ${believed} for peer ${peer} and X-Forwarded-For ${header}`, () => {
      assert.isDefined(list)
      if (list === undefined) return
      const { address, unreadable } = RemoteAddress.of(peer, forwardedFor, list)
      assert.strictEqual(unreadable === undefined ? address : "unknown", believed)
    })
  }
})

describe("the trusted proxies", () => {
  for (const range of ["10.0.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0/8", "x/8", "10.0.0.0/"]) {
    it(`do not accept the range ${range}`, () => assert.isUndefined(RemoteAddress.proxies([range])))
  }
})

describe("the loopback addresses", () => {
  it.each(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1"])("include %s", (address) =>
    assert.isTrue(RemoteAddress.isLoopback(address))
  )
  it.each([
    "",
    "10.0.0.1",
    "128.0.0.1",
    "1270.0.0.1",
    "::2",
    "::11",
    "2002:7f00:1::1",
    "64:ff9b::127.0.0.1",
    "::ffff:10.0.0.1",
    "x127.0.0.1"
  ])("do not include %j", (address) => assert.isFalse(RemoteAddress.isLoopback(address)))
})
