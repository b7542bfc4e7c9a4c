import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as AddressPolicy from "../../src/network/AddressPolicy.ts"
import * as CustomerAddress from "../../src/network/CustomerAddress.ts"
import * as BrowserFacts from "../../src/threeds/decide/BrowserFacts.ts"

describe("a customer's address has one notation", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["::FFFF:CB00:7107", "203.0.113.7"],
    ["0:0:0:0:0:ffff:cb00:7107", "203.0.113.7"],
    ["64:ff9b::203.0.113.7", "203.0.113.7"],
    ["64:ff9b::cb00:7107", "203.0.113.7"],
    ["2002:cb00:7107::1", "203.0.113.7"],
    ["2002:cb00:7107:1:2:3:4:5", "203.0.113.7"],
    ["2001:DB8:0:0:0:0:0:7", "2001:db8::7"],
    ["2001:db8::7", "2001:db8::7"],
    ["64:ff9b:1::cb00:7107", "64:ff9b:1::cb00:7107"],
    ["::1", "::1"],
    ["fe80::1%eth0", undefined],
    ["::ffff:203.0.113.7%1", undefined],
    ["0xcb.0.113.7", undefined],
    ["203.0.113", undefined],
    ["203.0.113.07", undefined],
    ["", undefined]
  ])("%j is %s", (text, expected) => assert.strictEqual(CustomerAddress.parse(text), expected))

  it("is left out of a browser's data if it is unknown", () => assert.isUndefined(BrowserFacts.fromRow('{"ip":""}').ip))
})

describe("velocity rules count two addresses as one customer", () => {
  it.each([
    ["203.0.113.7", "203.0.113.8", false],
    ["::ffff:203.0.113.7", "::ffff:203.0.113.8", false],
    ["64:ff9b::203.0.113.7", "64:ff9b::203.0.113.8", false],
    ["2002:cb00:7107::1", "2002:cb00:7107:2::1", true],
    ["::ffff:203.0.113.7", "64:ff9b::cb00:7107", true],
    ["2001:db8:0:1::7", "2001:db8:0:1:ffff::8", true],
    ["2001:db8:0:1::7", "2001:DB8::1:0:0:0:7", true],
    ["2001:db8:0:1::7", "2001:db8:0:2::7", false]
  ])("%s and %s: %s", (one, other, expected) =>
    assert.strictEqual(CustomerAddress.network(one) === CustomerAddress.network(other), expected)
  )
})

describe("a range of a risk rule", () => {
  const notations = ["203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107", "64:ff9b::cb00:7107", "2002:cb00:7107::1"]
  it.each([
    ["203.0.113.7", true],
    ["203.0.113.0/24", true],
    ["::ffff:203.0.113.7", true],
    ["::ffff:203.0.113.0/120", true],
    ["64:ff9b::/96", true],
    ["2002:cb00:7107::/48", true],
    ["2002:cb00:7100::/40", true],
    ["203.0.112.0/24", false],
    ["::ffff:203.0.112.0/120", false],
    ["2001:db8::/32", false]
  ])("matches a host in each of its notations: %s: %s", (text, expected) => {
    const range = Result.getOrThrow(CustomerAddress.range(text))
    const matched = notations.filter((each) => AddressPolicy.contains([range], CustomerAddress.of(each)))
    assert.deepStrictEqual(matched, expected ? notations : [])
  })

  it.each(["203.0.113.0/33", "fe80::%1/64", "nowhere", ""])("is refused: %j", (text) =>
    assert.isTrue(Result.isFailure(CustomerAddress.range(text)))
  )
})
