import * as Form from "@pay/signing/Form"
import { describe, expect, it } from "vitest"
import * as Callback from "../src/Callback.ts"
import * as CallbackAddress from "../src/CallbackAddress.ts"
import * as CallbackFields from "../src/CallbackFields.ts"
import * as PayApi from "../src/PayApi.ts"

const shop = "https://shop.example/back"
const undecodable = "must have a query of percent-encoded UTF-8"
const reserved = (name: string) =>
  `must not have ${name} in its query, because each callback has a parameter of this name`

describe("the query of a callback address", () => {
  it("may have no parameter of a callback", () => {
    expect([...Callback.names].toSorted()).toEqual(Object.keys(CallbackFields.fields).toSorted())
    for (const name of Object.keys(CallbackFields.fields))
      expect(CallbackAddress.flaw(`${shop}?id=7&${Form.write([[name, "x"]])}`)).toBe(reserved(name))
  })

  it.each([
    ["%73tatus=x", "status"],
    ["status", "status"],
    ["=&status=", "status"],
    ["STATUS=x", "status"],
    ["Client_OrderId=x", "client_orderid"],
    ["status[]=x", "status"],
    ["status%5Ba%5D=x", "status"],
    ["[status]=x", "status"],
    ["client.orderid=x", "client_orderid"],
    ["client+orderid=x", "client_orderid"],
    ["+%20status=x", "status"],
    ["status%00x=1", "status"],
    ["Serial-Number=x", "serial-number"]
  ])("may have no name that a receiver could read as one: %s", (query, name) =>
    expect(CallbackAddress.flaw(`${shop}?${query}#top`)).toBe(reserved(name))
  )

  it.each(["x=%", "x=%zz", "%zz", "x=%FF", "x=%C3", "x=%ED%A0%80", "ok=1&%C3%28=1"])("must be decodable: %s", (query) =>
    expect(CallbackAddress.flaw(`${shop}?${query}`)).toBe(undecodable)
  )

  it.each([
    "",
    "?",
    "?flag",
    "?order_id=7&my_status=1&status2=x&xstatus=x&serial_number=1",
    "?data[status]=x&a.status=x",
    "?x=status&y=%26status%3D1",
    "#?status=x",
    "/status?x=1#status=x"
  ])("may have other names: %s", (end) => expect(CallbackAddress.flaw(shop + end)).toBeUndefined())

  const taken = PayApi.all.filter(({ infos }) => infos.has("server_callback_url"))
  it.each(taken.map((operation) => [operation.name, operation] as const))("is judged by %s", (_, { infos }) => {
    for (const info of [infos.get("server_callback_url"), infos.get("notify_url")]) {
      expect(info?.flaw(`${shop}?control=x`)?.says).toBe(reserved("control"))
      expect(info?.canonical(`${shop}?x=a+b#top`)).toBe(`${shop}?x=a%20b`)
    }
  })
})

describe("CallbackAddress.complete", () => {
  it.each([
    ["https://shop.example", "https://shop.example/?", ""],
    [`${shop}?`, `${shop}?`, ""],
    [`${shop}?id=7&lang=en&`, `${shop}?`, "id=7&lang=en&"],
    [`${shop}?b=2&a=1&b=1`, `${shop}?`, "b=2&a=1&b=1&"],
    [`${shop}?flag`, `${shop}?`, "flag=&"],
    [`${shop}?x=a+b`, `${shop}?`, "x=a%20b&"],
    [`${shop}?p[0]=1`, `${shop}?`, "p%5B0%5D=1&"],
    [`${shop}?a=%7Eb`, `${shop}?`, "a=~b&"],
    [`${shop}?a=%c3%bc'ü!`, `${shop}?`, "a=%C3%BC%27%C3%BC%21&"],
    [`${shop}?a=1%2B1&=x&&y=1=2`, `${shop}?`, "a=1%2B1&=x&y=1%3D2&"],
    [`${shop}?id=7#top?x`, `${shop}?`, "id=7&"]
  ])("writes the merchant's own query canonically, in front: %s", (text, start, own) => {
    const query = `${own}status=approved&descriptor=SHOP%20%26%20CO`
    expect(
      CallbackAddress.complete(text, [
        ["status", "approved"],
        ["descriptor", "SHOP & CO"]
      ])
    ).toEqual({ url: start + query, query })
  })

  it.each(["shop", `${shop}?x=%zz`])("does not exist for %s", (text) =>
    expect(CallbackAddress.complete(text, [])).toBeUndefined()
  )
})

describe("CallbackAddress.canonical", () => {
  it.each([
    ["HTTPS://SHOP.EXAMPLE?x=a+b#top", "https://shop.example/?x=a%20b"],
    [`${shop}?`, shop],
    ["shop", "shop"]
  ])("is one text for all spellings: %s", (text, canonical) => {
    expect(CallbackAddress.canonical(text)).toBe(canonical)
    expect(CallbackAddress.canonical(canonical)).toBe(canonical)
  })
})
