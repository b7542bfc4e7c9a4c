import { assert, describe, it } from "@effect/vitest"
import { Reserve } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import * as FlowError from "@pay/flows/FlowError"
import * as Hold from "@pay/flows/Hold"
import { ActionError } from "@pay/flows/OrderAction"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Schema } from "effect"
import { begun } from "./Begun.ts"
import { inBusinessTime } from "./BusinessTime.ts"
import { type Alive, deaths, lives } from "./Lives.ts"
import { clientOrderId, request } from "./Requests.ts"
import * as Shoppers from "./Shoppers.ts"

const { PREAUTH, VOID } = PayApi.operations

/** Reserves, ships a part, and finds the rest out of stock. */
const Shipment = Flow.make({
  name: "Shipment",
  summary: "For these tests.",
  operation: PREAUTH,
  payload: Reserve.payload,
  success: Reserve.success,
  error: Schema.Union([...Reserve.error.members, ...ActionError.members]),
  idempotencyKey: Reserve.idempotencyKey,
  run: (payload) =>
    Effect.scoped(
      Effect.gen(function* () {
        const hold = yield* Hold.reserve(payload)
        yield* hold.capture({ name: "shipment-1", amount: "6.00", currency: "USD" })
        const about = { clientOrderId, evidence: [], operation: "SHIP", problems: [] }
        return yield* new FlowError.Refused({ ...about, reason: "out of stock" })
      })
    )
})

const spoiled = (fault: Sandbox.Fault) => Effect.flatMap(Sandbox.Line, ({ next }) => next(fault, { path: VOID.path }))

describe("a hold on a durable engine", () => {
  const rows = [
    ["whatever process does it", Effect.void],
    ["where the answer to the release is lost, too", spoiled("answerLost")],
    ["where the request for it is lost, too", spoiled("requestLost")]
  ] as const
  it.effect.each(rows)("is released once, $0", ([, prepare]) =>
    Effect.gen(function* () {
      yield* prepare
      const shipment = begun(Shipment, yield* request(PREAUTH))
      const alive: Alive = { open: Effect.void, rest: Effect.void }
      const inTime = inBusinessTime(
        false,
        Effect.suspend(() => alive.rest)
      )
      const { ended, deaths: died } = yield* inTime(lives(shipment, alive, deaths.everywhere))
      assert.strictEqual(ended, "Refused")
      assert.isAtLeast(died, 12)
      yield* Sandbox.settled
      const client = yield* PayClient
      const { "paynet-order-id": orderId } = yield* client.status({ client_orderid: clientOrderId })
      const { books } = yield* SandboxControl
      assert.deepStrictEqual(
        (yield* books.ofOrder(orderId)).map(({ request: { amountMinor, kind } }) => `${kind} ${amountMinor}`),
        ["authorize 1042", "capture 600", "cancel 442"]
      )
      assert.deepStrictEqual((yield* Sandbox.parity).findings, [])
    }).pipe(Effect.provide(Layer.provideMerge(Shoppers.leaving, Sandbox.layer())))
  )
})
