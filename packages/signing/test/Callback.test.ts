import { describe, expect, it } from "vitest"
import * as Callback from "../src/Callback.ts"
import type { Parameter } from "../src/Form.ts"

const key = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
const values = { status: "approved", orderid: "6768788", client_orderid: "902B4FF5" }
const control = "61d6ce8d65ce56dab83a54497b44be466d71be21"
const query: ReadonlyArray<Parameter> = [
  ["shop", "7"],
  ...Object.entries(values),
  ["merchant_order", "902B4FF5"],
  ["amount", "10.42"],
  ["control", control]
]
const replaced = (name: string, value: string): ReadonlyArray<Parameter> =>
  query.map((parameter) => (parameter[0] === name ? [name, value] : parameter))

it("Callback.sign covers status, orderid and client_orderid", () => expect(Callback.sign(values, key)).toBe(control))

describe("Callback.verify", () => {
  it.each([
    ["the key alone", [key]],
    ["a new key beside the old one", ["new", key]],
    ["the old key beside a new one", [key, "new"]]
  ])("accepts %s, and returns the values that the signature covers", (_, keys) =>
    expect(Callback.verify(query, keys)).toEqual({ ok: true, values })
  )

  it("accepts a control in upper case", () => {
    expect(Callback.verify(replaced("control", control.toUpperCase()), [key]).ok).toBe(true)
  })

  it.each(["status", "orderid", "client_orderid", "control"])("refuses a missing, repeated or changed %s", (name) => {
    const without = query.filter((parameter) => parameter[0] !== name)
    expect(Callback.verify(without, [key])).toEqual({ ok: false, reason: { _tag: "Missing", name } })
    expect(Callback.verify([...query, [name, "x"]], [key])).toEqual({ ok: false, reason: { _tag: "Duplicate", name } })
    expect(Callback.verify(replaced(name, "declined"), [key])).toEqual({ ok: false, reason: { _tag: "Mismatch" } })
  })

  it.each([[[]], [["other"]]])("refuses the callback if the merchant's keys are %j", (keys) =>
    expect(Callback.verify(query, keys)).toEqual({ ok: false, reason: { _tag: "Mismatch" } })
  )
})
