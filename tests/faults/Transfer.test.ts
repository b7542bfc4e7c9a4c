/** Every way in which a transfer's, or a question's, answer can fail to come: one movement, or none, and never half of one. */
import { assert, describe, it } from "@effect/vitest"
import { decline, type Scenario } from "@pay/sandbox/Outcome"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { declines } from "@pay/schema/Decline"
import { Effect } from "effect"
import * as ClientMerchant from "../harness/ClientMerchant.ts"
import { inWallTime } from "../harness/Clocks.ts"
import * as World from "../harness/World.ts"
import * as Timeline from "./Timeline.ts"

interface UnusualDelivery {
  readonly says: string
  readonly plan: Scenario
  readonly observed: string
}

const deliveries: ReadonlyArray<UnusualDelivery> = [
  { says: "approved", plan: {}, observed: "0s approved" },
  { says: "declined", plan: { verdict: decline(declines.noSuchAccount) }, observed: "0s declined" },
  { says: "arrives twice", plan: { delivery: { _tag: "ArrivesTwice" } }, observed: "0s approved" },
  { says: "answer lost", plan: { delivery: { _tag: "AnswerLost" } }, observed: "0s unknown, 4s unknown, 5s approved" },
  {
    says: "declined, answer lost",
    plan: { verdict: decline(declines.doNotHonour), delivery: { _tag: "AnswerLost" } },
    observed: "0s unknown, 4s unknown, 5s declined"
  },
  {
    says: "undecided for 60 s",
    plan: { delivery: { _tag: "Undecided", forMs: 60_000 } },
    observed: "0s unknown, 334s unknown, 335s approved"
  },
  {
    says: "arrives 20 s late",
    plan: { delivery: { _tag: "ArrivesLate", afterMs: 20_000 } },
    observed: "0s unknown, 34s unknown, 35s approved"
  },
  {
    says: "lost once",
    plan: { delivery: { _tag: "NeverArrives", times: 1 } },
    observed: "0s unknown, 59s unknown, 60s approved"
  },
  {
    says: "lost always",
    plan: { delivery: { _tag: "NeverArrives" } },
    observed: "0s unknown, 15min unknown, 16min error"
  },
  {
    says: "not sent twice",
    plan: { delivery: { _tag: "NotSent", times: 2 } },
    observed: "0s processing, 2s processing, 3s approved"
  },
  { says: "never decided", plan: { delivery: { _tag: "Undecided" } }, observed: "0s unknown, 1d unknown, 8d unknown" }
]

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

describe.each(["TRANSFER_V4", "PAN_ELIGIBILITY_SEND"] as const)("the outcome of %s", (name) => {
  const { booked, fields, kind } = asks[name]
  it.live.each(deliveries)("$says: $observed", ({ plan, observed }) =>
    Effect.gen(function* () {
      const { next } = yield* SandboxControl
      yield* next(kind, plan)
      /** Signatures keep to wall time. */
      const order = yield* inWallTime(ClientMerchant.send(name, fields()))
      const look = Effect.gen(function* () {
        const { status, ...displayed } = yield* ClientMerchant.status(order)
        const approved = status === "approved"
        assert.deepStrictEqual(yield* ClientMerchant.booked(order), approved ? [...booked] : [])
        if (name === "TRANSFER_V4") assert.strictEqual(displayed["captured-amount"], approved ? "10.42" : "0.00")
        return status
      })
      yield* Timeline.follow(observed, look)
      assert.isAtMost((yield* ClientMerchant.atBank(order)).length, 1)
      yield* ClientMerchant.allIsWell
    }).pipe(Effect.provide(World.layer(), { local: true }))
  )
})
