/** `pay bookings import`: a bank's list from a file, in parts that the gateway takes. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { operations } from "@pay/gateway/OperatorApi"
import { Effect } from "effect"
import { run } from "../src/operator/BookingsProgram.ts"
import type { Json, OperatorClient } from "../src/operator/OperatorClient.ts"
import * as TestFiles from "./TestFiles.ts"
import * as TestGateway from "./TestGateway.ts"

const folder = TestFiles.newFolder("bookings")
const header = "reference,kind,amount,currency,at,result"
const lineOf = (n: number): string => `${n}-sale-0,sale,10.42,USD,2026-11-22T08:00:00Z,approved`
const list = (count: number): string => {
  const path = join(folder, `${count}.csv`)
  writeFileSync(path, [header, ...Array.from({ length: count }, (_, n) => lineOf(n))].join("\n"))
  return path
}
const period = { from: "2026-11-21", to: "2026-11-22" }

describe("pay bookings import", () => {
  it.each([
    [0, [0]],
    [500, [500]],
    [501, [500, 1]]
  ])("sends %i bookings in parts, the last with the period", async (count, parts) => {
    const inputs: Array<Json> = []
    const client: OperatorClient = {
      call: async (operation, input) => {
        assert.strictEqual(operation.name, "importBookings")
        inputs.push(input)
        return { bookings: count, missing: 1, complete: true }
      },
      csv: () => Promise.reject(new Error("nothing is exported"))
    }
    const printed: Array<Json> = []
    const code = await run({
      client,
      operation: operations.importBookings,
      given: { operands: [], flags: new Map(Object.entries({ source: "bank", ...period })) },
      operands: [list(count)],
      print: (_, json) => printed.push(json),
      progress: () => undefined
    })
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(
      inputs.map(({ bookings }) => Array.isArray(bookings) && bookings.length),
      parts
    )
    assert.deepStrictEqual(
      inputs.map(({ covers }) => covers),
      parts.map((_, index) => (index === parts.length - 1 ? period : undefined))
    )
    assert.deepStrictEqual(printed, [{ bookings: count, missing: parts.length }])
  })
})

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("pay bookings", (it) => {
  const alice = TestGateway.as("alice")
  const flags = ["--source", "bank", "--from", period.from, "--to", period.to]

  it.effect.each([
    [
      "a list for a gateway that was not restored",
      ["bookings", "import", list(1), ...flags],
      1,
      "there is nothing to import"
    ],
    ["an import without its period", ["bookings", "import", list(1), "--source", "bank"], 2, "Give --from, --to"],
    ["an import without a file", ["bookings", "import", ...flags], 2, "pay bookings import FILE"],
    ["an unknown source", ["bookings", "close", "1", "--source", "x", "--note", "y"], 2, "--source is bank or rail"],
    ["a flag of another verb", ["bookings", "list", "--note", "y"], 2, "--note is for close"]
  ] as const)("refuses %s", ([, args, code, says]) =>
    Effect.gen(function* () {
      const { code: ended, err, out } = yield* alice([...args])
      assert.strictEqual(ended, code, err)
      assert.include(`${err}${out}`, says)
    })
  )
})
