import * as Signed from "@pay/signing/Callback"
import * as Form from "@pay/signing/Form"
import { describe, expect, it } from "vitest"
import * as Callback from "../src/Callback.ts"

const key = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const outcome: Callback.Callback = {
  status: "approved",
  orderid: "6768788",
  client_orderid: "902B4FF5",
  type: "sale",
  amount: "10.42",
  currency: "USD",
  "last-four-digits": "1111",
  descriptor: "SHOP & CO + 1"
}
const control = Signed.sign(outcome, key)
const sent = Callback.parameters(outcome, control)

describe("Callback.parameters", () => {
  it("gives the documented order, and omits absent values", () =>
    expect(sent).toEqual([
      ["status", "approved"],
      ["orderid", "6768788"],
      ["client_orderid", "902B4FF5"],
      ["merchant_order", "902B4FF5"],
      ["type", "sale"],
      ["amount", "10.42"],
      ["currency", "USD"],
      ["descriptor", "SHOP & CO + 1"],
      ["last-four-digits", "1111"],
      ["control", "61d6ce8d65ce56dab83a54497b44be466d71be21"]
    ]))
  it("gives parameters whose signature is valid", () => expect(Signed.verify(sent, [key]).ok).toBe(true))
})

const succeed = (value: Callback.Received) => ({ ok: true, value })
const fail = (problem: Callback.Problem) => ({ ok: false, problem })

describe("Callback.parse", () => {
  it("reads what Callback.parameters wrote", () =>
    expect(Callback.parse(Form.write(sent))).toEqual(succeed({ ...outcome, control })))
  it("ignores the merchant's own parameters", () =>
    expect(Callback.parse(`cart=1&__proto__=x&${Form.write(sent)}`)).toEqual(succeed({ ...outcome, control })))
  it("keeps an unknown status", () =>
    expect(Callback.parse("status=frozen&orderid=1&client_orderid=2&control=c")).toEqual(
      succeed({ status: "frozen", orderid: "1", client_orderid: "2", control: "c" })
    ))
  it("reads merchant_order as client_orderid, and an empty or null error as absent", () =>
    expect(
      Callback.parse("status=approved&orderid=1&merchant_order=2&error_message=null&error_code=&control=c")
    ).toEqual(succeed({ status: "approved", orderid: "1", client_orderid: "2", control: "c" })))
  it.each(["status", "orderid", "client_orderid", "control"])("refuses a callback without %s", (name) => {
    const rest = sent.filter(([other]) => other !== name && !(name === "client_orderid" && other === "merchant_order"))
    expect(Callback.parse(Form.write(rest))).toEqual(fail({ _tag: "Missing", name }))
  })
  it("refuses a parameter with two different values", () => {
    expect(Callback.parse(`status=declined&${Form.write(sent)}`)).toEqual(fail({ _tag: "Conflict", name: "status" }))
    expect(Callback.parse(`merchant_order=other&${Form.write(sent)}`)).toEqual(
      fail({ _tag: "Conflict", name: "client_orderid" })
    )
  })
  it("refuses a malformed query", () =>
    expect(Callback.parse("status=%zz")).toMatchObject({ problem: { _tag: "Malformed" } }))
})
