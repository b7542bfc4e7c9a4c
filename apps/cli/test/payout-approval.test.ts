import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Scheduler } from "@pay/gateway/Scheduler"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import { flags, pay } from "./Pay.ts"
import * as TestFiles from "./TestFiles.ts"
import * as TestGateway from "./TestGateway.ts"

const { approver, endpoints, privateKeyPem } = Sandbox.merchant
const folder = TestFiles.newFolder("approver")

const file = (name: string, content: string): string => {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}
const keyFile = file("approver.pem", approver.privateKeyPem)
const requestKey = file("request.pem", privateKeyPem)

const payout = { amount: "10.42", currency: "USD", account_number: "DE89370400440532013000" }

/** A payout at the command line, on the endpoint where somebody has to agree. */
const ask = Effect.fnUntraced(function* (clientOrderId: string) {
  const merchant = yield* TestGateway.merchant
  const env = { ...merchant, PAY_ENDPOINT_ID: endpoints.approval }
  const fields = flags({ client_orderid: clientOrderId, ...payout })
  const run = yield* Effect.promise(() => pay(["call", "payout", ...fields, "--json"], { env }))
  assert.strictEqual(run.code, 0, run.out + run.err)
  yield* (yield* Scheduler).settled
  return String(JSON.parse(run.out).answer["paynet-order-id"])
})

const approving = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(NodeServer, ({ publicBaseUrl }) =>
    Effect.promise(() =>
      pay(["payout", ...args], {
        env: {
          PAY_BASE_URL: publicBaseUrl,
          PAY_APPROVER: approver.name,
          PAY_APPROVER_KEY_FILE: keyFile,
          ...env
        }
      })
    )
  )

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("an approver at the command line", (it) => {
  it.effect("sees a waiting payout, and approves it", () =>
    Effect.gen(function* () {
      const order = yield* ask("A1")
      const run = yield* approving(["show", order])
      assert.deepStrictEqual([run.code, run.err], [0, ""])
      for (const text of ["10.42 USD", "DE****************3000", "waiting", "sandbox-merchant"])
        assert.include(run.out, text)
      const done = yield* approving(["approve", order, "--yes", "--json"])
      assert.strictEqual(done.code, 0, done.err)
      assert.deepInclude(JSON.parse(done.out), { outcome: "answered", state: "approved", approver: approver.name })
      const again = yield* approving(["reject", order, "--yes"])
      assert.strictEqual(again.code, 1)
      assert.include(again.err, "the payout no longer waits: it is approved")
      const merchant = yield* TestGateway.merchant
      const status = yield* Effect.promise(() => pay(["status", "A1", "--watch"], { env: merchant }))
      assert.include(status.out, "approved")
    })
  )

  it.effect("lists the waiting payouts of a merchant", () =>
    Effect.gen(function* () {
      const order = yield* ask("A9")
      const waits = ["list", "--waiting", "--merchant", Sandbox.merchant.login]
      const listed = yield* approving(waits)
      assert.deepStrictEqual([listed.code, listed.err], [0, ""])
      for (const text of [order, "10.42 USD", "DE****************3000"]) assert.include(listed.out, text)
      assert.match((yield* approving(["reject", order, "--yes"])).out, /State +rejected/)
      assert.notInclude((yield* approving([...waits, "--json"])).out, order)
      const unknown = yield* approving(waits, { PAY_APPROVER: "nobody" })
      assert.deepStrictEqual([unknown.code, unknown.out], [1, ""])
      assert.include(unknown.err, "has no such approver")
    })
  )

  it.effect("decides on the payouts that an operator lists as waiting", () =>
    Effect.gen(function* () {
      const order = yield* ask("A0")
      const alice = TestGateway.as("alice")
      const waits = ["payout", "list", "--waiting", "--merchant", Sandbox.merchant.login]
      const listed = yield* alice(waits)
      assert.deepStrictEqual([listed.code, listed.err], [0, ""])
      for (const text of [order, "10.42 USD", "DE****************3000"]) assert.include(listed.out, text)
      assert.strictEqual((yield* approving(["reject", order, "--yes"])).code, 0)
      assert.notInclude((yield* alice(waits)).out, order)
      const all = yield* alice(["payout", "list", "--merchant", Sandbox.merchant.login])
      assert.strictEqual(all.code, 2)
      assert.include(all.err, "list --waiting")
    })
  )

  it.effect("decides nothing without a confirmation, an order number and the right key", () =>
    Effect.gen(function* () {
      const order = yield* ask("A3")
      const rows = [
        [["approve", order], {}, 2, "give --yes to approve"],
        [["approve"], {}, 2, "Say list, or show, approve or reject"],
        [["agree", order], {}, 2, "Say list, or show, approve or reject"],
        [["show", order], { PAY_APPROVER_KEY_FILE: requestKey }, 2, "is not an Ed25519 key"],
        [["show", order], { PAY_APPROVER: "nobody" }, 1, "Check the order's number, --approver"],
        [["approve", "4711", "--yes"], {}, 1, "waits for this approver"]
      ] as const
      for (const [args, env, code, says] of rows) {
        const run = yield* approving(args, env)
        assert.strictEqual(run.code, code, run.err)
        assert.include(run.err, says)
        assert.notInclude(run.err, "PRIVATE KEY")
      }
      assert.match((yield* approving(["show", order])).out, /State +waiting/)
    })
  )
})
