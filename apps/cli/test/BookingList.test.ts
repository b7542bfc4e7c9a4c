import { assert, describe, it } from "@effect/vitest"
import * as BookingList from "../src/operator/BookingList.ts"

const row = {
  reference: "7-sale-0",
  kind: "sale",
  amount: "10.42",
  currency: "USD",
  at: "2026-11-22T08:00:00Z",
  result: "approved"
}

describe("a bank's list of bookings", () => {
  const lists: ReadonlyArray<readonly [what: string, text: string, rows: ReadonlyArray<BookingList.Row>]> = [
    [
      "is read from CSV with further columns, quotes and empty fields",
      'reference,note,kind,amount,currency,at,result,clientOrderId,merchant\r\n7-sale-0,"a, ""b""",sale,10.42,USD,2026-11-22T08:00:00Z,approved,"INV 1",\r\n',
      [{ ...row, clientOrderId: "INV 1" }]
    ],
    ["is read from JSON", JSON.stringify([{ ...row, merchant: "shop", internal: 1 }]), [{ ...row, merchant: "shop" }]],
    ["is read from a CSV without rows", "reference,kind,amount,currency,at,result\n", []]
  ]
  it.each(lists)("%s", (_, text, rows) => assert.deepStrictEqual(BookingList.read(text), rows))

  const wrong: ReadonlyArray<readonly [text: string, message: string]> = [
    ["reference,kind\n1,sale", "The header line lacks amount, currency, at, result"],
    ["reference,kind,amount,currency,at,result\n1,sale", "Line 2 has 2 fields, the header line 6"],
    ["reference,kind,amount,currency,at,result\n1,sale,,USD,x,approved", "Booking 1 lacks amount"],
    [JSON.stringify([{ ...row, amount: 12_500_000.5 }]), 'amount of booking 1 must be text, like "10.42"'],
    ["[1", "The file is no JSON list of bookings"]
  ]
  it.each(wrong)("is refused with the reason: %s", (text, message) =>
    assert.throws(() => BookingList.read(text), message)
  )
})
