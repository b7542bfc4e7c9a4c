import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { merchant as sandbox } from "@pay/server/Sandbox"
import { Effect } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import { flags, pay } from "./Pay.ts"
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
    ["a balance without its merchant", ["show"], 2, "Give --merchant"],
    [
      "a posting at another merchant's endpoint",
      ["add", ...flags({ ...posting, reference: "w2", merchant: "shop" })],
      1,
      "has no endpoint"
    ],
    [
      "a posting without a currency",
      ["add", ...flags({ ...posting, reference: "w3", endpoint: "1101" })],
      1,
      "takes USD, EUR"
    ],
    [
      "a posting of half a yen",
      ["add", ...flags({ ...posting, reference: "w4", amount: "0.5" })],
      1,
      "more than 0 decimals"
    ]
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

  it.effect("a merchant pays out in one step and in two, and sees the status", () =>
    Effect.gen(function* () {
      const { settled } = yield* Scheduler
      const folder = yield* temporaryFolder
      const key = join(folder, "merchant.pem")
      yield* Effect.promise(() => writeFile(key, sandbox.privateKeyPem, { mode: 0o600 }))
      const env = { ...(yield* TestGateway.merchant), PAY_PRIVATE_KEY_FILE: key }
      const call = (args: ReadonlyArray<string>) => Effect.promise(() => pay(args, { env }))
      const fields = flags({ amount: "1.00", currency: "USD", account_number: "DE89370400440532013000" })
      const once = yield* call(["call", "payout", "--client_orderid", "P1", ...fields, "--json"])
      assert.strictEqual(once.code, 0, once.err + once.out)
      const first = yield* call(["call", "payout-check", "--client_orderid", "P2", ...fields, "--json"])
      assert.strictEqual(first.code, 0, first.err + first.out)
      yield* settled
      const orderid = JSON.parse(first.out).answer["payout-id"]
      const second = yield* call(["call", "payout-pay", "--client_orderid", "P2", "--orderid", orderid])
      assert.strictEqual(second.code, 0, second.err)
      yield* settled
      for (const name of ["P1", "P2"]) {
        const status = yield* call(["status", name])
        assert.include(status.out, "approved")
        assert.include(status.out, "DE****************3000")
      }
    })
  )
})
