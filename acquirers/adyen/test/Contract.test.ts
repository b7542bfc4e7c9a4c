import { describe, expect, it } from "@effect/vitest"
import { Acquirer } from "@pay/gateway/Acquirer"
import * as AcquirerContract from "@pay/sandbox/AcquirerContract"
import { Effect } from "effect"
import * as Adapter from "./Adapter.ts"
import * as Judge from "./Judge.ts"
import { authorization } from "./Sample.ts"

const { card } = authorization()
const cards = { approved: card, declined: { ...card, cardholder: "NOT_ENOUGH_BALANCE" } }

/** Returns the schema of a request to a path. */
const schemaOf = (path: string): string => {
  const kind = path.split("/")[4]
  if (path.endsWith("/cancels") && kind === undefined) return "StandalonePaymentCancelRequest"
  return kind === undefined ? "PaymentRequest" : `Payment${kind.charAt(0).toUpperCase()}${kind.slice(1, -1)}Request`
}

describe("Adyen as an acquirer", () => {
  const names = AcquirerContract.cases(cards).map(({ name }) => name)
  it.effect.each(names)("%s", (name) =>
    Effect.gen(function* () {
      const world = yield* Adapter.open
      const options = { ...cards, currency: "EUR", outcome: Adapter.outcomeIn(world) }
      const run = AcquirerContract.cases(options).find((each) => each.name === name)?.run ?? Effect.die("no such case")
      yield* Effect.provideService(run, Acquirer, world.acquirer)
      for (const { body, path } of world.adyen.requests)
        expect(Judge.checkout(schemaOf(path), JSON.parse(body)), path).toEqual([])
    })
  )
})
