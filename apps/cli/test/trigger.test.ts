/** `pay trigger`: every event takes the way that its table says, at a real sandbox. */
import { afterEach, assert, describe, it, layer } from "@effect/vitest"
import { Scheduler } from "@pay/gateway/Scheduler"
import { Effect } from "effect"
import { events, type TriggerEvent } from "../src/sandbox/TriggerEvents.ts"
import { merchant, pay } from "./Pay.ts"
import * as StubGateway from "./StubGateway.ts"
import * as TestGateway from "./TestGateway.ts"

const alice = TestGateway.as("alice")
const table: ReadonlyArray<readonly [string, TriggerEvent]> = Object.entries(events)

layer(TestGateway.layer, { excludeTestServices: true, timeout: 120_000 })("pay trigger", (it) => {
  it.effect.each(table)("creates the event %s", ([name, event]) =>
    Effect.gen(function* () {
      const { settled } = yield* Scheduler
      const env = yield* TestGateway.merchant
      const { PAY_BASE_URL } = env
      const run = yield* Effect.promise(() => pay(["trigger", name, "--json"], { env: { PAY_BASE_URL } }))
      assert.strictEqual(run.code, 0, run.err + run.out)
      const { clientOrderId, ends } = JSON.parse(run.out)
      assert.strictEqual(ends, event.ends)
      yield* settled
      if (event.after !== undefined) assert.strictEqual((yield* alice(["clock", "advance", event.after])).code, 0)
      yield* settled
      const status = yield* Effect.promise(() => pay(["status", clientOrderId, "--json"], { env }))
      const { answer } = JSON.parse(status.out)
      assert.strictEqual(answer.status, event.ends, status.out)
    })
  )

  it.effect("prints the requests that it sent, and how to follow the order", () =>
    Effect.gen(function* () {
      const env = yield* TestGateway.merchant
      const { PAY_BASE_URL } = env
      const args = ["trigger", "capture-declined", "--client-orderid=mine"]
      const { code, out } = yield* Effect.promise(() => pay(args, { env }))
      assert.strictEqual(code, 0)
      assert.match(out, /PREAUTH {2}mine at 1001: order \d+\n {2}CAPTURE {2}mine at 1001: order \d+/)
      assert.include(out, "It is approved.\n  pay why mine\n  pay status mine --watch")

      const again = yield* Effect.promise(() => pay(args, { env: { PAY_BASE_URL } }))
      const [, settings = ""] = /approved\.\n((?: {2}export .*\n)+) {2}pay why mine/.exec(again.out) ?? []
      const printed = Object.fromEntries(
        [...settings.matchAll(/(PAY_\w+)=(\S+)/g)].map(([, name, text]) => [name, text])
      )
      const status = yield* Effect.promise(() => pay(["status", "mine"], { env: printed }))
      assert.strictEqual(status.code, 0, status.err)
    })
  )

  it.effect("requires the control key of a merchant that is not the sandbox's", () =>
    Effect.gen(function* () {
      const { PAY_BASE_URL } = yield* TestGateway.merchant
      const env = { PAY_BASE_URL, PAY_LOGIN: "another", PAY_ENDPOINT_ID: "1" }
      const { code, err } = yield* Effect.promise(() => pay(["trigger", "approved"], { env }))
      assert.deepStrictEqual([code, err.includes("PAY_CONTROL_KEY is not set")], [2, true], err)
    })
  )
})

describe("pay trigger outside a sandbox", () => {
  const opened: Array<StubGateway.StubGateway> = []
  afterEach(async () => {
    for (const gateway of opened.splice(0)) await gateway.close()
  })

  it("lists its events without a gateway", async () => {
    const { code, out } = await pay(["trigger"])
    assert.deepStrictEqual([code, out.trimEnd().split("\n").length], [0, table.length])
  })

  it("sends no order to a gateway on this machine that is not a sandbox", async () => {
    const gateway = await StubGateway.start(StubGateway.json(404, { type: "validation-error" }))
    opened.push(gateway)
    const run = await pay(["trigger", "approved"], { env: { PAY_BASE_URL: gateway.url } })
    assert.strictEqual(run.code, 2)
    assert.include(run.err, "is not a sandbox. Nothing was sent")
    assert.deepStrictEqual(
      gateway.requests.map(({ path }) => path),
      ["/sandbox/clock"]
    )
  })

  it.each([
    ["another machine", ["approved"], merchant, 2, "--base-url names another machine. Nothing was sent"],
    [
      "an unreachable gateway",
      ["approved"],
      { PAY_BASE_URL: "http://127.0.0.1:1" },
      3,
      "set --base-url or PAY_BASE_URL"
    ],
    ["an unknown event", ["aproved"], {}, 2, "Name one event"],
    ["an invalid order number", ["approved", "--client-orderid=a b"], {}, 2, "--client-orderid has up to 60 letters"],
    ["an invalid callback address", ["approved", "--callback=x"], {}, 2, "--callback is an address"]
  ])("refuses %s", async (_, args, env, code, says) => {
    const run = await pay(["trigger", ...args], { env })
    assert.deepStrictEqual([run.code, run.out], [code, ""])
    assert.include(run.err, says)
  })
})
