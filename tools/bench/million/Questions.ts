/** Requests of an operator and a monitor. Each reads a bounded number of rows, however many the store has. */
import { merchant } from "@pay/server/Sandbox"
import * as Measure from "../Measure.ts"
import type { Shop } from "./Shop.ts"

const rounds = 15
const login = { merchant: merchant.login }
const card = { number: "4444333322221111", month: "12", year: "2030" }

/** The requests. Amounts and states that no order has make a page read as many rows as its limit allows. */
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

/** Returns the median time of the slowest request for each shop, in microseconds. The shops are measured alternately. */
export const slowest = async (shops: ReadonlyArray<Shop>): Promise<ReadonlyArray<number>> => {
  const all = shops.map(() => questions.map((): Array<number> => []))
  for (let round = 0; round < rounds; round++) {
    for (const [which, [path, body]] of questions.entries()) {
      for (const [at, shop] of shops.entries()) all[at]?.[which]?.push(await shop.ask(path, body))
    }
  }
  return all.map((medians) => Math.max(...medians.map(Measure.median)))
}
