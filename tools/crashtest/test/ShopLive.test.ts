import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer, Order, ShopReport } from "../src/Payment.ts"
import { Shop } from "../src/Shop.ts"
import * as TestShop from "./TestShop.ts"

const timeline = () => {
  const lines: Array<string> = []
  const tell = (text: string) => Effect.sync(() => void lines.push(text))
  return { lines, tell }
}

const buy = Effect.fnUntraced(function* (order: Order) {
  const shop = yield* Shop
  const { lines, tell } = timeline()
  return { answer: yield* shop.buy(order, tell), lines, report: yield* shop.ask(order) }
})

/** Orders, what the customer sees, how often he presses, and what the shop says afterwards. */
const rows: ReadonlyArray<readonly [name: string, answer: Answer, presses: number, report: ShopReport]> = [
  ["ordinary", "paid", 1, { paid: "yes", shipped: false }],
  ["shipped", "paid", 1, { paid: "yes", shipped: true }],
  ["declined", "failed", 1, { paid: "no", shipped: false }],
  ["pending", "open", 1, { paid: "no", shipped: false }],
  ["second", "paid", 2, { paid: "yes", shipped: false }],
  ["broken", "open", 3, { paid: "open", shipped: false }],
  ["reset", "open", 3, { paid: "no", shipped: false }]
]

it.layer(TestShop.layer(), { excludeTestServices: true })("a shop", (it) => {
  it.effect.each(rows)("answers to %s", ([name, answer, presses, report]) =>
    Effect.gen(function* () {
      const bought = yield* buy(TestShop.order(name))
      expect(bought.answer).toBe(answer)
      expect(bought.report).toStrictEqual(report)
      expect(bought.lines.filter((line) => line.startsWith("presses the button"))).toHaveLength(presses)
    })
  )
})
