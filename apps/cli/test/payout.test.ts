import { assert, layer } from "@effect/vitest"
import { merchant as sandbox } from "@pay/server/Sandbox"
import { Effect } from "effect"
import { flags } from "./Pay.ts"
import * as TestGateway from "./TestGateway.ts"

const alice = TestGateway.as("alice")
const place = { merchant: sandbox.login, endpoint: sandbox.endpoints.jpy }
const posting = { reference: "wire-1", ...place, amount: "500" }

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("payouts at the command line", (it) => {
  it.effect("an operator adds to a payout balance once for each reference, and sees it", () =>
    Effect.gen(function* () {
      const booked = yield* alice(["balance", "add", ...flags(posting)])
      assert.deepStrictEqual([booked.code, booked.err], [0, ""])
      assert.match(booked.out, /^Booked\nreference +wire-1/)
      const again = yield* alice(["balance", "add", ...flags(posting)])
      assert.match(again.out, /^Booked before\n/)
      const other = yield* alice(["balance", "add", ...flags({ ...posting, amount: "501" })])
      assert.deepStrictEqual([other.code, other.out], [1, ""])
      assert.include(other.err, "reference wire-1 is another posting: sandbox-merchant, endpoint 1003, 500 JPY")
      const run = yield* alice(["balance", "show", "--merchant", sandbox.login])
      assert.match(run.out, /1003 +JPY +10500 +0 +0/)
      const audit = yield* alice(["audit", "--subject", `merchant:${sandbox.login}`, "--json"])
      assert.lengthOf(JSON.parse(audit.out).entries, 1)
      assert.include(audit.out, "balance.add")
    })
  )

  const wrong: ReadonlyArray<readonly [string, ReadonlyArray<string>, number, string]> = [
    ["a posting without an amount", ["add", ...flags(place), "--reference=x"], 2, "Give --amount"],
    ["a balance without its merchant", ["show"], 2, "Give --merchant"]
  ]
  for (const [name, args, code, says] of wrong) {
    it.effect(`pay balance refuses ${name}`, () =>
      Effect.gen(function* () {
        const run = yield* alice(["balance", ...args])
        assert.strictEqual(run.code, code, run.err)
        assert.include(run.err, says)
      })
    )
  }
})
