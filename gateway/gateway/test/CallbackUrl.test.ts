import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as CallbackUrl from "../src/callbacks/decide/CallbackUrl.ts"
import * as AddressPolicy from "../src/network/AddressPolicy.ts"

const valid = undefined
const malformed = "must be an absolute http or https address"
const userinfo = "must not contain a user name or password"
const reserved = "must not be a private or reserved address"
const ports = "must use one of the ports 80, 443, 8080, 8443"
const secure = "must be an https address"

/** URLs whose form alone is checked. */
const forms: ReadonlyArray<readonly [url: string, problem: string | undefined]> = [
  ["https://shop.example", valid],
  ["https://shop.example/paid?id=7&x=%20#top", valid],
  ["HTTPS://SHOP.EXAMPLE/", valid],
  ["http://localhost:3000/paid", valid],
  ["http://10.0.0.1:22/", valid],
  ["https://münchen.example/", valid],
  ["", malformed],
  ["shop.example/paid", malformed],
  ["//shop.example/paid", malformed],
  ["/paid", malformed],
  ["https:shop.example", malformed],
  ["https:/shop.example", malformed],
  ["https:///shop.example", malformed],
  ["https:\\\\shop.example", malformed],
  ["https://\\shop.example", malformed],
  ["https://shop.example\\paid", malformed],
  ["https://shop.example/a\\..\\b", malformed],
  ["ftp://shop.example/", malformed],
  ["file:///etc/passwd", malformed],
  ["javascript:alert(1)", malformed],
  ["javascript://shop.example/%0aalert(1)", malformed],
  ["data:text/html,x", malformed],
  ["https://shop.example:99999/", malformed],
  ["https://shop.example:x/", malformed],
  ["https://1.2.3.4.5/", malformed],
  ["https://[::1/", malformed],
  ["https://[fe80::1%25eth0]/", malformed],
  [" https://shop.example/", malformed],
  ["https://shop.example/a b", malformed],
  ["https://shop.example/\r\nHost: evil.example", malformed],
  ["https://shop\t.example/", malformed],
  ["https://shop.example/\u0000", malformed],
  ["https://shop.example/\u2028", malformed],
  ["https://user:secret@shop.example/", userinfo],
  ["https://user@shop.example/", userinfo],
  ["https://@shop.example/", userinfo],
  ["https://:@shop.example/", userinfo],
  ["https://shop.example@evil.example/", userinfo],
  ["https://shop.example/@me?mail=a@b#c@d", valid]
]

/** Addresses that the gateway calls itself, in production's policy but with http allowed. */
const reach: ReadonlyArray<readonly [url: string, problem: string | undefined]> = [
  ["http://shop.example/paid", valid],
  ["http://shop.example:8080/paid", valid],
  ["https://shop.example:8443/paid", valid],
  ["https://shop.example:80/paid", valid],
  ["http://shop.example:22/", ports],
  ["http://shop.example:0/", ports],
  ["http://8.8.8.8/", valid],
  ["http://8.8.8.8:3000/", ports],
  ["http://127.0.0.1/", reserved],
  ["http://127.0.0.1./", reserved],
  ["http://127.1/", reserved],
  ["http://2130706433/", reserved],
  ["http://0x7f000001/", reserved],
  ["http://0x7f.0.0.1/", reserved],
  ["http://0177.0.0.1/", reserved],
  ["http://%31%32%37.0.0.1/", reserved],
  ["http://①②⑦.0.0.1/", reserved],
  ["http://127。0。0。1/", reserved],
  ["http://0/", reserved],
  ["http://169.254.169.254/latest/meta-data/", reserved],
  ["http://[::1]/", reserved],
  ["http://[::ffff:127.0.0.1]/", reserved],
  ["http://[64:ff9b::10.0.0.1]/", reserved],
  ["http://[2606:4700:4700::1111]/", valid],
  ["http://localhost/", reserved],
  ["http://LocalHost./", reserved],
  ["http://shop.localhost/", reserved],
  ["http://notlocalhost/", valid]
]

describe("the check of a merchant's callback address", () => {
  it.each(forms)("accepts or refuses its form: %j → %s", (url, problem) => {
    assert.strictEqual(Result.merge(CallbackUrl.check(url, { production: false })), problem)
  })

  it.each(reach)("accepts or refuses its host for a call by the gateway: %j → %s", (url, problem) => {
    const rules = { production: false, addressPolicy: AddressPolicy.publicOnly }
    assert.strictEqual(Result.merge(CallbackUrl.check(url, rules)), problem)
  })

  it("accepts only https in production", () => {
    assert.strictEqual(Result.merge(CallbackUrl.check("http://shop.example/", { production: true })), secure)
    assert.strictEqual(Result.merge(CallbackUrl.check("https://shop.example/", { production: true })), valid)
  })

  it("accepts any port of the machine and of host names in the sandbox", () => {
    const rules = { production: false, addressPolicy: AddressPolicy.withLoopback }
    const problems = ["http://localhost:3000/", "http://[::1]:3000/", "http://shop.test:3000/", "http://8.8.8.8:3000/"]
    assert.deepStrictEqual(
      problems.map((url) => Result.merge(CallbackUrl.check(url, rules))),
      [valid, valid, valid, ports]
    )
  })
})
