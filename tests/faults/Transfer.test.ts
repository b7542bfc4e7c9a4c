/** Every way in which a transfer's, or a question's, answer can fail to come: one movement, or none, and never half of one. */
import { assert } from "@effect/vitest"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { Effect } from "effect"
import { inWallTime } from "../../packages/schema/test/Clocks.ts"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import * as Deliveries from "./Deliveries.ts"
import * as Timeline from "./Timeline.ts"

let count = 0
const freshId = (): string => {
  count += 1
  return `transfer-${count}`
}

const card = {
  credit_card_number: "4444333322221111",
  card_printed_name: "JOHN SMITH",
  expire_month: "12",
  expire_year: "2030",
  cvv2: "123"
}

const asks = {
  TRANSFER_V4: {
    kind: "authorize",
    fields: () => ({
      client_orderid: freshId(),
      amount: "10.42",
      currency: "USD",
      ...card,
      "destination-card-no": "4444555566661111"
    }),
    booked: ["transfer 1042"]
  },
  PAN_ELIGIBILITY_SEND: {
    kind: "eligible",
    fields: () => ({ "client-order-id": freshId(), "sending-card-number": "4444555566661111" }),
    booked: []
  }
} as const

for (const name of ["TRANSFER_V4", "PAN_ELIGIBILITY_SEND"] as const) {
  const { booked, fields, kind } = asks[name]
  Deliveries.tests(`the outcome of ${name}`, (delivery, statuses) =>
    Effect.gen(function* () {
      const { next } = yield* SandboxControl
      yield* next(kind, delivery)
      /** Signatures keep to wall time. */
      const order = yield* inWallTime(ClientMerchant.send(name, fields()))
      const look = Effect.gen(function* () {
        const { status, ...displayed } = yield* ClientMerchant.status(order)
        const approved = status === "approved"
        assert.deepStrictEqual(yield* ClientMerchant.booked(order), approved ? [...booked] : [])
        if (name === "TRANSFER_V4") assert.strictEqual(displayed["captured-amount"], approved ? "10.42" : "0.00")
        return status
      })
      yield* Timeline.follow(statuses, look)
      assert.isAtMost((yield* ClientMerchant.atBank(order)).length, 1)
      yield* ClientMerchant.allIsWell
    })
  )
}
