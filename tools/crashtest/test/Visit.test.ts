/** A customer or a clerk who fills in a form of the shop, as a visitor with cookies. The shop numbers its orders itself. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Fault } from "../src/plan/Faults.ts"
import { Shop } from "../src/shop/Shop.ts"
import * as TestShop from "./TestShop.ts"

const authorization = "Basic b2ZmaWNlOnNlY3JldA=="

/** Asks for the order once, and expects what the shop has stored. */
const question = (expected: string) => ({ request: "GET /state/{number}", paid: { text: expected } })

const shop = (expected: string) =>
  TestShop.layer(
    {
      answer: "10 seconds",
      buy: {
        request: "GET /buy",
        fill: { amount: "{amount}", name: "{order}", way: "card" },
        number: 'name="number" value="([^"]+)"',
        customer: "pages",
        paid: { text: "Thank you" },
        failed: { status: 403 }
      },
      ask: question(expected),
      refund: {
        request: "GET /office/{number}",
        headers: { authorization },
        fill: { amount: "{amount}" },
        paid: { status: 303 }
      }
    },
    TestShop.node("form.mjs")
  )

const quiet = () => Effect.void

interface Row {
  readonly title: string
  readonly name: string
  readonly fault?: Fault
  readonly answer: "paid" | "open"
  /** What the shop has stored of the order. */
  readonly stored: string
}

const rows: ReadonlyArray<Row> = [
  { title: "with its token, its cookie and a choice", name: "once", answer: "paid", stored: '"presses":1' },
  { title: "once more after an error", name: "fails", answer: "paid", stored: '"presses":2' },
  { title: "twice by a double click", name: "double", fault: "buysTwice", answer: "paid", stored: '"presses":2' },
  // Pressed twice, because it says nothing; each time its page is seen seven times.
  { title: "and looks at a page that waits, not for ever", name: "waits", answer: "open", stored: '"loads":14' }
]

it.live.each(rows.map((row) => [row.title, row] as const))("a customer sends the shop's form %s", ([, row]) =>
  Effect.gen(function* () {
    const { buy, ask } = yield* Shop
    const faults = row.fault === undefined ? [] : [{ fault: row.fault, moment: { of: "whole" } as const }]
    const order = TestShop.order(row.name, { faults })
    assert.deepStrictEqual(yield* ask(order), { paid: "no" }, "the shop has shown no number yet")
    assert.strictEqual(yield* buy(order, quiet), row.answer)
    assert.deepStrictEqual(yield* ask(order), { paid: "yes" })
  }).pipe(Effect.provide(shop(row.stored)))
)

it.live("a clerk who sees an error sends the same form again, with the password of the office", () =>
  Effect.gen(function* () {
    const { buy, refund, ask } = yield* Shop
    const order = TestShop.order("refunded")
    yield* buy(order, quiet)
    assert.strictEqual(yield* refund(order, quiet), "paid")
    assert.deepStrictEqual(yield* ask(order), { paid: "yes" })
  }).pipe(Effect.provide(shop('"refunds":\\["[\\d.]+"\\]')))
)
