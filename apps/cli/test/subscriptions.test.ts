import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { flags, pay, secrets } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"
import * as TestGateway from "./TestGateway.ts"

const folder = TestFiles.newFolder("recurring")
const key = join(folder, "key.pem")
writeFileSync(key, Sandbox.merchant.privateKeyPem)

const alice = TestGateway.as("alice")
const fields = {
  ...Sample.request(PayApi.operations.CREATE_RP_V4),
  client_orderid: "R1",
  credit_card_number: secrets.cardNumber,
  cvv2: "123"
}

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })(
  "recurring payments at the command line",
  (it) => {
    it.effect("are created, charged while the clock advances, and listed", () =>
      Effect.gen(function* () {
        const env = { ...(yield* TestGateway.merchant), PAY_PRIVATE_KEY_FILE: key }
        const made = yield* Effect.promise(() =>
          pay(["call", "create-recurring-payment", ...flags(fields), "--json"], { env })
        )
        assert.deepStrictEqual([made.code, made.err], [0, ""])
        const id = String(JSON.parse(made.out).answer["recurring-payment-id"])
        yield* (yield* Scheduler).settled
        const moved = yield* alice(["clock", "advance", "45d"])
        assert.deepStrictEqual([moved.code, moved.err], [0, ""])
        assert.match(moved.out, /^It is 20\d\d-.*Z in the sandbox\.\n$/)
        const listed = yield* alice(["subscriptions", "list", "--state", "active"])
        assert.deepStrictEqual([listed.code, listed.err], [0, ""])
        assert.match(
          listed.out,
          new RegExp(`${id} +sandbox-merchant +R1 +active +10\\.42 +USD +1 monthly from .* +2\\n`)
        )
        const run = yield* alice(["subscriptions", "show", id])
        assert.strictEqual(run.code, 0)
        assert.strictEqual([...run.out.matchAll(/ charged /g)].length, 2)
        assert.notInclude(run.out, secrets.cardNumber)
        const back = yield* alice(["clock", "reset", "--json"])
        assert.strictEqual(JSON.parse(back.out).offsetMs, 0)
      })
    )

    it.effect("report an invalid duration, an unknown payment and an unknown verb", () =>
      Effect.gen(function* () {
        const far = yield* alice(["clock", "advance", "soon"])
        assert.deepStrictEqual([far.code, far.out], [1, ""])
        assert.include(far.err, "45d, 12h, 30m or 10s")
        const unknown = yield* alice(["subscriptions", "show", "1"])
        assert.deepStrictEqual([unknown.code, unknown.out], [1, ""])
        assert.include(unknown.err, "there is no such recurring payment")
        const usage = yield* alice(["clock", "back"])
        assert.strictEqual(usage.code, 2)
      })
    )
  }
)
