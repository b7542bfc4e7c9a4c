import { assert, describe, it } from "@effect/vitest"
import * as CallbackInbox from "@pay/flows/CallbackInbox"
import type { OrderStatus } from "@pay/flows/OrderStatus"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Cause, Effect, Exit, Result } from "effect"
import { inSandbox, keys } from "./Callbacks.ts"
import { request } from "./Requests.ts"

const faults: ReadonlyArray<Sandbox.Fault> = [
  "requestLost",
  "answerLost",
  "answerLate",
  "answerSlow",
  "answerTwice",
  "gatewayRestarts",
  "requestLate",
  "requestTwice",
  "tooMany"
]

/** Which request meets the fault: the payment's own, or the question of the shop's inbox while a callback is delivered. */
const places = [
  ["the sale request", "/api/v2/sale"],
  ["the inbox's status request", "/api/v2/status"]
] as const

const moments = [
  ["at once", "0 days"],
  ["a day later", "1 day"],
  ["a year later", "365 days"]
] as const

const rows = faults.flatMap((fault) =>
  places.flatMap(([place, path]) => moments.map(([moment, ahead]) => [fault, place, moment, path, ahead] as const))
)

const pay = Effect.fnUntraced(function* (clientOrderId: string) {
  const client = yield* PayClient
  return yield* client.sale(yield* request(PayApi.operations.SALE, { client_orderid: clientOrderId }))
})

/** Opens the shop's own inbox for callbacks, and records the orders that it passes to the shop. */
const open = Effect.gen(function* () {
  const received: Array<string> = []
  const onOrder = ({ clientOrderId, status }: OrderStatus) =>
    Effect.sync(() => {
      received.push(`${clientOrderId} ${status}`)
    })
  const inbox = yield* CallbackInbox.make({ keys, onOrder, isKnown: () => Effect.succeed(true) })
  const answers: Array<number> = []
  yield* Sandbox.deliverTo((request) =>
    Effect.tap(inbox.receive(request), ({ status }) =>
      Effect.sync(() => {
        answers.push(status)
      })
    )
  )
  return { received, answers }
})

describe("a shop's callback inbox behind Sandbox.deliverTo", () => {
  it.effect.each(rows)(
    "gets a callback of each payment without an interruption of the shop: $0 of $1, $2",
    ([fault, , , path, ahead]) =>
      inSandbox(
        Effect.gen(function* () {
          const { answers, received } = yield* open
          yield* Sandbox.advance(ahead)
          const { next, unmet } = yield* Sandbox.SimulatedNetwork
          yield* next(fault, { path })
          const shop = Effect.gen(function* () {
            yield* Effect.ignore(pay("o-1"))
            yield* Effect.ignore(pay("o-2"))
            yield* Sandbox.settled
            yield* Sandbox.advance("1 day")
          })
          const exit = yield* Effect.exit(shop)
          assert.isTrue(Exit.isSuccess(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
          const client = yield* PayClient
          for (const clientOrderId of ["o-1", "o-2"]) {
            const result = yield* Effect.result(client.status({ client_orderid: clientOrderId }))
            if (Result.isSuccess(result)) assert.include(received, `${clientOrderId} approved`)
          }
          assert.isAbove(received.length, 0)
          assert.notInclude(answers, 403)
          assert.strictEqual(yield* unmet, 0)
        })
      )
  )
})
