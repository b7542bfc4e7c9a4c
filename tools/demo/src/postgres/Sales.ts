/** A merchant that sells continuously through the address of the gateways, and the comparison of the books at the end. */
import { Pay } from "@pay/client"
import * as OperatorApi from "@pay/gateway/OperatorApi"
import * as Sandbox from "@pay/server/Sandbox"
import { Clock, Data, Effect, Schedule, Schema } from "effect"

const { controlKey, endpoints, login } = Sandbox.merchant

const card = { number: "4444020100000003", cvv: "123", expireMonth: 12, expireYear: 2034, holder: "Ada Lovelace" }
const customer = {
  email: "ada@customer.example",
  ipAddress: "203.0.113.7",
  country: "GB",
  city: "London",
  address1: "12 St Jamess Square",
  zipCode: "SW1Y 4JH",
  phone: "+442079460000"
}

export class NotPaid extends Data.TaggedError("NotPaid")<{ readonly message: string }> {}

/**
 * Sells `orders` orders, four at a time, and calls `sold` after each one. Returns the number of paid orders. Fails at the first
 * order that is not paid.
 */
export const sell = Effect.fnUntraced(function* (
  baseUrl: string,
  orders: number,
  sold: (count: number) => Effect.Effect<void>
) {
  const pay = Pay.client({ baseUrl, login, controlKey, endpointId: endpoints.usd })
  const run = (yield* Clock.currentTimeMillis).toString(36)
  let count = 0
  const one = Effect.fnUntraced(function* (n: number) {
    const clientOrderId = `demo-${run}-${n}`
    const result = yield* Effect.promise(() =>
      pay.cardSale({ clientOrderId, orderDesc: "Two tickets", amount: "10.42", currency: "USD", card, customer })
    )
    if (!result.ok) return yield* new NotPaid({ message: `${clientOrderId}: ${result.error.message}` })
    count += 1
    yield* sold(count)
  })
  yield* Effect.forEach(
    Array.from({ length: orders }, (_, n) => n),
    one,
    { concurrency: 4, discard: true }
  )
  return count
})

const { answer: Report, path } = OperatorApi.operations.showReconciliation

/** Requests a comparison of the gateway's books with the bank's, and returns the report when it is complete. */
export const reconcile = Effect.fnUntraced(function* (baseUrl: string, token: string) {
  const headers = { authorization: `Bearer ${token}` }
  const address = `${baseUrl}${path}`
  const ask = (method: string) =>
    Effect.flatMap(
      Effect.promise(() => fetch(address, { method, headers }).then((answer) => answer.json())),
      Schema.decodeUnknownEffect(Report)
    )
  yield* ask("POST")
  return yield* Effect.repeat(ask("GET"), {
    schedule: Schedule.spaced("100 millis"),
    until: ({ state }) => state !== "running"
  })
})
