/** What an export writes of a text: an operator opens it in a spreadsheet, which runs formulas. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as OperatorHandler from "../../src/http/operator/OperatorHandler.ts"
import * as OperatorOperation from "../../src/operators/OperatorOperation.ts"

const operation = OperatorOperation.make("exportTexts", {
  method: "GET",
  path: "/operator/texts.csv",
  command: "texts export",
  format: "csv",
  columns: ["text"],
  about: "Exports texts.",
  input: Schema.Struct({}),
  answer: Schema.Struct({ lines: Schema.Array(Schema.Struct({ text: Schema.String })) })
})

const request = { path: {}, query: new URLSearchParams(), body: "", actor: "gateway", roles: [] } as const

describe("an export as CSV", () => {
  it.effect.each([
    ["my-shop", "my-shop"],
    ["", ""],
    ["-10.42", "-10.42"],
    ["+1", "+1"],
    ["=1+1", "'=1+1"],
    ["+1+1", "'+1+1"],
    ["-2+3", "'-2+3"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1+1", "'\t=1+1"],
    ["\r=1+1", '"\'\r=1+1"'],
    ['=HYPERLINK("https://evil.example","x")', '"\'=HYPERLINK(""https://evil.example"",""x"")"'],
    ["a,b", '"a,b"']
  ] as const)("writes %j as %j", ([text, written]) =>
    Effect.map(OperatorHandler.route(operation, () => Effect.succeed({ lines: [{ text }] })).run(request), ({ body }) =>
      assert.strictEqual(body, `text\r\n${written}\r\n`)
    )
  )
})
