/** A person at a terminal, from the first question to the outcome. */
import { existsSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Flow from "../src/commands/flow.ts"
import * as Io from "../src/Io.ts"
import { card, flowing, form, noteOf } from "./Flowing.ts"
import * as Operated from "./Operated.ts"
import { type InProcess, pay } from "./Pay.ts"
import * as ScriptedTerminal from "./ScriptedTerminal.ts"

/** Keys: `\n` is Enter, `^` Ctrl-C. */
const typing = (keys: string): InProcess => ({
  running: ([, ...words]) => {
    const terminal = ScriptedTerminal.layer(keys, (text) => Io.stderr().write(text))
    return Flow.at(() => terminal, words)
  }
})

const seated = (keys: string, ...args: ReadonlyArray<string>) => flowing(args, typing(keys))

/** What the gateway knows of the order. */
const isKnown = Effect.fnUntraced(function* (clientOrderId: string) {
  const merchant = yield* Operated.merchant
  return yield* Effect.promise(() => pay(["status", clientOrderId], { env: merchant }))
})

const enters = (count: number): string => "\n".repeat(count)

layer(Operated.layer, { excludeTestServices: true, timeout: 60_000 })("somebody at a terminal", (it) => {
  it.effect("is asked, agrees, and sees the outcome alone on standard output", () =>
    Effect.gen(function* () {
      const run = yield* seated(`asked\n${enters(16)}y`, "sale", "--json")
      assert.strictEqual(run.code, 0, run.err)
      assert.deepInclude(JSON.parse(run.out), { outcome: "approved", flow: "sale" })
      assert.deepInclude(JSON.parse(run.out).order, { clientOrderId: "asked", currency: "USD" })
    })
  )

  for (const [name, keys] of [
    ["stops at the first question", "^"],
    ["stops at a later one", `never\n${enters(8)}^`],
    ["stops when asked to agree", `never\n${enters(16)}^`],
    ["does not agree", `never\n${enters(16)}n`]
  ] as const) {
    it.effect(`${name}: nothing was sent, nothing is noted`, () =>
      Effect.gen(function* () {
        const run = yield* seated(keys, "sale")
        assert.deepStrictEqual([run.code, run.out], [3, ""], run.err)
        assert.include(run.err, "Stopped; nothing was sent.")
        assert.notInclude(run.err, "create")
        assert.isFalse(existsSync(noteOf("never")))
        assert.include((yield* isKnown("never")).err, "Unknown order")
      })
    )
  }

  it.effect("is asked only for what flags and form do not have", () =>
    Effect.gen(function* () {
      const file = form("sale", { client_orderid: "half", ...card, cvv2: "", email: "" })
      const run = yield* flowing(["sale", "--form=-"], { ...typing("123\nada@example.com\ny"), input: file })
      assert.strictEqual(run.code, 0, run.err)
      assert.notInclude(run.err, "order_desc: ")
    })
  )

  it.effect("gives the card again where a stopped sale was never made", () =>
    Effect.gen(function* () {
      const input = form("sale", { client_orderid: "again", ...card })
      const unsent = yield* flowing(["sale", "--form=-", "--base-url=http://127.0.0.1:1"], { input })
      assert.strictEqual(unsent.code, 3, unsent.err)
      const { PAY_BASE_URL } = yield* Operated.merchant
      const args = ["resume", "again", `--base-url=${PAY_BASE_URL}`, "--quiet-period=0"]
      const stopped = yield* seated("^", ...args)
      assert.strictEqual(stopped.code, 1, stopped.err)
      assert.include(stopped.err, "Go on: pay flow resume again")
      assert.include(stopped.err, "give again what was not written down")
      const resumed = yield* seated(`${card.credit_card_number}\n12\n2030\n${card.cvv2}\ny`, ...args)
      assert.strictEqual(resumed.code, 0, resumed.err)
      assert.match(resumed.out, /lastFour +1881/)
    })
  )
})
