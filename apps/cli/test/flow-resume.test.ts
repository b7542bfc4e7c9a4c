/** Flows that were stopped at a stage, and are resumed. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import type { Name } from "../src/flow/FlowCommands.ts"
import { card, challenged, endpoints, form, payFlow, recordOf, stopAt, version1 } from "./FlowCommand.ts"
import { pay, spawned } from "./Pay.ts"
import * as StubGateway from "./StubGateway.ts"
import * as TestGateway from "./TestGateway.ts"

/** A gateway that never answers, and reports each request. */
const silent = (onAsked: () => void) =>
  Effect.acquireRelease(
    Effect.promise(() => StubGateway.start(onAsked)),
    ({ close }) => Effect.promise(close)
  )

/** Without a quiet period, because no request is lost on the way here. */
const promptly = { env: { PAY_QUIET_PERIOD: "0" } }

layer(TestGateway.layer, { excludeTestServices: true, timeout: 120_000 })("a stopped flow", (it) => {
  const displayed = "Open in a browser: http"
  const withChallenge = { ...card, credit_card_number: challenged }
  const rows: ReadonlyArray<readonly [flow: Name, endpoint: string, fields: Readonly<Record<string, string>>]> = [
    ["sale", endpoints.threeds3dsGateway, withChallenge],
    ["sale", endpoints.threedsMerchant, { ...card, credit_card_number: version1 }],
    ["authorize", endpoints.threedsMerchant, withChallenge],
    ["subscribe", endpoints.threeds3dsGateway, withChallenge],
    ["hosted", endpoints.threeds3dsGateway, {}]
  ]
  for (const [index, [flow, endpoint, fields]] of rows.entries()) {
    it.effect(`${flow} at ${endpoint}, row ${index}: resumes after two stops during the customer's action`, () =>
      Effect.gen(function* () {
        const name = `R${index}`
        const args = [flow, "--form=-", `--endpoint-id=${endpoint}`]
        const input = form(flow, { client_orderid: name, ...fields })
        const stopped = yield* payFlow(args, { input, ...stopAt(displayed) })
        assert.strictEqual(stopped.code, 4, stopped.err)
        assert.include(stopped.err, `Continue: pay flow resume ${name}`)
        const again = yield* payFlow(["resume", name], stopAt(displayed))
        assert.strictEqual(again.code, 4, again.err)
        assert.include(again.err, `Continue: pay flow resume ${name}`)
        const resumed = yield* payFlow(["resume", name, "--3ds=pass", "--json"])
        assert.strictEqual(resumed.code, 0, resumed.err + resumed.out)
        const report = JSON.parse(resumed.out)
        assert.deepInclude(report, { outcome: "approved", flow })
        if (flow === "subscribe") assert.match(report.order.recurringPaymentId, /^\d+$/)
        assert.isFalse(existsSync(recordOf(name)))
      })
    )
  }

  it.effect("payout: resumes while it waits for its second approver, and after the approval", () =>
    Effect.gen(function* () {
      const args = ["payout", "--form=-", `--endpoint-id=${endpoints.approval}`]
      const input = form("payout", { "client-order-id": "RP", amount: "1.00" })
      const waiting = /^status .*payout_waiting_approval (\d+)$/m
      const stopped = yield* payFlow(args, { input, ...stopAt(waiting) })
      assert.strictEqual(stopped.code, 4, stopped.err)
      const order = waiting.exec(stopped.err)?.[1] ?? ""
      assert.notInclude(readFileSync(recordOf("RP"), "utf8"), 'credit_card_number":')
      const { PAY_BASE_URL } = yield* TestGateway.merchant
      const { approver } = Sandbox.merchant
      const agree = () =>
        pay(["payout", "approve", order, "--yes", "--approver-key-file=-"], {
          env: { PAY_BASE_URL, PAY_APPROVER: approver.name },
          input: approver.privateKeyPem
        })
      const agreed: Array<Promise<unknown>> = []
      const resumed = yield* payFlow(["resume", "RP"], {
        onError: (err) => {
          if (agreed.length === 0 && waiting.test(err)) agreed.push(agree())
        }
      })
      yield* Effect.promise(() => Promise.all(agreed))
      assert.strictEqual(resumed.code, 0, resumed.err)
      assert.match(resumed.out, /status +approved/)
    })
  )

  it.effect("reports a request that never arrived, and resumes with the card given again", () =>
    Effect.gen(function* () {
      const program: { stop?: () => void } = {}
      const { url } = yield* silent(() => program.stop?.())
      const input = form("sale", { client_orderid: "lost", ...card })
      const stopped = yield* payFlow(["sale", "--form=-", `--base-url=${url}`], {
        input,
        onStart: (kill) => {
          program.stop = () => kill("SIGINT")
        }
      })
      assert.strictEqual(stopped.code, 4, stopped.err)
      assert.include(stopped.err, "Continue: pay flow resume lost")
      const { PAY_BASE_URL } = yield* TestGateway.merchant
      const quiet = yield* payFlow(["resume", "lost", `--base-url=${PAY_BASE_URL}`], stopAt("waits 45 s"))
      assert.strictEqual(quiet.code, 4, quiet.err)
      const never = yield* payFlow(["resume", "lost", `--base-url=${PAY_BASE_URL}`], promptly)
      assert.strictEqual(never.code, 1, never.err)
      assert.include(never.err, "NeverHappened")
      assert.include(never.err, "Continue: pay flow resume lost --form FILE")
      assert.isTrue(existsSync(recordOf("lost")))
      const again = ["resume", "lost", "--form=-", `--base-url=${PAY_BASE_URL}`]
      const without = yield* payFlow(again, { ...promptly, input: "cvv2=123" })
      assert.strictEqual(without.code, 1, without.err)
      const resumed = yield* payFlow(again, { input })
      assert.strictEqual(resumed.code, 0, resumed.err)
      assert.match(resumed.out, /status +approved/)
    }).pipe(Effect.scoped)
  )

  it.effect("resumes with the gateway profile of its start", () =>
    Effect.gen(function* () {
      const program: { stop?: () => void } = {}
      const { requests, url } = yield* silent(() => program.stop?.())
      const interrupted = {
        onStart: (kill: (signal: NodeJS.Signals) => void) => {
          program.stop = () => kill("SIGINT")
        }
      }
      const input = form("sale", { client_orderid: "profiled", ...card })
      const args = ["sale", "--form=-", `--base-url=${url}`, "--gateway-profile=paynet"]
      const stopped = yield* payFlow(args, { input, ...interrupted })
      assert.strictEqual(stopped.code, 4, stopped.err)
      const again = yield* payFlow(["resume", "profiled"], interrupted)
      assert.strictEqual(again.code, 4, again.err)
      assert.isAbove(requests.length, 1)
      for (const { path } of requests) assert.match(path, /^\/paynet\/api\//)
    }).pipe(Effect.scoped)
  )

  it.effect("resumes the gateway's order, and ignores another card", () =>
    Effect.gen(function* () {
      const args = ["sale", "--form=-", `--endpoint-id=${endpoints.threeds3dsGateway}`]
      const input = form("sale", { client_orderid: "other", ...withChallenge })
      yield* payFlow(args, { input, ...stopAt(displayed) })
      const other = form("sale", { client_orderid: "other", ...card })
      const resumed = yield* payFlow(["resume", "other", "--form=-", "--3ds=pass", "--json"], { input: other })
      assert.strictEqual(resumed.code, 0, resumed.err + resumed.out)
      assert.deepInclude(JSON.parse(resumed.out).order, { lastFour: challenged.slice(-4) })
    })
  )

  const wrong = [
    ["soon", [], "is a number of seconds"],
    ["-1", [], "is a number of seconds"],
    ["44.9", ["--base-url=https://gateway.example"], "less than 45 only at a gateway on this machine"]
  ] as const
  for (const [seconds, more, says] of wrong) {
    it.effect(`refuses a quiet period of ${seconds}`, () =>
      Effect.gen(function* () {
        const input = form("sale", { client_orderid: "quiet", ...card })
        const run = yield* payFlow(["sale", "--form=-", `--quiet-period=${seconds}`, ...more], { input })
        assert.strictEqual(run.code, 2, run.err)
        assert.include(run.err, says)
      })
    )
  }
})

describe("a second Ctrl-C", () => {
  it("ends the program at once", async () => {
    const main = join(import.meta.dirname, "Uninterruptible.ts")
    const run = await spawned([], {
      main,
      onOutput: (out, kill) => {
        if (out === "begun\n") kill("SIGINT")
        if (out.endsWith("once\n")) kill("SIGINT")
      }
    })
    assert.deepStrictEqual(run, { code: null, out: "begun\nonce\n", err: "" })
  })
})
