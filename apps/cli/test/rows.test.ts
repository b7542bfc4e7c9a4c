import { expect, it } from "@effect/vitest"
import * as Rows from "../src/operator/Rows.ts"

it.each(["\n", "\r\n", "\u2028", "\u0085", "\v"])(
  "a text with the line end %j is one line of a table and of a card",
  (end) => {
    const row = { at: "2026", what: `refund${end}2026  forged` }
    expect(Rows.table([row], ["at", "what"]).split(/[\n\v\f\r\u0085\u2028\u2029]/)).toHaveLength(2)
    expect(Rows.card(row).split(/[\n\v\f\r\u0085\u2028\u2029]/)).toHaveLength(2)
  }
)
