import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as CallbackUrl from "../src/callbacks/CallbackUrl.ts"
import * as AddressPolicy from "../src/network/AddressPolicy.ts"

const fine = undefined
const malformed = "must be an absolute http or https address"
const userinfo = "must not contain a user name or password"
const reserved = "must not be a private or reserved address"
const ports = "must use one of the ports 80, 443, 8080, 8443"
const secure = "must be an https address"

/** Any URL, wherever it leads. */
const forms: ReadonlyArray<readonly [url: string, problem: string | undefined]> = [
  ["https://shop.example", fine],
  ["https://shop.example/paid?id=7&x=%20#top", fine],
  ["HTTPS://SHOP.EXAMPLE/", fine],
  ["http://localhost:3000/paid", fine],
  ["http://10.0.0.1:22/", fine],
  ["https://münchen.example/", fine],
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
  ["https://shop.example/@me?mail=a@b#c@d", fine]
]

/** Addresses that the gateway calls itself, in production's policy but with http allowed. */
const reach: ReadonlyArray<readonly [url: string, problem: string | undefined]> = [
  ["http://shop.example/paid", fine],
  ["http://shop.example:8080/paid", fine],
  ["https://shop.example:8443/paid", fine],
  ["https://shop.example:80/paid", fine],
  ["http://shop.example:22/", ports],
  ["http://shop.example:0/", ports],
  ["http://8.8.8.8/", fine],
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
  ["http://[2606:4700:4700::1111]/", fine],
  ["http://localhost/", reserved],
  ["http://LocalHost./", reserved],
  ["http://shop.localhost/", reserved],
  ["http://notlocalhost/", fine]
]

describe("CallbackUrl.check", () => {
  it.each(forms)("%j → %s", (url, problem) => {
    assert.strictEqual(Result.merge(CallbackUrl.check(url, { production: false })), problem)
  })

  it.each(reach)("called by the gateway: %j → %s", (url, problem) => {
    const rules = { production: false, addressPolicy: AddressPolicy.publicOnly }
    assert.strictEqual(Result.merge(CallbackUrl.check(url, rules)), problem)
  })

  it("production takes https only", () => {
    assert.strictEqual(Result.merge(CallbackUrl.check("http://shop.example/", { production: true })), secure)
    assert.strictEqual(Result.merge(CallbackUrl.check("https://shop.example/", { production: true })), fine)
  })

  it("the sandbox takes any port of the machine, and of a name, which may turn out to be the machine", () => {
    const rules = { production: false, addressPolicy: AddressPolicy.withLoopback }
    const problems = ["http://localhost:3000/", "http://[::1]:3000/", "http://shop.test:3000/", "http://8.8.8.8:3000/"]
    assert.deepStrictEqual(
      problems.map((url) => Result.merge(CallbackUrl.check(url, rules))),
      [fine, fine, fine, ports]
    )
  })
})

describe("CallbackUrl.withQuery", () => {
  it.each([
    ["https://shop.example", "https://shop.example/?a=1&b=%20", "a=1&b=%20"],
    ["https://shop.example/p?", "https://shop.example/p?a=1&b=%20", "a=1&b=%20"],
    ["https://shop.example/p?id=7", "https://shop.example/p?id=7&a=1&b=%20", "id=7&a=1&b=%20"],
    ["https://shop.example/p?id=ü'#top", "https://shop.example/p?id=%C3%BC%27&a=1&b=%20", "id=%C3%BC%27&a=1&b=%20"]
  ])("%s → %s", (text, url, query) => {
    assert.deepStrictEqual(CallbackUrl.withQuery(text, "a=1&b=%20"), { url, query })
  })

  it("nothing of what is no URL", () => {
    assert.isUndefined(CallbackUrl.withQuery("shop", "a=1"))
  })
})
