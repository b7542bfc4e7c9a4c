import { assert, describe, it } from "@effect/vitest"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { RailControl } from "@pay/sandbox/RailControl"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer } from "effect"
import { inBusinessTime } from "./BusinessTime.ts"
import { cases } from "./Cases.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"

describe("a gateway that answers 429 to the request that moves money", () => {
  it.effect.each(cases)("delays the flow $name, which ends as usual", ({ begin, effects }) =>
    Effect.gen(function* () {
      const { clientOrderId, operation, program } = yield* begin(Sandbox.settled)
      const { next, unmet } = yield* Sandbox.SimulatedNetwork
      yield* next("tooMany", { path: operation.path, times: 3 })
      assert.strictEqual(yield* inBusinessTime(false)(program), "approved")
      assert.strictEqual(yield* unmet, 0)
      const client = yield* PayClient
      yield* Sandbox.settled
      const { "paynet-order-id": orderId } = yield* client.status({ client_orderid: clientOrderId })
      const { books } = yield* SandboxControl
      const rail = yield* RailControl
      const booked = [...(yield* books.ofOrder(orderId)), ...(yield* rail.books.ofOrder(orderId))].map(
        ({ request }) => `${request.kind} ${request.amountMinor}`
      )
      assert.deepStrictEqual(booked, effects)
      assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
    }).pipe(
      Effect.provide(
        Layer.provideMerge(Layer.merge(CustomerBrowsers.cooperative, FlowEngine.layerMemory), Sandbox.layer())
      )
    )
  )
})
