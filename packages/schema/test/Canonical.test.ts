import * as Control from "@pay/signing/Control"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Canonical from "../src/Canonical.ts"
import type { FieldTexts, Operation } from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

const { CAPTURE, REBILL, SALE, STATUS, TDS_UPLOAD_CRES_RESULT, TRANSFER_V4 } = PayApi.operations

describe("Canonical.fields", () => {
  it("trims values, and omits empty ones", () =>
    expect(
      Canonical.fields(STATUS, [
        ["login", "  m\t"],
        ["client_orderid", "\u00a01\r\n"],
        ["orderid", " "],
        ["by-request-sn", ""]
      ])
    ).toEqual({ fields: { login: "m", client_orderid: "1" }, problems: [] }))
  it("accepts equal repeats, and reports different ones as a problem", () => {
    const conflict = { field: "orderid", code: 4, message: "Parameter orderid is given twice with different values" }
    const read = (...values: ReadonlyArray<string>) =>
      Canonical.fields(
        STATUS,
        values.map((value) => ["orderid", value] as const)
      )
    expect(read("1", " 1 ", "")).toEqual({ fields: { orderid: "1" }, problems: [] })
    expect(read("1", "2", "3", "1")).toEqual({ fields: { orderid: "1" }, problems: [conflict] })
  })
})

describe("Canonical.content", () => {
  it.each([
    [SALE, "amount", `1.${"0".repeat(240_000)}1`],
    [REBILL, "enumerate_amounts", "1.00,".repeat(50_000)]
  ] as const)("contains a value that is too long unchanged: %s", (operation, field, value) =>
    expect(Canonical.content(operation, { [field]: value })).toContain(value)
  )
  const sample = Sample.request(SALE)
  const same: ReadonlyArray<readonly [Operation, FieldTexts, FieldTexts]> = [
    [SALE, { amount: "10" }, { amount: "10.00" }],
    [SALE, { amount: "10.5" }, { amount: "010.50" }],
    [SALE, { cvv2: "123" }, { cvv2: "321" }],
    [SALE, { credit_card_number: "4444333322221111" }, { credit_card_number: "378282246310005" }],
    [SALE, { expire_month: "3" }, { expire_month: "4" }],
    [SALE, { customer_browser_java_enabled: "TRUE" }, { customer_browser_java_enabled: "true" }],
    [TRANSFER_V4, { "destination-card-no": "4444333322221111" }, { "destination-card-no": "378282246310005" }],
    [REBILL, { enumerate_amounts: "1.0, 2" }, { enumerate_amounts: "1,2.00" }]
  ]
  it.each(same)("is the same for equivalent values and for other card data: $name", (operation, one, other) =>
    expect(Canonical.content(operation, { ...sample, ...one })).toBe(
      Canonical.content(operation, { ...sample, ...other })
    )
  )
  it.each<readonly [FieldTexts, FieldTexts]>([
    [{ amount: "10" }, { amount: "100" }],
    [{ client_orderid: "a" }, { client_orderid: "A" }],
    [
      { client_orderid: "12", amount: "345" },
      { client_orderid: "1", amount: "2345" }
    ],
    [{ order_desc: "a" }, { order_desc: "a", purpose: "b" }],
    [{ order_desc: "x7:purpose:y" }, { order_desc: "x", purpose: "y" }],
    [{ order_desc: "x7:purpose1:y" }, { order_desc: "x", purpose: "y" }]
  ])("differs for %j and %j", (one, other) =>
    expect(Canonical.content(SALE, one)).not.toBe(Canonical.content(SALE, other))
  )
  it("differs for different operations", () =>
    expect(Canonical.content(SALE, sample)).not.toBe(Canonical.content(PayApi.operations.PREAUTH, sample)))
  it("differs for any two requests with different fields", () => {
    const text = fc.string({ unit: fc.constantFrom("0", "1", ":", "a"), minLength: 1, maxLength: 6 })
    const request = fc.record(
      { order_desc: text, purpose: text, client_orderid: text, city: text },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(request, request, (one, other) => {
        const equal = JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())
        return (Canonical.content(SALE, one) === Canonical.content(SALE, other)) === equal
      })
    )
  })
  it("contains card data of no operation", () => {
    for (const operation of PayApi.all) {
      const fields = Object.fromEntries([...operation.infos].map(([name, info]) => [name, info.sample]))
      const secrets = [...operation.infos].filter(([, { kind }]) => kind !== "plain").map(([name]) => name)
      expect(secrets.filter((name) => Canonical.content(operation, fields).includes(name))).toEqual([])
      expect(
        /number|-card-no$/.test(operation.plainNames.join("\n").replaceAll(/account_number|routing_number/g, ""))
      ).toBe(false)
    }
  })
})

describe("Canonical.card", () => {
  const card = { credit_card_number: "4444333322221111", expire_month: "03", expire_year: "30", cvv2: "123" }
  it("contains the number and the expiry in one form, and never the security code", () => {
    const text = Canonical.card(SALE, card)
    expect(text).toBe(Canonical.card(SALE, { ...card, expire_month: "3", expire_year: "2030", cvv2: "321" }))
    expect(text).not.toBe(Canonical.card(SALE, { ...card, expire_month: "4" }))
    expect(text).not.toBe(Canonical.card(SALE, { ...card, credit_card_number: "4444000022224444" }))
    expect(text).not.toContain("cvv2")
  })
  it("is empty without a card", () => expect(Canonical.card(STATUS, Sample.request(STATUS))).toBe(""))
})

describe("Canonical.controlValues", () => {
  const values = (operation: Operation, fields: FieldTexts, mode: Canonical.ControlAmount = "minor") =>
    Canonical.controlValues(operation, fields, { endpointId: "1111", mode })
  const money = (amount: string, currency: string) => ({ amount, currency })
  it.each([
    ["minor", money("10.42", "USD"), "1042"],
    ["minor", money("0.94", "USD"), "94"],
    ["minor", money("10", "JPY"), "10"],
    ["minor", money("1.5", "KWD"), "1500"],
    ["x100", money("10", "JPY"), "1000"],
    ["x100", money("1.5", "KWD"), "150"],
    ["x100", money("1.505", "KWD"), "1.505"],
    ["minor", money("10.005", "USD"), "10.005"],
    ["minor", money("1e3", "USD"), "1e3"],
    ["minor", money("10", "usd"), "10"],
    ["minor", { amount: "10" }, "10"]
  ] as const)("has the amount in the endpoint's unit (%s): %j gives %s", (mode, fields, amount) =>
    expect(values(CAPTURE, fields, mode).amount).toBe(amount)
  )

  const key = "B17F59B4-A7DC-41B4-8FF9-37D986B43D20"
  const order = { login: "merchantlogin", client_orderid: "902B4FF5" }
  /** Published and computed vectors of the public protocol. */
  it.each<[string, Operation, FieldTexts, string]>([
    [
      "sale",
      SALE,
      { ...order, ...money("10.42", "USD"), email: "john.smith@gmail.com" },
      "c6bdd88a78834ef4b863b088827a459f039e8257"
    ],
    ["status", STATUS, { ...order, orderid: "6768788" }, "8e03ebf01ab743255843063cfc86baa9fe37e945"],
    ["status without orderid", STATUS, order, "7b1771f5f11c4bcaa803a207766b74fc8cfa352f"],
    [
      "capture",
      CAPTURE,
      { ...order, orderid: "6768788", ...money("10.42", "USD") },
      "5bbf267d8297efe71229a7dad3d7c4220e1f0cbb"
    ],
    [
      "rebill",
      REBILL,
      { ...order, cardrefid: "71573", ...money("10.42", "USD") },
      "e06c4be6afc14a220893e0f21feb0a7b5b4260d7"
    ]
  ])("signs as published: %s", (_, operation, fields, control) => {
    const recipe = operation.signing._tag === "Control" ? operation.signing.recipe : []
    expect(Control.sign(recipe, values(operation, fields), key)).toBe(control)
  })
  it("uses the operation's primary spelling of a field", () =>
    expect(values(TDS_UPLOAD_CRES_RESULT, { "client-order-id": "7" })).toEqual({ "client-order-id": "7" }))
  it("is empty for operations that are not signed by control", () =>
    expect(values(TRANSFER_V4, Sample.request(TRANSFER_V4))).toEqual({}))
})
