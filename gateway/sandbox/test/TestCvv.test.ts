import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SandboxAcquirer from "../src/SandboxAcquirer.ts"
import * as TestCvv from "../src/TestCvv.ts"
import { authorize, card, inquire, textOf, withoutCvv } from "./Inquiry.ts"

/** Security code | what the bank says | what an inquiry says afterwards. */
const table = [
  ["123 ", "Approved    ", "Approved"],
  ["1234", "Approved    ", "Approved"],
  ["321 ", "Approved    ", "Approved"],
  ["111 ", "Approved    ", "Approved"],
  ["217 ", "AnswerLost  ", "CannotSay"],
  ["101 ", "Declined 101", "Declined 101"],
  ["116 ", "Declined 116", "Declined 116"],
  ["119 ", "Declined 119", "Declined 119"],
  ["209 ", "Declined 209", "Declined 209"],
  ["000 ", "Declined 100", "Declined 100"],
  ["9999", "Declined 100", "Declined 100"]
] as const

const bank = () => SandboxAcquirer.layer()

describe("the security code of a sandbox payment", () => {
  it.effect.each(table)("%s: %s, inquiry %s", ([cvv, answer, later]) =>
    Effect.gen(function* () {
      assert.strictEqual(textOf(yield* authorize({ card: card(undefined, cvv.trim()) })), answer.trim())
      assert.strictEqual(textOf(yield* inquire()), later)
    }).pipe(Effect.provide(bank()))
  )

  it.effect("may be absent: the payment is approved", () =>
    Effect.gen(function* () {
      assert.strictEqual(textOf(yield* authorize({ card: withoutCvv("4444555566661111") })), "Approved")
    }).pipe(Effect.provide(bank()))
  )

  it("is covered here for every documented code", () => {
    const tested = new Set<string>(table.map(([cvv]) => cvv.trim()))
    assert.deepStrictEqual(
      TestCvv.rows.filter(({ cvv }) => !tested.has(cvv)),
      []
    )
  })

  it.effect("declines with the code and the reason of the table", () =>
    Effect.gen(function* () {
      const answer = yield* authorize({ card: card(undefined, "116") })
      assert.deepStrictEqual(answer, { _tag: "Declined", code: 116, message: "Not sufficient funds" })
    }).pipe(Effect.provide(bank()))
  )
})
