import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { locate, targetOf } from "../../src/http/Place.ts"

const host = "https://pay.example"

describe("The target of a request", () => {
  it.each([
    ["without a prefix", host, "/api/v2/sale/1", "/api/v2/sale/1", "/api/v2/sale/1"],
    ["below the prefix", `${host}/paynet`, "/paynet/api/v2/sale/1", "/api/v2/sale/1", "/paynet/api/v2/sale/1"],
    ["behind a proxy that rewrites", `${host}/paynet`, "/api/v2/sale/1", "/api/v2/sale/1", "/paynet/api/v2/sale/1"],
    ["below a longer prefix", `${host}/a/b`, "/a/b/api/v2/sale/1", "/api/v2/sale/1", "/a/b/api/v2/sale/1"],
    ["with two slashes", host, "//api//v2///sale/1", "/api/v2/sale/1", "//api//v2///sale/1"],
    [
      "with two slashes below",
      `${host}/paynet`,
      "/paynet//api/v2//sale/1",
      "/api/v2/sale/1",
      "/paynet//api/v2//sale/1"
    ],
    ["with two slashes before", `${host}/paynet`, "//paynet/api/v2/sale/1", "/api/v2/sale/1", "//paynet/api/v2/sale/1"],
    ["of a page below", `${host}/paynet`, "/paynet/pay/token", "/pay/token", "/paynet/pay/token"],
    ["of a page with two slashes", `${host}/paynet`, "/paynet//pay/token", "/paynet//pay/token", undefined],
    ["that only begins like the prefix", `${host}/pay`, "/payment/x", "/payment/x", undefined],
    ["of the numbers below", `${host}/paynet`, "/paynet/metrics", "/paynet/metrics", undefined],
    ["of the operators below", `${host}/paynet`, "/paynet/operator/orders", "/paynet/operator/orders", undefined],
    ["of the operators with slashes", `${host}/paynet`, "/paynet//operator/x", "/paynet//operator/x", undefined]
  ])("%s", (_, baseUrl, received, path, signed) => {
    const target = targetOf(baseUrl, `${received}?a=//b`)
    assert.strictEqual(target.path, path)
    assert.strictEqual(target.query, "a=//b")
    if (signed !== undefined) assert.strictEqual(target.url, `${host}${signed}?a=//b`)
  })

  it.each([
    ["/api/v2/sale/7", { name: "SALE", pathId: "7" }],
    ["/api/v2/sale/group/7", { name: "SALE", pathId: "7" }],
    ["/api/v2/pan-eligibility/send/group/7", { name: "PAN_ELIGIBILITY_SEND", pathId: "7" }],
    ["/api/v2/sale/group", undefined],
    ["/api/v2/sale/group/group/7", undefined],
    ["/api/v2/group/7", undefined]
  ])("%s names its operation", (path, expected) => {
    const named = Result.map(locate(path), ({ operation, pathId }) => ({ name: operation.name, pathId }))
    assert.deepStrictEqual(Result.getOrUndefined(named), expected)
  })
})
