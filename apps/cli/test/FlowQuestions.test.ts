/** Questions at a terminal: a test gives the keys, and gets the displayed text. */
import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { Effect, Option, Result } from "effect"
import * as OperationName from "../src/command/OperationName.ts"
import * as FlowCommands from "../src/flow/FlowCommands.ts"
import * as FlowDefaults from "../src/flow/FlowDefaults.ts"
import * as FlowKinds from "../src/flow/FlowKinds.ts"
import * as FlowQuestions from "../src/flow/FlowQuestions.ts"
import { secrets } from "./Pay.ts"
import * as ScriptedTerminal from "./ScriptedTerminal.ts"

interface Scripted {
  readonly keys: string
  readonly texts?: Readonly<Record<string, string>>
  readonly also?: ReadonlyArray<string>
  readonly isSandbox?: boolean
}

/** Returns the answers, and everything that was displayed. */
const answered = (flow: FlowCommands.Name, { also = [], isSandbox = true, keys, texts = {} }: Scripted) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const terminal = ScriptedTerminal.layer(keys, (text) => lines.push(text))
    const facts = OperationName.find(FlowCommands.flows[flow], "flow")
    const { operation } = FlowKinds.find(flow)
    const offered = FlowDefaults.make(facts, { endpointId: "1002", isSandbox })
    const asking = { operation, facts, offered, also, unshown: ["login"], destination: "the gateway" }
    const given = yield* Effect.provide(FlowQuestions.ask(asking, texts), terminal)
    return { given: Option.getOrUndefined(given), displayed: stripVTControlCharacters(lines.join("")) }
  })

const enters = (count: number): string => "\n".repeat(count)
const orderOf = (texts: Readonly<Record<string, string>> = {}) => texts.client_orderid ?? texts["client-order-id"]

describe.each(FlowCommands.names)("the flow %s at a terminal", (flow) => {
  const needed = Object.keys(Sample.request(FlowKinds.find(flow).operation)).filter((name) => name !== "login")
  /** For these flows, the first question chooses between several fields. */
  const count = needed.length + (["payout", "subscribe", "hosted"].includes(flow) ? 1 : 0)

  it.effect("asks for each required field, and offers a default at a sandbox", () =>
    Effect.gen(function* () {
      const { given = {}, displayed } = yield* answered(flow, { keys: `${enters(count)}y` })
      assert.deepStrictEqual(Object.keys(given).sort(), needed.toSorted())
      assert.isTrue(Result.isSuccess(FlowKinds.find(flow).operation.decodeFields(given)))
      assert.isUndefined(given.login)
      assert.strictEqual(given.currency, "EUR", "the endpoint's")
      assert.match(orderOf(given) ?? "", /^[0-9A-F]{12}$/)
      assert.include(displayed, `[${orderOf(given)}]`)
      for (const name of needed) assert.match(displayed, new RegExp(`\\? ${name}[: ]`))
      assert.include(displayed, "Send this to the gateway?")
    })
  )

  it.effect("returns nothing if the user stops at any question or does not confirm", () =>
    Effect.gen(function* () {
      for (let before = 0; before <= count; before += 1) {
        const { given } = yield* answered(flow, { keys: `${enters(before)}^` })
        assert.isUndefined(given, `after ${before} answers`)
      }
      for (const no of ["n", "\n"]) assert.isUndefined((yield* answered(flow, { keys: `${enters(count)}${no}` })).given)
    })
  )
})

const all: Readonly<Record<string, string>> = Sample.request(PayApi.operations.SALE)
const without = (...names: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

describe("an answer at the terminal", () => {
  const rows: ReadonlyArray<readonly [string, Readonly<Record<string, string>>, string, RegExp, object]> = [
    [
      "is requested again if it is malformed, with the text to correct",
      without("email"),
      "nobody\n@a.example\n",
      /email must .*› nobody/,
      { email: "nobody@a.example" }
    ],
    [
      "is requested again if it breaks a rule of the operation",
      without("amount"),
      "1.234\n⌫\n",
      /amount has more than 2 decimals/,
      { amount: "1.23" }
    ],
    [
      "is requested if a flag gave a malformed value",
      { ...all, country: "u" },
      "⌫US\n",
      /country must/,
      { country: "US" }
    ],
    [
      "leads to a further question if it requires another field",
      without("country", "state"),
      "CA\nON\n",
      /state: /,
      { country: "CA", state: "ON" }
    ],
    ["loses blanks at both ends", without("city"), "  Rome \n", /city: /, { city: "Rome" }],
    [
      "of a card number is requested again from an empty line",
      without("credit_card_number"),
      "4444\n4444333322221111\n",
      /credit_card_number is not a card number [^›]*› [^*]/,
      { credit_card_number: "4444333322221111" }
    ]
  ]
  for (const [name, texts, keys, sees, expected] of rows) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const { given, displayed } = yield* answered("sale", { texts, keys: `${keys}y` })
        assert.deepInclude(given, expected)
        assert.match(displayed, sees)
      })
    )
  }

  it.effect("with a card number or a security code is never displayed", () =>
    Effect.gen(function* () {
      const { cardNumber, cvv } = secrets
      const texts = without("credit_card_number", "cvv2")
      const { given, displayed } = yield* answered("sale", { texts, keys: `${cardNumber}\n${cvv}\ny` })
      assert.deepInclude(given, { credit_card_number: cardNumber, cvv2: cvv })
      assert.notInclude(displayed, cardNumber.slice(6, 12))
      assert.notInclude(displayed, cvv)
      assert.include(displayed, "401288******1881")
      assert.match(displayed, /cvv2 +\*\*\*\n/)
    })
  )

  it.effect("chooses the destination of a payout", () =>
    Effect.gen(function* () {
      const texts = { "client-order-id": "1", amount: "1", currency: "EUR" }
      const { given } = yield* answered("payout", { texts, keys: "↓\nDE89370400440532013000\ny" })
      assert.deepStrictEqual(given, { ...texts, account_number: "DE89370400440532013000" })
    })
  )

  it.effect("is requested for an optional field that the first request had", () =>
    Effect.gen(function* () {
      const texts = { "client-order-id": "1", amount: "1", currency: "EUR" }
      const also = ["account_number", "first_name", "last_name"]
      const { given } = yield* answered("payout", {
        texts,
        also,
        keys: "DE89370400440532013000\nAda\n\ny",
        isSandbox: false
      })
      assert.deepStrictEqual(given, { ...texts, account_number: "DE89370400440532013000", first_name: "Ada" })
    })
  )

  it.effect("has a default outside a sandbox only for the order's name", () =>
    Effect.gen(function* () {
      const { given, displayed } = yield* answered("sale", { keys: `\n\n\nTickets\n^`, isSandbox: false })
      assert.isUndefined(given)
      assert.match(displayed, /client_orderid \[[0-9A-F]{12}\] ›/)
      assert.match(displayed, /order_desc: The description of the order ›/)
      assert.notInclude(displayed, all.order_desc ?? "")
    })
  )
})
