/** Amounts that operators write: in settings, in searches and in the bank's own list. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Directory from "../../src/merchants/Directory.ts"
import { ListedBooking } from "../../src/operators/contract/Bookings.ts"
import { searchOrders } from "../../src/operators/contract/Orders.ts"

const takes = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownResult(schema)
  return (value: unknown): boolean => Result.isSuccess(decode(value))
}
const isSearch = takes(searchOrders.input)
const isListed = takes(ListedBooking)
const isConfig = takes(Directory.Config)
const isEndpoint = (settings: object): boolean =>
  isConfig([{ login: "shop", controlKeys: ["key"], endpoints: [{ id: "1", currencies: ["IRR"], ...settings }] }])

const places: Readonly<Record<string, (amount: string) => boolean>> = {
  "a search of orders": (amount) => isSearch({ amount }),
  "the bank's own list": (amount) =>
    isListed({
      ...{ reference: "7-sale-0", kind: "sale", amount, currency: "IRR" },
      ...{ at: "2026-11-22T08:00:00Z", result: "approved" }
    }),
  "the setting maxAmount": (amount) => isEndpoint({ maxAmount: { IRR: amount } }),
  "the setting payoutMaxAmount": (amount) => isEndpoint({ payoutMaxAmount: { IRR: amount } }),
  "the setting risk": (amount) =>
    isEndpoint({ risk: { velocity: [{ per: "card", withinSeconds: 1, sum: { IRR: amount } }] } })
}

describe.each(Object.entries(places))("%s", (_, takes) => {
  it.each(["0.01", "10.42", "99999999999", "9007199254740991", "90071992547409.91", "00000000000000000001"])(
    "takes the amount %s",
    (amount) => assert.isTrue(takes(amount))
  )
  it.each(["", "-1", "1e3", "1,5", "1.", ".5", "٣", "000000000000000000001"])("refuses the amount %j", (amount) =>
    assert.isFalse(takes(amount))
  )
})

describe("the bank's own list", () => {
  it("takes the amount 0, as of a void", () => assert.isTrue(places["the bank's own list"]?.("0.00")))
})
