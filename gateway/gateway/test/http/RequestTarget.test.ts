import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { locate, targetOf } from "../../src/http/RequestTarget.ts"

const host = "https://pay.example"

describe("the target of a request", () => {
  it.each([
    ["without a prefix", host, "/api/v2/sale/1", "/api/v2/sale/1", "/api/v2/sale/1"],
    ["below the prefix", `${host}/paynet`, "/paynet/api/v2/sale/1", "/api/v2/sale/1", "/paynet/api/v2/sale/1"],
    ["behind a proxy that rewrites", `${host}/paynet`, "/api/v2/sale/1", "/api/v2/sale/1", "/paynet/api/v2/sale/1"],
    ["below a longer prefix", `${host}/a/b`, "/a/b/api/v2/sale/1", "/api/v2/sale/1", "/a/b/api/v2/sale/1"],
    ["with two slashes", host, "//api//v2///sale/1", "/api/v2/sale/1", "//api//v2///sale/1"],
    [
      "with two slashes below the prefix",
      `${host}/paynet`,
      "/paynet//api/v2//sale/1",
      "/api/v2/sale/1",
      "/paynet//api/v2//sale/1"
    ],
    [
      "with two slashes before the prefix",
      `${host}/paynet`,
      "//paynet/api/v2/sale/1",
      "/api/v2/sale/1",
      "//paynet/api/v2/sale/1"
    ],
    ["for a page below the prefix", `${host}/paynet`, "/paynet/pay/token", "/pay/token", "/paynet/pay/token"],
    ["for a page with two slashes", `${host}/paynet`, "/paynet//pay/token/", "//pay/token/", undefined],
    ["with a slash at the end", host, "/api/v2/sale/1/", "/api/v2/sale/1/", "/api/v2/sale/1/"],
    ["with an escaped letter", host, "/%61pi/v2/sale/1", "/%61pi/v2/sale/1", "/%61pi/v2/sale/1"],
    ["for the operators in another spelling", `${host}/p`, "/p/%6Fperator/orders", "/p/%6Fperator/orders", undefined],
    ["for the operators with a parameter", `${host}/p`, "/p/operator&x/orders", "/p/operator&x/orders", undefined],
    ["for the metrics in another spelling", `${host}/p`, "/p/metrics/", "/p/metrics/", undefined],
    ["for a path that only begins like the prefix", `${host}/pay`, "/payment/x", "/payment/x", undefined],
    ["for the metrics below the prefix", `${host}/paynet`, "/paynet/metrics", "/paynet/metrics", undefined],
    [
      "for the operators below the prefix",
      `${host}/paynet`,
      "/paynet/operator/orders",
      "/paynet/operator/orders",
      undefined
    ],
    ["for the operators with two slashes", `${host}/paynet`, "/paynet//operator/x", "/paynet//operator/x", undefined]
  ])("is resolved %s", (_, baseUrl, received, path, signed) => {
    const target = targetOf(baseUrl, `${received}?a=//b`)
    assert.strictEqual(target.path, path)
    assert.strictEqual(target.query, "a=//b")
    if (signed !== undefined) assert.strictEqual(target.url, `${host}${signed}?a=//b`)
  })

  it.each([
    ["/api/v2/sale/7", { name: "SALE", pathId: "7" }],
    ["/api/v2/sale/group/7", { name: "SALE", pathId: "7" }],
    ["/api/v2/pan-eligibility/send/group/7", { name: "PAN_ELIGIBILITY_SEND", pathId: "7" }],
    ["/api/v2/sale/7/", undefined],
    ["/api/v2/sale/7&utm_source=mail", undefined],
    ["/api/v2/sale/%37", undefined],
    ["/api/v2/sale/7#x", undefined],
    ["/api/v2/sale/group", undefined],
    ["/api/v2/sale/group/group/7", undefined],
    ["/api/v2/group/7", undefined]
  ])("names its operation: %s", (path, expected) => {
    const named = Result.map(locate(path), ({ operation, pathId }) => ({ name: operation.name, pathId }))
    assert.deepStrictEqual(Result.getOrUndefined(named), expected)
  })
})
