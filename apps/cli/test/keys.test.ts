/** `pay keys` and `pay merchants` against a gateway: a control key is on the screen once, and a mistake says what to write. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { pay } from "./Pay.ts"
import * as StubGateway from "./StubGateway.ts"
import * as TestGateway from "./TestGateway.ts"

const alice = TestGateway.as("alice")
const shop = "sandbox-merchant"

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("pay keys and pay merchants", (it) => {
  it.effect("a new key works at once, is shown once, and stops working when it is revoked", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      const made = yield* alice(["keys", "rotate", shop, "--overlap", "7d", "--json"])
      assert.deepStrictEqual([made.code, made.err], [0, ""])
      const { secret } = JSON.parse(made.out)
      /** Returns the gateway's answer about an unknown order, or about a wrong key. */
      const ask = (controlKey: string) =>
        Effect.map(
          Effect.promise(() => pay(["status", "nothing"], { env: { ...env, PAY_CONTROL_KEY: controlKey } })),
          ({ err, out }) => `${out}${err}`.replaceAll(/[0-9a-f-]{36}/g, "…")
        )
      const existing = yield* ask(env.PAY_CONTROL_KEY)
      const unknown = yield* ask("another key")
      assert.notStrictEqual(existing, unknown)
      assert.strictEqual(yield* ask(secret), existing)
      const listed = yield* alice(["keys", "list", shop])
      assert.match(listed.out, /control-2 +active +true/)
      assert.match(listed.out, /control-1 +retiring +false/)
      assert.notInclude(listed.out, secret)
      const last = yield* alice(["keys", "revoke", shop, "rsa-1"])
      assert.deepStrictEqual([last.code, last.out], [1, ""])
      assert.include(last.err, "last rsa key")
      assert.strictEqual((yield* alice(["keys", "revoke", shop, "control-2"])).code, 0)
      assert.strictEqual(yield* ask(secret), unknown)
    })
  )

  it.effect("the merchants are listed and shown", () =>
    Effect.gen(function* () {
      const listed = yield* alice(["merchants", "list"])
      assert.deepStrictEqual([listed.code, listed.err], [0, ""])
      assert.include(listed.out, shop)
      assert.match(listed.out, / 1001, 1002, /)
      const run = yield* alice(["merchants", "show", shop])
      for (const text of ["endpoints\n", "groups\n", "approvers\n", "1001"]) assert.include(run.out, text)
      const reload = yield* alice(["merchants", "reload"])
      assert.deepStrictEqual([reload.code, reload.out], [1, ""])
      assert.include(reload.err, "without a configuration file")
    })
  )

  it.effect("a reload that is refused prints each problem on a line of its own", () =>
    Effect.gen(function* () {
      const problems = ["merchant a has no endpoint", "merchant b is there twice"]
      const stub = yield* Effect.acquireRelease(
        Effect.promise(() =>
          StubGateway.start(StubGateway.json(400, { error: "the merchants stay as they were", problems }))
        ),
        ({ close }) => Effect.promise(close)
      )
      const run = yield* Effect.promise(() => pay(["merchants", "reload"], { env: { PAY_OPERATOR_URL: stub.url } }))
      assert.deepStrictEqual([run.code, run.out], [1, ""])
      assert.include(run.err, ["The gateway refused: the merchants stay as they were", ...problems].join("\n"))
    })
  )

  it.effect.each([
    [["keys", "list"], "pay keys list LOGIN"],
    [["keys", "add", shop, "--overlap", "1h"], "--overlap is for rotate"],
    [["keys", "rotate", shop, "--overlap", "soon"], "24h"],
    [["keys", "add", shop, "--kind", "dsa"], "control or rsa"],
    [["keys", "add", shop, "--kind", "rsa"], "--public-key-file"],
    [["merchants", "show"], "show LOGIN"]
  ] as const)("%s is refused with the correct usage", ([args, says]) =>
    Effect.gen(function* () {
      const run = yield* alice(args)
      assert.deepStrictEqual([run.code, run.out], [2, ""])
      assert.include(run.err, says)
    })
  )
})
