/**
 * A bank that does what it is asked, and whose adapter gives something else than the bank's answer, as an operator's plain JavaScript
 * may.
 */
import * as Acquirer from "@pay/gateway/Acquirer"
import { Evidence } from "@pay/gateway/Entities"
import { PortShape } from "@pay/gateway/Gateway"
import { Store } from "@pay/gateway/Store"
import { Effect } from "effect"

/** What the adapter returns instead of the effect with the bank's answer. */
export type Wrong = (answer: Effect.Effect<Acquirer.RequestAnswer, Acquirer.AcquirerError>) => unknown

const isAdapter = (value: unknown): value is Acquirer.Adapter =>
  PortShape.problems("acquirer", value, Acquirer.shape).length === 0

/** Makes an adapter whose next authorization is answered wrongly. */
export const make = () => {
  let wrong: Wrong | undefined
  const spoilBank = (bank: Acquirer.Adapter): Acquirer.Adapter => {
    const { simulated: _, ...capabilities } = bank.capabilities
    const adapter: unknown = {
      ...bank,
      capabilities,
      authorize: (request: Acquirer.Authorization) => {
        const now = wrong
        wrong = undefined
        const answer = bank.authorize(request)
        return now === undefined ? answer : now(answer)
      }
    }
    return isAdapter(adapter) ? adapter : bank
  }
  return {
    spoilBank,
    next: (instead: Wrong) => {
      wrong = instead
    }
  }
}

/** An answer of the bank with other parts. */
export const part =
  (changes: object): Wrong =>
  (answer) =>
    Effect.map(answer, (given) => ({ ...given, ...changes }))

/** Something else after the bank has done what it was asked. */
export const instead =
  (value: unknown): Wrong =>
  (answer) =>
    Effect.as(answer, value)

/** Returns what was stored of the order's answers. */
export const evidence = Effect.fnUntraced(function* (orderId: string) {
  const store = yield* Store
  return (yield* store.find(Evidence, "order", { equals: [orderId], limit: 100 })).map(({ answer }) => answer)
})
