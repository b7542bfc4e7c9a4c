/** `pay logs tail`: what arrives at the gateway, as its operator sees it. */
import { assert, layer } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect } from "effect"
import { flags, pay, secrets } from "./Pay.ts"
import * as TestGateway from "./TestGateway.ts"

const alice = TestGateway.as("alice")

const sell = (clientOrderId: string, more: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(TestGateway.merchant, (env) =>
    Effect.promise(() =>
      pay(
        [
          "call",
          "sale",
          ...flags({
            ...Sample.request(PayApi.operations.SALE),
            client_orderid: clientOrderId,
            credit_card_number: secrets.cardNumber,
            cvv2: secrets.cvv
          })
        ],
        { env: { ...env, ...more } }
      )
    )
  )

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("pay logs tail", (it) => {
  it.effect("shows operation, order, signature, status and code of each request, and no card data", () =>
    Effect.gen(function* () {
      yield* sell("L1")
      yield* sell("L2", { PAY_CONTROL_KEY: "another-key" })
      yield* sell("L1")
      const run = yield* alice(["logs", "tail", "--once"])
      assert.deepStrictEqual([run.code, run.err], [0, ""])
      const [first, second, third] = run.out.split("\n")
      assert.match(
        first ?? "",
        / 200 {2}signed {6}SALE at 1001 +L1 \(\d+\) {2}from 127\.0\.0\.1 with sandbox-merchant\/control-1 {2}\d+ ms$/
      )
      assert.match(
        second ?? "",
        / 400 {2}NOT SIGNED {2}SALE at 1001 +L2: 40 Login, endpoint or control is wrong {2}from 127\.0\.0\.1 {2}\d+ ms$/
      )
      assert.match(third ?? "", / 200 {2}signed .* L1 \(\d+\)/)
      const json = yield* alice(["logs", "tail", "--once", "--refused", "--json"])
      const { at: _, tookMs: __, code, ...row } = JSON.parse(json.out)
      assert.isNumber(code)
      assert.deepStrictEqual(row, {
        outcome: "answered",
        operation: "SALE",
        endpoint: "1001",
        merchant: null,
        merchantOrder: "L2",
        order: null,
        signature: "wrong",
        address: "127.0.0.1",
        key: null,
        status: 400,
        fields: ""
      })
    })
  )

  it.effect.each([
    ["--signature=wrong", ["L2"]],
    ["--order=L1", ["L1", "L1"]],
    ["--operation=STATUS", []],
    ["--key=sandbox-merchant/control-1", ["L1", "L1"]],
    ["--key=sandbox-merchant/control-2", []],
    ["--address=127.0.0.1", ["L1", "L2", "L1"]],
    ["--address=192.0.2.7", []],
    ["--merchant=sandbox-merchant", ["L1", "L1"]]
  ] as const)("filters requests by %s", ([flag, orders]) =>
    Effect.gen(function* () {
      const { out } = yield* alice(["logs", "tail", "--once", "--json", flag])
      const rows = out.split("\n").filter((line) => line !== "")
      assert.deepStrictEqual(
        rows.map((row) => JSON.parse(row).merchantOrder),
        [...orders]
      )
    })
  )

  it.effect("shows requests as they arrive, until Ctrl-C", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      const sent: Array<Promise<unknown>> = []
      const run = yield* alice(["logs", "tail"], {
        onOutput: (out, kill) => {
          if (sent.length === 0) sent.push(pay(["status", "followed"], { env }))
          if (out.includes("STATUS at 1001")) kill("SIGINT")
        }
      })
      yield* Effect.promise(() => Promise.all(sent))
      assert.deepStrictEqual([run.code, run.err], [0, ""])
      assert.match(run.out, /STATUS at 1001 +followed: 54 /)
    })
  )

  it.effect("shows the last requests of --limit and ends", () =>
    Effect.gen(function* () {
      const run = yield* alice(["logs", "tail", "--limit=2"])
      assert.deepStrictEqual([run.code, run.err, run.out.trimEnd().split("\n").length], [0, "", 2])
    })
  )

  it.effect("shows a request without a signature as not signed, and names its wrong fields", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      const post = (path: string, body: string) =>
        Effect.promise(() =>
          fetch(`${env.PAY_BASE_URL}/api/${path}/${env.PAY_ENDPOINT_ID}`, {
            method: "POST",
            headers: {
              accept: "application/vnd.pay+json",
              "content-type": "application/x-www-form-urlencoded"
            },
            body
          })
        )
      yield* post("v2/void", `login=${env.PAY_LOGIN}&client_orderid=U1&orderid=1`)
      yield* post("v2/void", `login=${env.PAY_LOGIN}&client_orderid=U2&orderid=1&control=`)
      yield* post("v4/status", "client_orderid=U3")
      const { out } = yield* alice(["logs", "tail", "--limit=3"])
      assert.strictEqual(out.match(/ NOT SIGNED /g)?.length, 3, out)
      assert.include(out, "U1 (1): 1 Parameter control is required")
      assert.notInclude(out, "Parameter X")
    })
  )

  it.effect("shows requests that ask again once, and how many they were", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      for (let count = 0; count < 4; count += 1) yield* Effect.promise(() => pay(["status", "polled"], { env }))
      const lines = (out: string) => out.split("\n").filter((text) => text.includes("polled"))
      const folded = lines((yield* alice(["logs", "tail", "--once"])).out)
      assert.lengthOf(folded, 2, folded.join("\n"))
      assert.match(folded[1] ?? "", /the last of 3 equal requests more$/)
      assert.lengthOf(lines((yield* alice(["logs", "tail", "--once", "--all"])).out), 4)
      assert.lengthOf(lines((yield* alice(["logs", "tail", "--once", "--json"])).out), 4)
    })
  )

  it.effect.each([
    ["a missing verb", ["logs"], 2, "pay logs tail [flags]"],
    ["an unknown verdict", ["logs", "tail", "--signature=maybe"], 2, "--signature is right, wrong or unchecked"],
    ["a wrong token", ["logs", "tail"], 1, "PAY_OPERATOR_TOKEN"]
  ] as const)("refuses %s", ([, args, code, says]) =>
    Effect.gen(function* () {
      const run = yield* alice([...args], { env: { PAY_OPERATOR_TOKEN: "another" } })
      assert.deepStrictEqual([run.code, run.out], [code, ""])
      assert.include(run.err, says)
    })
  )
})
