/** The attempts of one charge with a list of amounts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Order } from "../../src/orders/record/Order.ts"
import { preauth, request, sale } from "../domain/Sample.ts"
import { approved, authorizing, card, creation, declined, runJob, type Setup, work } from "./Bank.ts"
import * as ScriptedServices from "./ScriptedServices.ts"

describe("a charge with a list of amounts after a decline", () => {
  const listed = (changes: Partial<Order> = {}) => ({
    order: sale({ ...authorizing, hasCvv: 0, remainingAmounts: "900,400", ...changes }),
    request: creation("sale"),
    rows: [card()],
    answer: declined
  })
  const disabled = ScriptedServices.endpoint({ enabled: false })
  const inquiry = { job: { ...work, openAttempts: 2 }, existing: { "1-sale-0": declined } }
  const unknown = { ...creation("sale"), progress: "unknown" as const }
  const cases: ReadonlyArray<
    readonly [
      what: string,
      setup: Setup,
      outcome: string,
      screened: ReadonlyArray<number>,
      records: ReadonlyArray<string>
    ]
  > = [
    ["tries the next amount", listed(), "authorizing 900", [900], ["10000 declined"]],
    [
      "skips an amount that a risk rule stops",
      { ...listed(), filtered: { 900: "limit:amount" } },
      "authorizing 400",
      [900, 400],
      ["10000 declined", "900 filtered"]
    ],
    [
      "ends if risk rules stop all amounts",
      { ...listed(), filtered: { 900: "limit:amount", 400: "limit:amount" } },
      "filtered 400",
      [900, 400],
      ["10000 declined", "400 filtered", "900 filtered"]
    ],
    [
      "ends after a risk rule that stops any amount",
      { ...listed(), filtered: { 900: "block:card" } },
      "filtered 900",
      [900],
      ["10000 declined", "900 filtered"]
    ],
    [
      "ends if the card is tried too often",
      { ...listed(), tooOften: true },
      "filtered 900",
      [],
      ["10000 declined", "900 filtered"]
    ],
    ["ends if the endpoint is missing", { ...listed(), endpoint: undefined }, "declined 10000", [], ["10000 declined"]],
    [
      "ends if the endpoint is switched off",
      { ...listed(), endpoint: disabled },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "ends if the card is erased",
      { ...listed(), ...inquiry, request: unknown, rows: [] },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    [
      "ends if the card cannot be decrypted",
      { ...listed(), ...inquiry, request: unknown, rows: [card("gone")] },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    ["ends if no amount is left", listed({ remainingAmounts: "" }), "declined 10000", [], ["10000 declined"]],
    [
      "ends after a hard decline",
      { ...listed(), answer: { _tag: "Declined", code: 209, message: "Stolen card" } },
      "declined 10000",
      [],
      ["10000 declined"]
    ],
    ["ends with an approval", { ...listed(), answer: approved }, "settled 10000", [], ["10000 approved"]],
    ["records no attempt if there is only one amount", listed({ remainingAmounts: null }), "declined 10000", [], []]
  ]
  it.effect.each(cases)("%s", ([, setup, outcome, screened, records]) =>
    Effect.gen(function* () {
      const done = yield* runJob(setup)
      assert.strictEqual(`${done.state} ${done.amountMinor}`, outcome)
      assert.deepStrictEqual(done.screened, [...screened])
      assert.sameMembers([...done.records], [...records])
    })
  )

  it.effect("tries no amount after a declined follow-up", () =>
    Effect.gen(function* () {
      const order = preauth({ remainingAmounts: "900", capturingMinor: 4_000, inFlightCount: 1 })
      const { records, screened, state } = yield* runJob({ order, request: request(), answer: declined })
      assert.deepStrictEqual([records, screened, state], [[], [], "authorized"])
    })
  )
})
