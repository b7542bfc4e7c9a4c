/** What an operator and a monitor ask: each looks at a bounded number of rows, however many there are. */
import { merchant } from "@pay/server/Sandbox"
import * as Measure from "../Measure.ts"
import type { Shop } from "./Shop.ts"

const rounds = 15
const login = { merchant: merchant.login }
const card = { number: "4444333322221111", month: "12", year: "2030" }

/** Amounts and states that no order has make a page look at as many rows as it may. */
const questions: ReadonlyArray<readonly [path: string, body?: unknown]> = [
  ["/operator/orders/search", { amount: "99.99" }],
  ["/operator/orders/search", { ...login, state: "failed" }],
  ["/operator/orders/search", { lastFour: "0007", amount: "99.99" }],
  ["/operator/orders/search", { ...login, card, amount: "99.99" }],
  ["/operator/orders/search", { ...login, clientOrderId: "none" }],
  ["/operator/orders/search", { unknownForMs: 0 }],
  ["/operator/callbacks?state=delivered&limit=100"],
  ["/operator/callbacks?state=dead-lettered"],
  ["/operator/audit"],
  ["/metrics"],
  ["/readyz"]
]

/** The slowest question's median for each shop, asked by turns. */
export const slowest = async (shops: ReadonlyArray<Shop>): Promise<ReadonlyArray<number>> => {
  const all = shops.map(() => questions.map((): Array<number> => []))
  for (let round = 0; round < rounds; round++) {
    for (const [which, [path, body]] of questions.entries()) {
      for (const [at, shop] of shops.entries()) all[at]?.[which]?.push(await shop.ask(path, body))
    }
  }
  return all.map((medians) => Math.max(...medians.map(Measure.median)))
}
