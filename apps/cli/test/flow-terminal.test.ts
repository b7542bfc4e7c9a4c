/** A person at a terminal, from the first question to the outcome. */
import { existsSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Flow from "../src/flow/FlowProgram.ts"
import * as Io from "../src/terminal/Io.ts"
import { card, form, payFlow, recordOf } from "./FlowCommand.ts"
import { type InProcess, pay } from "./Pay.ts"
import * as ScriptedTerminal from "./ScriptedTerminal.ts"
import * as TestGateway from "./TestGateway.ts"

/** Keys: `\n` is Enter, `^` Ctrl-C. */
const typing = (keys: string): InProcess => ({
  running: ([, ...words]) => {
    const terminal = ScriptedTerminal.layer(keys, (text) => Io.stderr().write(text))
    return Flow.at(() => terminal, words)
  }
})

const atTerminal = (keys: string, ...args: ReadonlyArray<string>) => payFlow(args, typing(keys))

/** Requests the status of the order. */
const statusOf = Effect.fnUntraced(function* (clientOrderId: string) {
  const merchant = yield* TestGateway.merchant
  return yield* Effect.promise(() => pay(["status", clientOrderId], { env: merchant }))
})

const enters = (count: number): string => "\n".repeat(count)

layer(TestGateway.layer, { excludeTestServices: true, timeout: 60_000 })("a person at a terminal", (it) => {
  it.effect("answers the questions, confirms, and gets only the outcome on standard output", () =>
    Effect.gen(function* () {
      const run = yield* atTerminal(`asked\n${enters(15)}y`, "sale", "--json")
      assert.strictEqual(run.code, 0, run.err)
      assert.deepInclude(JSON.parse(run.out), { outcome: "approved", flow: "sale" })
      assert.deepInclude(JSON.parse(run.out).order, { clientOrderId: "asked", currency: "USD" })
    })
  )

  for (const [name, keys] of [
    ["stops at the first question", "^"],
    ["stops at a later question", `never\n${enters(8)}^`],
    ["stops at the confirmation", `never\n${enters(15)}^`],
    ["does not confirm", `never\n${enters(15)}n`]
  ] as const) {
    it.effect(`${name}: nothing is sent, and no file is left`, () =>
      Effect.gen(function* () {
        const run = yield* atTerminal(keys, "sale")
        assert.deepStrictEqual([run.code, run.out], [3, ""], run.err)
        assert.include(run.err, "Stopped; nothing was sent.")
        assert.notInclude(run.err, "create")
        assert.isFalse(existsSync(recordOf("never")))
        assert.include((yield* statusOf("never")).err, "Unknown order")
      })
    )
  }

  it.effect("is asked only for fields that neither flags nor the form have", () =>
    Effect.gen(function* () {
      const file = form("sale", { client_orderid: "half", ...card, cvv2: "", email: "" })
      const run = yield* payFlow(["sale", "--form=-"], { ...typing("123\nada@example.com\ny"), input: file })
      assert.strictEqual(run.code, 0, run.err)
      assert.notInclude(run.err, "order_desc: ")
    })
  )

  it.effect("gives the card again to resume a sale that the gateway never received", () =>
    Effect.gen(function* () {
      const input = form("sale", { client_orderid: "again", ...card })
      const unsent = yield* payFlow(["sale", "--form=-", "--base-url=http://127.0.0.1:1"], { input })
      assert.strictEqual(unsent.code, 3, unsent.err)
      const { PAY_BASE_URL } = yield* TestGateway.merchant
      const args = ["resume", "again", `--base-url=${PAY_BASE_URL}`, "--quiet-period=0"]
      const stopped = yield* atTerminal("^", ...args)
      assert.strictEqual(stopped.code, 1, stopped.err)
      assert.include(stopped.err, "Continue: pay flow resume again")
      assert.include(stopped.err, "enter the fields again that were not stored")
      const resumed = yield* atTerminal(`${card.credit_card_number}\n12\n2030\n${card.cvv2}\ny`, ...args)
      assert.strictEqual(resumed.code, 0, resumed.err)
      assert.match(resumed.out, /lastFour +1881/)
    })
  )
})
