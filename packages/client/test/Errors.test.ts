/** Tests that the documents name each error of the client once. */
import { readFileSync } from "node:fs"
import { inspect } from "node:util"
import { assert, it } from "@effect/vitest"
import * as Errors from "../src/Errors.ts"
import * as Client from "../src/main.ts"

it("Node prints of an error only what it has", () => {
  const error = Errors.make("Refused", { message: "no", retryable: false, errorCode: 3 })
  assert.notInclude(inspect(error), "undefined")
  assert.include(inspect(error), "errorCode: 3")
  assert.isUndefined(error.orderId)
})

it("docs/merchants/client.md has one row for each class of errors", () => {
  const text = readFileSync(new URL("../../../docs/merchants/client.md", import.meta.url), "utf8")
  const [, section = ""] = text.split("\n## Errors\n")
  const [table = ""] = section.split("\n## ")
  const rows = [...table.matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, code]) => `${code}Error`)
  const classes = Object.keys(Client).filter((name) => name.endsWith("Error") && name !== "PayError")
  assert.deepStrictEqual(rows.sort(), classes.sort())
})
