import { assert, describe, it } from "@effect/vitest"
import { Authorization } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import * as FlowError from "@pay/flows/FlowError"
import { type Hold, withAuthorization } from "@pay/flows/Hold"
import * as Steps from "@pay/flows/Steps"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Schema } from "effect"
import { inBusinessTime } from "./BusinessTime.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"
import { killPlans, type ProcessHandle, runUntilEnd } from "./Kills.ts"
import { type PreparedRun, preparedRun } from "./PreparedRun.ts"
import { clientOrderId, greet, payloadOf } from "./Requests.ts"

const { CAPTURE, PREAUTH, VOID } = PayApi.operations

const outOfStock = new FlowError.NotAccepted({
  ...{ clientOrderId, evidence: [], operation: "SHIP", problems: [] },
  reason: "out of stock"
})

/** Authorizes, captures a part, and fails because the rest is out of stock. */
const Shipment = Flow.make({
  name: "Shipment",
  summary: "For these tests.",
  operation: PREAUTH,
  payload: Authorization.payload,
  success: Authorization.success,
  error: Schema.Union([
    ...Authorization.error.members,
    ...FlowError.OrderError.members,
    ...FlowError.ExecuteError.members
  ]),
  idempotencyKey: Authorization.idempotencyKey,
  run: (payload) =>
    withAuthorization(payload, ({ capture }) =>
      Effect.andThen(capture({ name: "shipment-1", amount: "6.00", currency: "USD" }), outOfStock)
    )
})

/** Captures two parts in parallel, waits for a signal that never comes, and fails because the third part is out of stock. */
const basket = Effect.fnUntraced(function* ({ capture }: Hold) {
  const part = (name: string, amount: string) => capture({ name, amount, currency: "USD" })
  yield* Effect.all(
    [part("now", "4.00"), Effect.andThen(Steps.sleep("picking", "10 minutes"), part("later", "3.00"))],
    {
      concurrency: 2
    }
  )
  yield* Effect.race(
    Steps.awaitSignal("word", { key: "nobody says it", timeout: "1 day" }),
    Steps.sleep("patience", "5 minutes")
  )
  return yield* Effect.all([part("third", "2.00"), Effect.andThen(Steps.sleep("a moment", "1 minute"), outOfStock)], {
    concurrency: 2
  })
})

const Basket = Flow.make({
  name: "Basket",
  summary: "For these tests.",
  operation: PREAUTH,
  payload: Authorization.payload,
  success: Authorization.success,
  error: Schema.Union([
    ...Authorization.error.members,
    ...FlowError.OrderError.members,
    ...FlowError.ExecuteError.members
  ]),
  idempotencyKey: Authorization.idempotencyKey,
  run: (payload) => Effect.map(withAuthorization(payload, basket), ([order]) => order)
})

/** Kills the process of the flow at every step, and asserts that the bank has each booking once. */
const assertBookedAfterKills = (
  payment: Effect.Effect<PreparedRun>,
  prepare: Effect.Effect<void, never, Sandbox.SimulatedNetwork>,
  booked: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    yield* greet
    yield* prepare
    const { answerWith } = yield* Sandbox.Inbox
    const shut = answerWith(() => Effect.succeed(503))
    const handle: ProcessHandle = { start: Effect.void, close: shut, rest: Effect.void }
    const inTime = inBusinessTime(
      false,
      Effect.suspend(() => handle.rest)
    )
    const { ended, kills } = yield* inTime(runUntilEnd(yield* payment, handle, killPlans.everywhere))
    assert.strictEqual(ended, "NotAccepted")
    assert.isAtLeast(kills, 12)
    yield* Sandbox.settled
    const client = yield* PayClient
    const { "paynet-order-id": orderId } = yield* client.status({ client_orderid: clientOrderId })
    const { books } = yield* SandboxControl
    assert.deepStrictEqual(
      (yield* books.ofOrder(orderId)).map(({ request: { amountMinor, kind } }) => `${kind} ${amountMinor}`),
      booked
    )
    assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
  }).pipe(Effect.provide(Layer.provideMerge(CustomerBrowsers.abandoning, Sandbox.layer())))

const spoiled = (fault: Sandbox.Fault, path: string) =>
  Effect.flatMap(Sandbox.SimulatedNetwork, ({ next }) => next(fault, { path }))

describe("an authorization on a durable engine that is killed at each step", () => {
  const rows = [
    ["without a fault", Effect.void],
    ["with a lost answer to the void", spoiled("answerLost", VOID.path)],
    ["with a lost request for the void", spoiled("requestLost", VOID.path)]
  ] as const
  it.effect.each(rows)("is voided once, $0", ([, prepare]) =>
    assertBookedAfterKills(
      Effect.map(payloadOf(Shipment), (payload) => preparedRun(Shipment, payload)),
      prepare,
      ["authorize 1042", "capture 600", "void 442"]
    )
  )
})

describe("parallel captures of a durable flow that is killed at each step", () => {
  const rows = [
    ["without a fault", Effect.void],
    ["with lost answers to captures", spoiled("answerLost", CAPTURE.path)],
    ["with lost capture requests", spoiled("requestLost", CAPTURE.path)],
    ["with lost answers to the void", spoiled("answerLost", VOID.path)]
  ] as const
  it.effect.each(rows)("are each made once, $0", ([, prepare]) =>
    assertBookedAfterKills(
      Effect.map(payloadOf(Basket), (payload) => preparedRun(Basket, payload)),
      prepare,
      ["authorize 1042", "capture 400", "capture 300", "capture 200", "void 142"]
    )
  )
})
