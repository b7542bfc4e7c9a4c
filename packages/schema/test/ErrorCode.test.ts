import { describe, expect, it } from "vitest"
import * as Decline from "../src/Decline.ts"
import * as ErrorCode from "../src/ErrorCode.ts"
import * as OrderStage from "../src/OrderStage.ts"
import * as Status from "../src/Status.ts"
import * as TransactionType from "../src/TransactionType.ts"

const refusals = Object.values(ErrorCode.codes)
const declines = Object.values(Decline.declines)

describe("error codes", () => {
  it("include the one that the specification shows", () =>
    expect(ErrorCode.codes.parameterRequired).toEqual({ code: 1, status: 400, message: "Parameter X is required" }))
  it("are unique across refusals and declines", () => {
    const numbers = [...refusals, ...declines].map(({ code }) => code)
    expect(new Set(numbers).size).toBe(numbers.length)
  })
  it("are below 89 for refusals and at least 89 for declines", () => {
    expect(refusals.filter(({ code }) => code >= 89)).toEqual([])
    expect(declines.filter(({ code }) => code < 89)).toEqual([])
  })
  it.each([
    ["oauthSignatureInvalid", 401],
    ["timestampSkewed", 401],
    ["nonceUsed", 401],
    ["authorizationRequired", 401],
    ["authenticationFailed", 400],
    ["oauthMethodUnsupported", 400],
    ["bodyTooLarge", 413],
    ["rateLimited", 429],
    ["serverError", 500]
  ] as const)("have their HTTP status: %s is %i", (name, status) => expect(ErrorCode.codes[name].status).toBe(status))
})

describe("Decline.byCode", () => {
  it.each([
    [101, "Expired card", false],
    [116, "Not sufficient funds", false],
    [119, "Transaction not permitted to cardholder", false],
    [209, "Stolen card, pick up", true]
  ])("gives the reason of %i: %s", (code, message, hard) =>
    expect(Decline.byCode(code)).toEqual({ code, message, hard })
  )
  it("is undefined for an unknown code", () => expect(Decline.byCode(555)).toBeUndefined())
})

describe("a status of an order", () => {
  it.each([
    ["processing", false],
    ["unknown", false],
    ["approved", true],
    ["declined", true],
    ["error", true],
    ["filtered", true],
    ["chain_declined", false],
    ["__proto__", false]
  ])("%s is final: %s", (status, final) => expect(Status.isFinal(status)).toBe(final))
  it("is known only if it is listed, like a transaction type", () => {
    expect(Status.all.every(Status.isKnown)).toBe(true)
    expect(Status.isKnown("chain_declined")).toBe(false)
    expect(TransactionType.all.every(TransactionType.isKnown)).toBe(true)
    expect(TransactionType.isKnown("retrieval")).toBe(false)
  })
})

it("OrderStage.make writes stages like the public samples", () => {
  expect(OrderStage.make("sale", "approved")).toBe("sale_approved")
  expect(OrderStage.make("sale", "3d_validating")).toBe("sale_3d_validating")
})
