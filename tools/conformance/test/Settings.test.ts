import { assert, describe, it } from "@effect/vitest"
import { Redacted, Result } from "effect"
import * as Settings from "../src/Settings.ts"

const smallest = {
  login: "merchant",
  controlKey: "SECRET-CONTROL-KEY",
  endpoint: "1001",
  currency: "USD",
  cards: { approved: { number: "4444555566661111" } }
}

const problemsOf = (value: unknown): ReadonlyArray<string> => {
  const parsed = Settings.parse(typeof value === "string" ? value : JSON.stringify(value))
  return Result.isFailure(parsed) ? parsed.failure : []
}

describe("the settings file", () => {
  it("needs only one merchant, one endpoint and one card", () => {
    const parsed = Result.getOrThrow(Settings.parse(JSON.stringify(smallest)))
    assert.strictEqual(Redacted.value(parsed.controlKey), smallest.controlKey)
    assert.notInclude(JSON.stringify(parsed), smallest.controlKey)
    assert.notInclude(JSON.stringify(parsed), smallest.cards.approved.number)
  })

  it.each([
    ["is not JSON, and its text is not repeated", `{ "controlKey": "SECRET-CONTROL-KEY"`, ["it is not JSON"]],
    ["has no control key", { ...smallest, controlKey: undefined }, ["controlKey: Missing key"]],
    ["has an unknown key", { ...smallest, key: "SECRET-CONTROL-KEY" }, ["key: Expected no excess property"]],
    [
      "has an endpoint that is not a number",
      { ...smallest, endpoint: "abc" },
      ["endpoint: must be the number of an endpoint, as text"]
    ],
    [
      "has an unknown role of a card",
      { ...smallest, cards: { ...smallest.cards, best: {} } },
      ["cards.best: Expected no excess property"]
    ],
    [
      "names an unknown operation or capability",
      { ...smallest, without: ["no-such"], capabilities: ["assumption", "amounts", "by-request-sn"] },
      ["without: no-such is not a command of an operation", "capabilities: assumption is not a known word"]
    ]
  ])("is refused if it %s", (_, value, problems) => assert.deepStrictEqual([...problemsOf(value)], problems))

  it("is described as JSON Schema", () => {
    const text = JSON.stringify(Settings.jsonSchema())
    for (const name of ["controlKey", "threedsMerchant", "frictionless", "refusedLater"]) assert.include(text, name)
  })
})
