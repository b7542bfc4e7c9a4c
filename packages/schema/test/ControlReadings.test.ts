import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ControlAmount } from "../src/Canonical.ts"
import * as Canonical from "../src/Canonical.ts"
import * as ControlReadings from "../src/ControlReadings.ts"
import * as PayApi from "../src/PayApi.ts"

const { CAPTURE, STATUS } = PayApi.operations

type Fields = ReadonlyArray<readonly [string, string]>

const readings = (parameters: Fields, mode: ControlAmount = "minor") =>
  ControlReadings.readings(CAPTURE, parameters, Canonical.fields(CAPTURE, parameters).fields, { endpointId: "1", mode })

const amounts = (amount: string, currency: string | undefined, mode?: ControlAmount) =>
  readings(
    [["login", "m"], ["amount", amount], ...(currency === undefined ? [] : [["currency", currency] as const])],
    mode
  ).map(({ values }) => values.amount)

describe("the values that a merchant may have signed by mistake", () => {
  it.each<[string, string | undefined, ControlAmount, ReadonlyArray<string>]>([
    ["10.42", undefined, "minor", ["1042", "10", "10420"]],
    ["10.42", "usd", "minor", ["1042"]],
    ["90071992547409.92", "USD", "minor", ["9007199254740992"]],
    ["999999999999999999.99", "USD", "minor", ["99999999999999999999"]],
    ["10.001", "USD", "minor", ["1000", "1000.1", "10001"]],
    ["10.005", "USD", "minor", ["1000", "1001", "1000.5", "10005"]],
    ["10,42", "USD", "minor", ["1042"]],
    ["1,000.50", "USD", "minor", ["100050"]],
    ["-1", "USD", "minor", ["-100", "1"]],
    ["1e3", "USD", "minor", ["100000", "10000000"]],
    ["0.0", "USD", "minor", ["0"]],
    ["10.50", "JPY", "minor", ["1050", "10", "11", "10.5"]],
    ["10.001", "KWD", "x100", ["1000", "1000.1", "10001"]]
  ])("include other forms of the amount %s %s on an endpoint in mode %s: %j", (amount, currency, mode, expected) => {
    expect(amounts(amount, currency, mode)).toEqual(expect.arrayContaining([...expected]))
  })

  it.each<[string, string, ControlAmount]>([
    ["10.42", "USD", "minor"],
    ["10", "JPY", "minor"],
    ["10.00", "JPY", "x100"]
  ])("are none for a correct amount: %s %s on an endpoint in mode %s", (amount, currency, mode) =>
    expect(amounts(amount, currency, mode)).toEqual([])
  )

  it("include a currency in capitals", () => {
    const small = readings([
      ["login", "m"],
      ["amount", "10.42"],
      ["currency", "eur"]
    ])
    expect(small.map(({ values }) => values)).toContainEqual({ login: "m", amount: "1042", currency: "EUR" })
  })

  it("include the second of two values", () => {
    const twice = readings([
      ["login", "m"],
      ["client_orderid", "a"],
      ["client-order-id", "b"]
    ])
    expect(twice.map(({ values }) => values)).toEqual([{ login: "m", client_orderid: "b" }])
  })

  it("are none for a field that the control does not cover", () => {
    const parameters: Fields = [
      ["amount", "10,42"],
      ["login", "m"]
    ]
    expect(
      ControlReadings.readings(STATUS, parameters, Canonical.fields(STATUS, parameters).fields, {
        endpointId: "1",
        mode: "minor"
      })
    ).toEqual([])
  })

  it("are few for short requests, and none for long ones", () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.stringMatching(/^[-+\d.,eE ]{0,36}$/),
      fc.constantFrom("usd", "KWD", "UYW")
    )
    const name = fc.constantFrom("login", "client_orderid", "client-order-id", "orderid", "amount", "currency")
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, text)),
        fc.constantFrom<ControlAmount>("minor", "x100"),
        (parameters, mode) => {
          expect(readings(parameters, mode).length).toBeLessThan(ControlReadings.mostReadings)
        }
      )
    )
    expect(amounts("1,".repeat(100_000), "usd")).toEqual([])
    expect(
      readings([
        ["amount", "10,42"],
        ["client_orderid", "x".repeat(600)]
      ])
    ).toEqual([])
  })
})
