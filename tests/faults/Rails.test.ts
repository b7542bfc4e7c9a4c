/** A bank or a payout rail says what it can do; what it cannot is refused before there is an order. */
import { assert, describe, it } from "@effect/vitest"
import { Order } from "@pay/gateway/Entities"
import { PayoutRail } from "@pay/gateway/PayoutRail"
import { Store } from "@pay/gateway/Store"
import * as ErrorCode from "@pay/schema/ErrorCode"
import { Effect, Layer } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as World from "../harness/World.ts"

const toCard = { amount: "10.42", currency: "USD", "destination-card-no": "4444555566661111" }
const byCard = {
  credit_card_number: "4444333322221111",
  card_printed_name: "JOHN SMITH",
  expire_month: "12",
  expire_year: "2030",
  cvv2: "123"
}
const fromCard = { client_orderid: "t-1", ...toCard, ...byCard }
const fromBalance = { "client-order-id": "t-2", ...toCard }

const withoutTransfers = World.layer({
  spoilBank: (bank) => ({ ...bank, capabilities: { ...bank.capabilities, transfers: false } })
})
const withoutCards = Layer.provideMerge(
  World.gateway(),
  Layer.effect(
    PayoutRail,
    Effect.map(PayoutRail, (rail) => ({
      ...rail,
      capabilities: { ...rail.capabilities, destinations: new Set(["account"] as const) }
    }))
  ).pipe(Layer.provideMerge(World.outside()))
)

/** What can be done | where a transfer from a card, and a payment to one from the balance, lead. */
const cases = [
  ["a bank and a rail that support it", World.layer(), "accepted", "accepted"],
  ["a bank without transfers", withoutTransfers, "refused", "accepted"],
  ["a rail that does not pay to cards", withoutCards, "accepted", "refused"]
] as const

const ask = (name: "TRANSFER_V4" | "TRANSFER_BY_REF_V4", fields: Readonly<Record<string, string>>) =>
  ClientMerchant.send(name, fields).pipe(
    Effect.as("accepted"),
    Effect.catchTag("Refused", ({ errorCode }) =>
      Effect.succeed(errorCode === ErrorCode.codes.operationNotEnabled.code ? "refused" : `error ${errorCode}`)
    )
  )

describe("a transfer is accepted only if the bank or the rail supports it", () => {
  it.live.each(cases)("%s", ([, world, transfer, deposit]) =>
    Effect.gen(function* () {
      const values = [yield* ask("TRANSFER_V4", fromCard), yield* ask("TRANSFER_BY_REF_V4", fromBalance)]
      assert.deepStrictEqual(values, [transfer, deposit])
      const store = yield* Store
      const orders = yield* store.find(Order, "key", { limit: 10 })
      assert.strictEqual(orders.length, values.filter((each) => each === "accepted").length)
    }).pipe(Effect.provide(world, { local: true }))
  )
})
