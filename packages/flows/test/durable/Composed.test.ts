/** Tests flows inside a merchant's own durable flow, with a restart at each pause. */
import { assert, describe, it } from "@effect/vitest"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, Deferred, Effect, Fiber, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../sqlite/test/TemporaryFolder.ts"
import * as Durable from "../../src/durable/Durable.ts"
import * as Flow from "../../src/engine/Flow.ts"
import { FlowEngine } from "../../src/engine/FlowEngine.ts"
import * as Steps from "../../src/engine/Steps.ts"
import type { ExecuteError, FlowError } from "../../src/order/FlowError.ts"
import { Capture } from "../../src/payments/OrderAction.ts"
import { Rebill } from "../../src/payments/StoredCard.ts"
import { processWith } from "./Fixture.ts"

type Say = "approves" | "refuses" | "is away"

/** A gateway with the answers to all requests except `status`, in order; it repeats the last one, and lists the requests. */
const gateway = (says: ReadonlyArray<Say>) => {
  const requests: Array<string> = []
  let answers = 0
  const wire = Wire.layerInProcess(({ body, url }) =>
    Effect.suspend(() => {
      const form = new URLSearchParams(body)
      const path = url.split("/").at(-2) ?? ""
      const isQuestion = path === "status"
      const say = isQuestion ? "approves" : (says[requests.length] ?? says.at(-1))
      if (!isQuestion) requests.push(`${form.get("client_orderid")} ${form.get("amount")}`)
      if (say === "is away") return Effect.fail(new Wire.WireError({ reason: "NotSent", code: "ECONNREFUSED" }))
      answers += 1
      const about = {
        "serial-number": `00000000-0000-0000-0000-${String(answers).padStart(12, "0")}`,
        "merchant-order-id": form.get("client_orderid"),
        "paynet-order-id": "7"
      }
      const reply = isQuestion
        ? { type: "status-response", status: "approved", currency: "USD", ...about }
        : say === "refuses"
          ? { type: "validation-error", "error-code": "2", "error-message": "no", ...about }
          : { type: "async-response", ...about }
      return Effect.succeed({ status: say === "refuses" ? 400 : 200, body: JSON.stringify(reply), headers: {} })
    })
  )
  const client = PayClient.make({
    baseUrl: "http://localhost",
    login: "shop",
    controlKey: Redacted.make("key"),
    endpointId: "1",
    profile: GatewayProfile.ours
  })
  const wall = Clock.Clock.defaultValue()
  const layer = Layer.effect(
    PayClient.PayClient,
    Effect.map(client, (one) => PayClient.around(one, Effect.provideService(Clock.Clock, wall)))
  ).pipe(Layer.provide(wire), Layer.orDie)
  return { requests, layer }
}

const capture = (clientOrderId: string, name: string, amount: string) =>
  Capture.execute({ clientOrderId, orderId: "7", name, amount, currency: "USD" })
const rebill = (amount: string) =>
  Rebill.execute({
    clientOrderId: "o-1",
    cardRefId: "7",
    amount,
    currency: "USD",
    orderDesc: "x",
    ipAddress: "203.0.113.7"
  })
const pause = Steps.sleep("pause", "1 hour")

type Own = Effect.Effect<unknown, FlowError | ExecuteError, PayClient.PayClient | FlowEngine>

/** Runs the merchant's flow over restarts, and returns its final state. */
const runOver = (run: Own, layer: Layer.Layer<PayClient.PayClient>) =>
  Effect.gen(function* () {
    const flow = Flow.make({
      name: "Own",
      summary: "For these tests.",
      payload: Schema.Struct({ id: Schema.String }),
      success: Schema.Void,
      error: Schema.String,
      idempotencyKey: ({ id }) => id,
      run: () => Effect.mapError(Effect.asVoid(run), ({ _tag }) => _tag)
    })
    const path = yield* temporaryFile
    const once = processWith(flow.layer.pipe(Layer.provideMerge(Durable.layer({ path }))))(
      Effect.gen(function* () {
        const durable = yield* FlowEngine
        yield* flow.start({ id: "1" })
        yield* durable.settled
        return yield* flow.poll("1")
      })
    )
    let flowStatus = yield* once
    for (let processes = 1; processes < 5 && flowStatus._tag === "Waiting"; processes += 1) {
      yield* TestClock.adjust("1 hour")
      flowStatus = yield* once
    }
    return flowStatus._tag === "Failed"
      ? flowStatus.error
      : flowStatus._tag === "Stuck"
        ? flowStatus.on
        : flowStatus._tag
  }).pipe(Effect.provide(layer))

const anew = (own: Own): Own => Effect.retry(own, { while: ({ retryable }) => retryable, times: 2 })
const away = ["is away", "is away", "is away"] as const
const caught = (own: Own): Own => Effect.andThen(Effect.ignore(own), pause)

const rows: ReadonlyArray<
  readonly [scenario: string, says: ReadonlyArray<Say>, own: Own, end: RegExp, requests: string]
> = [
  [
    "actions with similar names are different actions",
    ["approves"],
    Effect.andThen(capture("a/b", "c", "1.00"), capture("a", "b/c", "2.00")),
    /^Succeeded$/,
    "a/b 1.00, a 2.00"
  ],
  [
    "an action that runs twice is sent once",
    ["approves"],
    Effect.andThen(capture("a", "b", "1.00"), capture("a", "b", "1.00")),
    /^Succeeded$/,
    "a 1.00"
  ],
  [
    "one name for two amounts is a defect, and the second amount is never reported as done",
    ["approves"],
    Effect.andThen(capture("a", "b", "1.00"), capture("a", "b", "2.00")),
    /^PayloadDiffers$/,
    "a 1.00"
  ],
  [
    "a retryable charge is retried",
    [...away, "approves"],
    anew(rebill("1.00")),
    /^Succeeded$/,
    "o-1 1.00, o-1 1.00, o-1 1.00, o-1 1.00"
  ],
  [
    "a refused charge that is caught before a pause is not sent again",
    ["refuses"],
    caught(rebill("1.00")),
    /^Succeeded$/,
    "o-1 1.00"
  ],
  [
    "a refused capture that is caught before a pause is not sent again",
    ["refuses"],
    caught(capture("a", "b", "1.00")),
    /^Succeeded$/,
    "a 1.00"
  ],
  [
    "an unsent charge that is caught before a pause is not sent again",
    ["is away"],
    caught(rebill("1.00")),
    /^Succeeded$/,
    "o-1 1.00, o-1 1.00, o-1 1.00"
  ],
  [
    "an unsent capture that is caught before a pause is not sent again",
    ["is away"],
    caught(capture("a", "b", "1.00")),
    /^Succeeded$/,
    "a 1.00, a 1.00, a 1.00"
  ]
]

describe("inside a merchant's own durable flow", () => {
  for (const [scenario, says, own, end, request] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        const gate = gateway(says)
        assert.match(yield* runOver(own, gate.layer), end)
        assert.strictEqual(gate.requests.join(", "), request)
      })
    )
  }
})

describe("a flow in memory", () => {
  it.effect("looks up its order if it was interrupted during a request and its repeat is refused", () =>
    Effect.gen(function* () {
      const gate = gateway(["approves", "refuses"])
      yield* Effect.gen(function* () {
        const client = yield* PayClient.PayClient
        const sent = yield* Deferred.make<void>()
        const slow = PayClient.around(client, (call) =>
          gate.requests.length > 0
            ? call
            : Effect.andThen(call, Effect.andThen(Deferred.succeed(sent, undefined), Effect.never))
        )
        const flow = Effect.provideService(rebill("1.00"), PayClient.PayClient, slow)
        const cut = yield* Effect.forkChild(flow)
        yield* Deferred.await(sent)
        yield* Fiber.interrupt(cut)
        assert.strictEqual((yield* flow).status, "approved")
      }).pipe(Effect.provide(Layer.merge(gate.layer, FlowEngine.layerMemory)))
      assert.deepStrictEqual(gate.requests, ["o-1 1.00", "o-1 1.00"])
    })
  )
})
