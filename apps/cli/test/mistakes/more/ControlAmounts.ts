/** Amounts as many languages print them, signed by mistake. */
import type { Row } from "../RawRequest.ts"
import { money, row, value } from "./ControlChanges.ts"

const big = { amount: "1234.56", currency: "EUR" }

export const amounts: ReadonlyArray<Row> = [
  row("preauth", "PHP number_format($amount, 2)", "amount-format", value(2, "1,234.56"), { with: big }),
  row("capture", "a German locale with points of thousands", "amount-format", value(3, "1.234,56"), {
    with: big,
    or: ["amount-major"]
  }),
  row("return", "a French locale with narrow blanks", "amount-format", value(3, "1\u202f234,56"), { with: big }),
  row("make-rebill", "a Swiss locale", "amount-format", value(3, "1’234.56"), { with: big }),
  row("sale", "Indian groups of digits", "amount-format", value(2, "1,23,456.00"), {
    with: { amount: "123456.00", currency: "INR" }
  }),
  row("sale-form", "Arabic digits", "amount-format", value(2, "١٠٤٢")),
  row("capture", "a float of Python, int(8.2*100)", "amount-float", value(3, "819"), {
    with: { amount: "8.20", currency: "USD" }
  }),
  row("make-rebill", "a float of JavaScript, 1.1*100", "amount-float", value(3, "110.00000000000001"), {
    with: { amount: "1.10", currency: "USD" }
  }),
  row("payment-form", "a float of JavaScript, 4.35*100", "amount-float", value(2, "434.99999999999994"), {
    with: { amount: "4.35" }
  }),
  row("make-rebill", "dinars times 100", "amount-exponent", ({ values }) => ({ values: values.with(3, "123") }), {
    with: { amount: "1.234", currency: "KWD" }
  }),
  row("return", "dinars as they are sent", "amount-major", value(3, "1.234"), {
    with: { amount: "1.234", currency: "KWD" }
  }),
  row("preauth-form", "yen with two decimals", "amount-major", value(2, "500.00"), {
    with: { amount: "500", currency: "JPY" },
    or: ["amount-decimals"]
  }),
  row("capture", "yen divided by 100", "amount-exponent", value(3, "5"), { with: { amount: "500", currency: "JPY" } }),
  row("sale", "the point taken out of 10.4", "amount-exponent", value(2, "104"), { with: { amount: "10.4" } }),
  row("preauth", "a column of four decimals", "amount-major", value(2, "10.4200")),
  row("return", "BigDecimal of Ruby", "amount-format", value(3, "0.1042e4"), { with: money, or: ["amount-decimals"] }),
  row("sale", "a float64 of Go", "amount-format", value(2, "1.234567e+06"), { with: { amount: "12345.67" } }),
  row("return", "a negative amount", "amount-format", value(3, "-1042"), { with: money }),
  row("v2/transfer-by-ref", "major units", "amount-major", value(4, "10.42")),
  row("transfer-form", "ten thousandths", "amount-exponent", value(2, "104200")),
  row("make-rebill-sale", "a comma and no groups", "amount-major", value(3, "10,42")),
  row("make-rebill-preauth", "minor units with a comma", "amount-decimals", value(3, "1042,00")),
  row("capture", "the amount of an earlier try", "request-other", value(3, "1599"), { with: money }),
  row("sale-form", "the amount without the tax", "request-other", value(2, "876"))
]
