import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Blanks from "../src/Blanks.ts"
import * as Canonical from "../src/Canonical.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const { SALE } = PayApi.operations

const around = [
  " ",
  "\n",
  "\r\n",
  "\t",
  "\u00a0",
  "\u3000",
  "\u200b",
  "\u200e",
  "\u2060",
  "\ufeff",
  "\u00ad",
  "\u061c",
  "\u202a",
  "\u202c",
  "\u2068",
  " \u200b\r\n "
]

describe("blanks around a value", () => {
  it.each(around)("are removed: %j", (blank) => {
    expect(Blanks.trim(`${blank}a b${blank}`)).toBe("a b")
    expect(Blanks.trim(blank)).toBe("")
    const sample = Sample.request(SALE)
    const parameters = Object.entries(sample).map(([name, value]) => [name, blank + value + blank] as const)
    const { fields } = Canonical.fields(SALE, parameters)
    expect(fields).toEqual(sample)
    expect(Result.isSuccess(SALE.decodeFields(fields))).toBe(true)
  })
  it.each(["a", "a b", "a\u200bb", "a\u202e", "a\u0000", "\u0001a"])("are nothing else: %j", (text) =>
    expect(Blanks.trim(text)).toBe(text)
  )
  it("are kept for the signature, except around an amount and a currency", () => {
    const parameters = [
      ["email", " a@shop.example\n"],
      ["client-order-id", "1\u00a0"],
      ["amount", " 10 "],
      ["currency", "USD "],
      ["state", " "]
    ] as const
    const { fields } = Canonical.fields(SALE, parameters)
    expect(fields).toEqual({ email: "a@shop.example", client_orderid: "1", amount: "10", currency: "USD" })
    expect(Canonical.asSent(SALE, parameters, fields)).toEqual({
      ...fields,
      email: " a@shop.example\n",
      client_orderid: "1\u00a0",
      state: " "
    })
    expect(Canonical.asSent(SALE, Object.entries(fields), fields)).toBe(fields)
  })
})

/** The address of a sale as it is decoded, or the messages about what is wrong. */
const read = (field: string, value: string): unknown =>
  Result.match(SALE.decodeFields({ ...Sample.request(SALE), [field]: value }), {
    onSuccess: (request) => Object.entries(request).find(([name]) => name === field)?.[1],
    onFailure: (problems) => problems.map(({ message }) => message.replace("Parameter ", "")).join(", ")
  })

const notAllowed = "contains a character that is not allowed"

describe("a line break inside a value", () => {
  it.each([
    ["address1", "1 Main St\nApt 2", "1 Main St Apt 2"],
    ["address1", "1 Main St,\r\n  Apt 2", "1 Main St, Apt 2"],
    ["address1", "1 Main St\u2028Apt 2", "1 Main St Apt 2"],
    ["address1", "1 Main St\u000bApt 2", "1 Main St Apt 2"],
    ["city", "Los\tAngeles", "Los Angeles"],
    ["zip_code", "900\n01", "900 01"],
    ["zip_code", "sw1a\u00a01aa", "SW1A 1AA"],
    ["zip_code", "９０００１", "90001"],
    ["zip_code", "900\u200b01", "90001"],
    ["first_name", "Anna\r\nMaria", "Anna Maria"],
    ["card_printed_name", "JOHN\nSMITH", "JOHN SMITH"],
    ["purpose", "two\nlines", "two lines"],
    ["first_name", "ab\u200cc", "ab\u200cc"],
    ["order_desc", "two\r\nlines", "two\r\nlines"],
    ["merchant_data", "two\nlines", "two\nlines"],
    ["address1", "a\u0000b", `address1 ${notAllowed}`],
    ["address1", "a\u001bb", `address1 ${notAllowed}`],
    ["address1", "a\u007fb", `address1 ${notAllowed}`],
    ["order_desc", "a\u0000b", `order_desc ${notAllowed}`],
    ["client_orderid", "1\n2", `client_orderid ${notAllowed}`],
    ["client_orderid", "1\u200b2", `client_orderid ${notAllowed}`],
    ["email", "john@\nshop.example", "email must be an e-mail address"],
    ["email", "john\u200b@shop.example", "email must be an e-mail address"],
    ["ipaddress", "203.0.113 .7", "ipaddress must be an IP address without a zone"],
    ["redirect_url", "https://shop.example/\r\nX: 1", `redirect_url ${notAllowed}`]
  ])("%s %j: %j", (field, value, expected) => expect(read(field, value)).toBe(expected))
})
