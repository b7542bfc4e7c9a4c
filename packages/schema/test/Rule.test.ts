import { Result } from "effect"
import { describe, expect, it } from "vitest"
import * as Operation from "../src/Operation.ts"
import * as PayApi from "../src/PayApi.ts"
import * as Sample from "../src/Sample.ts"

/** Adds and (with undefined) takes away fields of the sample request. */
type Change = Readonly<Record<string, string | undefined>>

const refusals = (name: PayApi.Name, change: Change): ReadonlyArray<string> => {
  const operation: Operation.Operation = PayApi.operations[name]
  const fields = Object.entries({ ...Sample.request(operation), ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  )
  return Result.match(Operation.decode(operation)(Object.fromEntries(fields)), {
    onSuccess: () => [],
    onFailure: (problems) => problems.map(({ code, message }) => `${code} ${message.replace("Parameter ", "")}`)
  })
}

const card = { credit_card_number: "4444333322221111", expire_month: "12", expire_year: "2030" }

type Row = [PayApi.Name, Change, ReadonlyArray<string>]

describe("the rules between fields of a request", () => {
  it.each<Row>([
    ["SALE", { amount: "10.005" }, ["63 amount has more than 2 decimals"]],
    ["SALE", { amount: "10.00", currency: "JPY" }, []],
    ["SALE", { amount: "10.50", currency: "JPY" }, ["63 amount has more than 0 decimals"]],
    ["SALE", { amount: "1.234", currency: "KWD" }, []],
    ["SALE", { amount: "1.2345", currency: "KWD" }, ["63 amount has more than 3 decimals"]],
    ["SALE", { amount: "10.005", currency: "usd" }, ["2 currency must be an ISO 4217 code in upper case"]],
    ["SALE", { amount: `1.${"0".repeat(99)}1` }, ["3 amount is longer than 20 characters"]],
    [
      "SALE",
      { amount: "90071992547409.92" },
      ["67 amount is larger than 9007199254740991 of the smallest unit of its currency"]
    ],
    ["SALE", { country: "x".repeat(9999), state: undefined }, ["3 country is longer than 64 characters"]],
    [
      "REBILL",
      { enumerate_amounts: Array.from({ length: 30_000 }, (_, index) => `0.${10_000 + index}`).join(",") },
      ["3 enumerate_amounts is longer than 220 characters"]
    ],
    ["SALE", { country: "US", state: undefined }, ["1 state is required"]],
    ["SALE", { country: "AU", state: undefined }, ["1 state is required"]],
    ["SALE", { country: "DE", state: undefined }, []],
    [
      "SALE",
      { expire_month: "13", cvv2: "12" },
      ["2 expire_month must be a month from 1 to 12", "2 cvv2 must be 3 or 4 digits"]
    ],
    ["SALE", { order_desc: "paid by 4444 3333-2222 1111 12/35" }, ["69 order_desc must not contain the card number"]],
    ["SALE", { client_orderid: "x44443333222211119" }, ["69 client_orderid must not contain the card number"]],
    ["SALE", { address1: "４４４４３３３３２２２２１１１１" }, ["69 address1 must not contain the card number"]],
    [
      "SALE",
      { server_callback_url: "https://shop.example/?card=4444%203333%202222%201111" },
      ["69 server_callback_url must not contain the card number"]
    ],
    ["SALE", { order_desc: "paid by 4444 5555 6666 1111" }, []],
    ["SALE", { card_printed_name: "1 23" }, ["69 card_printed_name must not contain the security code"]],
    ["SALE", { first_name: "１２３" }, ["69 first_name must not contain the security code"]],
    ["SALE", { first_name: "John 123", city: "123", order_desc: "123" }, []],
    ["TRANSFER_V4", { order_desc: "to 4444555566661111" }, ["69 order_desc must not contain the card number"]],
    ["CAPTURE", { amount: "1", currency: "USD" }, []],
    ["CAPTURE", { amount: "1" }, ["1 currency is required"]],
    ["CAPTURE", { currency: "USD" }, ["1 amount is required"]],
    ["CAPTURE", { amount: "0.001", currency: "USD" }, ["63 amount has more than 2 decimals"]],
    ["RETURN", { amount: "1" }, ["1 currency is required"]],
    ["VOID", { currency: "USD" }, []],
    ["VOID", { amount: "1", currency: "USD" }, ["62 amount is not accepted: a void has no partial amount"]],
    [
      "SALEFORM",
      { redirect_url: undefined },
      ["1 redirect_url is required, or redirect_success_url with redirect_fail_url"]
    ],
    [
      "SALEFORM",
      { redirect_url: undefined, redirect_success_url: "https://shop.example/yes" },
      ["1 redirect_fail_url is required"]
    ],
    [
      "SALEFORM",
      {
        redirect_url: undefined,
        redirect_success_url: "https://shop.example/yes",
        redirect_fail_url: "https://shop.example/no"
      },
      []
    ],
    ["REBILL", { enumerate_amounts: "9, 5.21,1" }, []],
    ["REBILL", { enumerate_amounts: "10,9,8,7,6,5,4,3,2,1" }, []],
    ["REBILL", { enumerate_amounts: "10,9,8,7,6,5,4,3,2,1,0.5" }, ["2 enumerate_amounts has 11 amounts, 10 at most"]],
    ["REBILL", { amount: "10.00", enumerate_amounts: "5.00,1", currency: "JPY" }, []],
    [
      "REBILL",
      { enumerate_amounts: "5.215,5,1.001" },
      [
        "63 enumerate_amounts in place 1 has more than 2 decimals",
        "63 enumerate_amounts in place 3 has more than 2 decimals"
      ]
    ],
    [
      "REBILL",
      { enumerate_amounts: "-1,5,,0" },
      ["2 enumerate_amounts must be amounts like 10.50, separated by commas; wrong in place 1, 3, 4"]
    ],
    [
      "REBILL",
      { enumerate_amounts: "10.420,5,11,5.00" },
      [
        "5 enumerate_amounts in place 1 must be below amount",
        "5 enumerate_amounts in place 3 must be below amount",
        "5 enumerate_amounts in place 4 repeats an amount"
      ]
    ],
    ["CARDREF_V4", { orderid: undefined }, ["1 orderid is required, or credit_card_number"]],
    ["CARDREF_V4", { orderid: undefined, ...card }, []],
    ["CARDREF_V4", card, ["5 credit_card_number cannot be used with orderid"]],
    ["CARDREF_V4", { orderid: undefined, ...card, expire_year: undefined }, ["1 expire_year is required"]],
    [
      "PAYOUT",
      { credit_card_number: undefined },
      ["1 credit_card_number is required, or account_number, or ewallet_id, or phone"]
    ],
    ["PAYOUT", { credit_card_number: undefined, phone: "+12125550123", bank_code: "044" }, []],
    ["PAYOUT", { credit_card_number: undefined, ewallet_id: "wallet-17" }, []],
    ...[
      "+1 (212) 555-0123",
      "\u200b+12125550123",
      "0044 7700 900123",
      "＋447700900123",
      "(+1) 2125550123",
      "tel:+12125550123"
    ].map((phone): Row => ["PAYOUT", { credit_card_number: undefined, phone }, []]),
    ...["07700 900123", "0212555012", "12125550123", "123456", "7+7700900123"].map(
      (phone): Row => [
        "PAYOUT",
        { credit_card_number: undefined, phone },
        ["2 phone must begin with + and the code of its country, like +12125550123"]
      ]
    ),
    ["PAYOUT", { credit_card_number: undefined, phone: "07700 900123", country: "GB" }, []],
    ["PAYOUT", { phone: "0212555012" }, []],
    ["PAYOUT", { account_number: "123412341234" }, ["5 account_number cannot be used with credit_card_number"]],
    ["TRANSFER_V4", { deposit2card: "false" }, []],
    ["TRANSFER_V4", { deposit2card: "TRUE" }, ["5 credit_card_number cannot be used with deposit2card"]],
    [
      "TRANSFER_V4",
      { deposit2card: "true", credit_card_number: undefined, expire_month: undefined, expire_year: undefined },
      []
    ],
    [
      "TRANSFER_V4",
      { "destination-card-no": undefined },
      ["1 destination-card-no is required, or destination_card_recurring_payment_id"]
    ],
    [
      "TRANSFER_BY_REF_V4",
      { "destination-card-ref-id": "1" },
      ["5 destination-card-ref-id cannot be used with destination-card-no"]
    ],
    [
      "CREATE_RP_V4",
      { "start-date": "2030-02-01", "finish-date": "2030-01-31" },
      ["5 finish-date is before start-date"]
    ],
    ["CREATE_RP_V4", { "start-date": "2030-02-29" }, ["2 start-date must be a day, YYYY-MM-DD"]],
    ["CREATE_RP_V4", { interval: "0" }, ["2 interval must be a whole number from 1 to 9999"]],
    ["CREATE_RP_V4", { period: "hourly" }, ["2 period must be one of daily, weekly, monthly, yearly"]],
    ["CREATE_RP_V4", { cardrefid: "71573" }, ["5 cardrefid cannot be used with credit_card_number"]],
    ["UPDATE_RP_V4", { change: undefined }, ["1 change is required, or amount, or credit_card_number, or cardrefid"]],
    ["UPDATE_RP_V4", { change: undefined, amount: "5", currency: "EUR" }, []]
  ])("refuse %s with %j: %j", (name, change, expected) => expect(refusals(name, change)).toEqual(expected))
})

describe("the value of a field", () => {
  const notAnAmount = ["2 amount must be a decimal number above zero, like 10.50"]
  it.each<[string, string, ReadonlyArray<string>]>([
    ["amount", "0.01", []],
    ["amount", "010.5", []],
    ["amount", "9999999999", []],
    ["amount", "12345678.90", []],
    ["amount", "9007199254740991.0000", ["3 amount is longer than 20 characters"]],
    ["amount", "1e3", notAnAmount],
    ["amount", "-1", notAnAmount],
    ["amount", "+1", notAnAmount],
    ["amount", "٣", notAnAmount],
    ["amount", "0", notAnAmount],
    ["amount", "0.00", notAnAmount],
    ["amount", "1,5", notAnAmount],
    ["credit_card_number", "4444333322221112", ["66 credit_card_number is not a card number"]],
    ["credit_card_number", "4444 3333 2222 1111", []],
    ["credit_card_number", "42", ["66 credit_card_number is not a card number"]],
    ["credit_card_number", "٤٤٤٤٣٣٣٣٢٢٢٢١١١١", []],
    ["expire_month", "1", []],
    ["expire_month", "01", []],
    ["expire_month", "00", ["2 expire_month must be a month from 1 to 12"]],
    ["expire_year", "30", []],
    ["expire_year", "203", ["2 expire_year must be a year of two or four digits"]],
    ["expire_year", "1999", ["2 expire_year must be a year of two or four digits"]],
    ["cvv2", "1234", []],
    ["cvv2", "12a", ["2 cvv2 must be 3 or 4 digits"]],
    ["country", "us", []],
    ["email", "nobody", ["2 email must be an e-mail address"]],
    ["email", "a@b\r\nBcc: c@d", ["2 email must be an e-mail address"]],
    ["ipaddress", "2001:db8::1", []],
    ["ipaddress", "203.0.113.256", ["2 ipaddress must be an IP address without a zone"]],
    ["ipaddress", "fe80::1%eth0", ["2 ipaddress must be an IP address without a zone"]],
    ["phone", "0475/12.34.56", []],
    ["phone", "+44 (0)20 7946 0000 ext. 12", []],
    ["phone", "none", []],
    ["phone", "1".repeat(51), ["3 phone is longer than 50 characters"]],
    ["ssn", "123.456.789-09", []],
    ["ssn", "12.345.678/0001-95", []],
    ["ssn", "qq 12 34 56 c", []],
    ["ssn", "12,5", ["2 ssn must be letters and digits"]],
    ["server_callback_url", "http://shop.example:8080/x?y=1", []],
    ["server_callback_url", "/x", ["2 server_callback_url must be an absolute http or https address"]],
    ["server_callback_url", "ftp://shop.example/", ["2 server_callback_url must be an absolute http or https address"]],
    ["server_callback_url", "https://", ["2 server_callback_url must be an absolute http or https address"]],
    ["server_callback_url", "javascript:alert(1)", ["2 server_callback_url must be an absolute http or https address"]],
    [
      "server_callback_url",
      "https://a:b@shop.example/",
      ["2 server_callback_url must not contain a user name or password"]
    ],
    [
      "server_callback_url",
      "https://shop.example/\r\nX: y",
      ["2 server_callback_url contains a character that is not allowed"]
    ],
    [
      "server_callback_url",
      "https://shop.example\\@evil.example/",
      ["2 server_callback_url must be an absolute http or https address"]
    ],
    [
      "server_callback_url",
      "https://shop.example/\u202e",
      ["2 server_callback_url contains a character that is not allowed"]
    ],
    ...["a\u202eb", "a\u200bb", "a\u2028b", "a\u00adb", "a\u0007b"].map(
      (id): [string, string, ReadonlyArray<string>] => [
        "client_orderid",
        id,
        ["2 client_orderid contains a character that is not allowed"]
      ]
    ),
    ["email", "jo\u200bhn@shop.example", ["2 email must be an e-mail address"]],
    ["client_orderid", "Bestellung 7/ö 日本", []],
    ["order_desc", "\u0645\u06cc\u200c\u062e\u0648", []],
    ["order_desc", "one\r\ntwo\tthree", []],
    ["order_desc", "one\0", ["2 order_desc contains a character that is not allowed"]],
    ["order_desc", "\ud800", ["2 order_desc contains a character that is not allowed"]],
    ["card_printed_name", "ДЖОН СМИТ", []],
    ["customer_browser_java_enabled", "TRUE", []],
    ["customer_browser_java_enabled", "perhaps", []],
    ["customer_browser_time_zone", "-720", []]
  ])("is checked: %s = %j: %j", (field, value, expected) =>
    expect(refusals("SALE", { [field]: value })).toEqual(expected)
  )

  it("is decoded to its type, and card data is redacted in JSON", () => {
    const sample = Sample.request(PayApi.operations.SALE)
    const decoded = Operation.decode(PayApi.operations.SALE)({ ...sample, expire_month: "03", expire_year: "31" })
    const request = Result.getOrThrow(decoded)
    expect([request.expire_month, request.expire_year]).toEqual([3, 2031])
    expect(JSON.stringify(request)).not.toMatch(/4444333322221111|"123"/)
  })
})
