/** `pay flow`: payments to their final status. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as OperationName from "../src/command/OperationName.ts"
import * as FlowCommands from "../src/flow/FlowCommands.ts"
import * as HelpPage from "../src/help/HelpPage.ts"
import { card, challenged, endpoints, form, payFlow, recordOf, stopAt } from "./FlowCommand.ts"
import { pay, spawned } from "./Pay.ts"
import { quick } from "./QuickClock.ts"
import * as TestGateway from "./TestGateway.ts"

/** The actions of the simulated customer at a challenge. */
const outcomes = ["pass", "fail", "abandon"] as const

layer(TestGateway.layer, { excludeTestServices: true, timeout: 120_000 })("pay flow", (it) => {
  const table: ReadonlyArray<
    readonly [name: string, FlowCommands.Name, Readonly<Record<string, string>>, string, string, number, string]
  > = [
    ["sale approved", "sale", card, "", endpoints.usd, 0, "approved"],
    ["sale declined", "sale", { ...card, cvv2: "116" }, "", endpoints.usd, 1, "Declined"],
    ["authorize approved", "authorize", card, "", endpoints.usd, 0, "approved"],
    ["authorize declined", "authorize", { ...card, cvv2: "209" }, "", endpoints.usd, 1, "Declined"],
    ["subscribe approved", "subscribe", card, "", endpoints.usd, 0, "approved"],
    ["subscribe declined", "subscribe", { ...card, cvv2: "116" }, "", endpoints.usd, 1, "Declined"],
    ["payout approved", "payout", { amount: "1.00" }, "", endpoints.usd, 0, "approved"],
    ["payout filtered", "payout", { amount: "100.01" }, "", endpoints.limited, 1, "Filtered"],
    ["hosted approved", "hosted", {}, "pass", endpoints.usd, 0, "approved"],
    ["hosted filtered", "hosted", { amount: "100.01" }, "pass", endpoints.limited, 1, "Filtered"],
    ["hosted abandoned", "hosted", {}, "abandon", endpoints.usd, 1, "Abandoned"],
    ...[endpoints.threeds3dsGateway, endpoints.threedsMerchant].flatMap((endpoint) =>
      outcomes.map(
        (outcome) =>
          [
            `sale with 3-D Secure at ${endpoint}, ${outcome}`,
            "sale" as const,
            { ...card, credit_card_number: challenged },
            outcome,
            endpoint,
            outcome === "pass" ? 0 : 1,
            outcome === "pass" ? "approved" : "NotAuthenticated"
          ] as const
      )
    )
  ]
  for (const [index, [name, flow, changes, played, endpoint, code, outcome]] of table.entries()) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const name = flow === "payout" ? "client-order-id" : "client_orderid"
        const input = form(flow, { [name]: `F${index}`, ...changes })
        const args = [flow, "--form=-", `--endpoint-id=${endpoint}`, "--json", ...(played ? [`--3ds=${played}`] : [])]
        const run = yield* payFlow(args, { input, clock: quick })
        const report = JSON.parse(run.out)
        assert.deepStrictEqual([run.code, report.outcome], [code, outcome], run.err + run.out)
        assert.match(run.err, /^create: /)
        assert.include(run.err, "\nstatus 1")
        assert.isAbove(report.evidence.length, 1)
        assert.isFalse(existsSync(recordOf(`F${index}`)))
      })
    )
  }

  for (const name of FlowCommands.names) {
    it.effect(`runs the example of pay help flow ${name}`, () =>
      Effect.gen(function* () {
        const page = HelpPage.flow(name, OperationName.find(FlowCommands.flows[name], "flow"))
        const [, input = "", args = ""] = /^ {2}echo '(.*)' \| pay flow (.*)$/m.exec(page) ?? []
        const run = yield* payFlow([...args.split(" "), ...(name === "hosted" ? ["--3ds=pass"] : [])], {
          input,
          clock: quick
        })
        assert.strictEqual(run.code, 0, run.err)
        assert.match(run.out, /status +approved/)
      })
    )
  }

  for (const [endpoint, signal, code, run] of [
    [endpoints.threeds3dsGateway, "SIGINT", 4, pay],
    [endpoints.threedsMerchant, "SIGKILL", null, spawned]
  ] as const) {
    it.effect(`resumes a sale after ${signal} during 3-D Secure, and stores no card data`, () =>
      Effect.gen(function* () {
        const name = `stopped-${signal}`
        const input = form("sale", { client_orderid: name, ...card, credit_card_number: challenged })
        const args = ["sale", "--form=-", `--endpoint-id=${endpoint}`]
        const stopped = yield* payFlow(args, { input, ...stopAt("Open in a browser: http", signal) }, run)
        assert.strictEqual(stopped.code, code, stopped.err)
        const path = recordOf(name)
        assert.strictEqual(statSync(path).mode & 0o777, 0o600)
        assert.notInclude(readFileSync(path, "utf8"), challenged)
        assert.notMatch(readFileSync(path, "utf8"), /cvv2":|expire_year":/)
        const resumed = yield* payFlow(["resume", name, "--3ds=pass", "--json"])
        assert.strictEqual(resumed.code, 0, resumed.err + resumed.out)
        assert.deepInclude(JSON.parse(resumed.out), { outcome: "approved", flow: "sale" })
        assert.isFalse(existsSync(path))
        const again = yield* payFlow(["resume", name])
        assert.deepStrictEqual([again.code, again.out], [2, ""])
      })
    )
  }

  const wrong: ReadonlyArray<readonly [string, ReadonlyArray<string>, string]> = [
    ["no flow", [], "Say which"],
    ["an unknown flow", ["refund"], "Say which"],
    ["a sale without fields", ["sale"], "Missing: client_orderid, order_desc, amount, currency, card_printed_name, "],
    ["a payout without fields", ["payout"], "On a terminal pay flow payout asks for what is missing"],
    ["a field of another operation", ["sale", "--card-ref-id=1"], "Unknown flag"],
    ["an unknown action of the simulated customer", ["hosted", "--3ds=maybe"], "pass, fail or abandon"],
    [
      "a simulated customer at a gateway on another machine",
      ["hosted", "--3ds=pass", "--base-url=https://gateway.example"],
      "only at a sandbox on this machine"
    ],
    ["resume without an order", ["resume"], "Name one order"],
    ["resume of an unknown order", ["resume", "nobody"], "No flow of this name"]
  ]
  for (const [name, args, says] of wrong) {
    it.effect(`refuses ${name}`, () =>
      Effect.gen(function* () {
        const run = yield* payFlow(args)
        assert.strictEqual(run.code, 2, run.err)
        assert.include(run.err, says)
      })
    )
  }

  it.effect("refuses a second flow with the same name and other content", () =>
    Effect.gen(function* () {
      const start = (amount: string) =>
        payFlow(["sale", "--form=-", "--base-url=http://127.0.0.1:1"], {
          input: form("sale", { client_orderid: "twice", amount, ...card })
        })
      assert.strictEqual((yield* start("1.00")).code, 3)
      assert.strictEqual((yield* start("1.00")).code, 3)
      const other = yield* start("2.00")
      assert.strictEqual(other.code, 2, other.err)
      assert.include(other.err, "under way with other content")
    })
  )
})
