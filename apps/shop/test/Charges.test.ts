import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { temporaryFolder } from "../../../packages/sqlite/test/TemporaryFolder.ts"
import * as Callbacks from "../src/callbacks/Callbacks.ts"
import * as Orders from "../src/orders/Orders.ts"
import * as Records from "../src/Records.ts"

const Subscription = Schema.Struct({ ...Records.fields, product: Schema.String, state: Schema.String })
const subscriptions = Records.repository("subscription", Subscription)

/** The report on a charge that the gateway made by itself. */
const charge = (n: number, amount: string | undefined) =>
  Callbacks.record({
    ...{ orderId: `${n}`, clientOrderId: `77:${n}`, status: "approved", recurringPaymentId: "77", currency: "USD" },
    ...(amount !== undefined && { amount, capturedAmount: amount })
  })

it.effect("a monthly charge is an order of the reported amount, and none if the amount cannot be read", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const amounts = Effect.gen(function* () {
      yield* subscriptions.add({ id: "77", owner: "ada", product: "seeds", state: "active" })
      yield* charge(1, "10000000.00")
      yield* charge(2, undefined)
      yield* charge(3, "ten")
      return (yield* Orders.ofOwner("ada")).map(({ amountMinor, id }) => [id, amountMinor])
    })
    const entries = yield* Effect.provide(amounts, Records.Records.layer(`${folder}/records.db`))
    assert.deepStrictEqual(entries, [["77:1", 1_000_000_000]])
  })
)
