import { assert, describe, it } from "@effect/vitest"
import * as TextTable from "../../../../packages/schema/test/TextTable.ts"
import * as Lifecycle from "../../src/orders/record/Lifecycle.ts"

const events: ReadonlyArray<Lifecycle.Event> = [
  "filter",
  "authenticate",
  "send",
  "reject",
  "hold",
  "settle",
  "verify",
  "decline",
  "lose",
  "fail",
  "void",
  "lapse",
  "retry",
  "abandon",
  "uncapture",
  "bounce"
]

describe("the state of a released hold", () => {
  it.each([
    ["voided", true],
    ["lapsed", true],
    ["authorized", false],
    ["settled", false],
    ["checked", false]
  ] as const)("%s: %s", (state, isVoided) => assert.strictEqual(Lifecycle.isVoided(state), isVoided))
})

/** Every state × every event; a dot is refused. */
const table = `
from           | filter         | authenticate   | send           | reject         | hold           | settle         | verify         | decline        | lose           | fail           | void           | lapse          | retry          | abandon        | uncapture      | bounce
registered     | filtered       | authenticating | authorizing    | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | declined       | .              | .
authenticating | .              | .              | authorizing    | declined       | .              | .              | .              | .              | .              | .              | .              | .              | registered     | .              | .              | .
authorizing    | .              | .              | .              | .              | authorized     | settled        | verified       | declined       | unknown        | failed         | .              | .              | registered     | .              | .              | .
unknown        | .              | .              | .              | .              | authorized     | settled        | verified       | declined       | unknown        | failed         | .              | .              | registered     | .              | .              | .
authorized     | .              | .              | .              | .              | .              | settled        | .              | .              | .              | .              | voided         | lapsed         | .              | .              | .              | .
settled        | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | authorized     | declined
verified       | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .
voided         | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .
lapsed         | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .
declined       | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .
filtered       | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .
failed         | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .              | .
`
const [header = [], ...rows] = TextTable.rows(table)

const isState = (name: string): name is Lifecycle.CardState => Object.hasOwn(Lifecycle.cards, name)

describe("the lifecycle of a card order", () => {
  it("has a row for every state and a column for every event", () => {
    assert.deepStrictEqual(rows.map(([state]) => state).sort(), Object.keys(Lifecycle.cards).sort())
    assert.deepStrictEqual(header.slice(1), [...events])
    const used = new Set(Object.values(Lifecycle.cards).flatMap(({ on }) => Object.keys(on)))
    assert.deepStrictEqual([...used].sort(), [...events].sort())
  })

  for (const [state = "", ...targets] of rows) {
    it(`has the transitions of the table from the state ${state}`, () => {
      assert.isTrue(isState(state))
      if (!isState(state)) return
      const matches = events.map((event) => Lifecycle.next(state, event) ?? ".")
      assert.deepStrictEqual(matches, targets)
    })
  }

  it("has no transition for a state of a payout", () => assert.isUndefined(Lifecycle.next("waiting", "send")))

  it("has a final status in every state except the four before the bank's answer", () => {
    const notFinal = Object.keys(Lifecycle.cards).filter((state) => isState(state) && !Lifecycle.isFinal(state))
    assert.deepStrictEqual(notFinal, ["registered", "authenticating", "authorizing", "unknown"])
  })

  it("has every transition in its diagram", () => {
    const drawn = Lifecycle.toMermaid()
    for (const [state = "", ...targets] of rows) {
      targets.forEach((target, index) => {
        if (target !== ".") assert.include(drawn, `  ${state} --> ${target}: ${events[index]}\n`)
      })
    }
  })
})
