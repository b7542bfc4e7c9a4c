import { assert, it } from "@effect/vitest"
import { Authorization } from "@pay/flows/CardPayment"
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { type Hold, withAuthorization } from "@pay/flows/Hold"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SandboxControl } from "@pay/sandbox/SandboxControl"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { PayClient } from "@pay/transport/PayClient"
import { Data, type Duration, Effect, Layer, Logger } from "effect"
import { inBusinessTime } from "./BusinessTime.ts"
import * as CustomerBrowsers from "./CustomerBrowsers.ts"

const { CAPTURE, PREAUTH } = PayApi.operations
const part = { name: "shipment-1", amount: "6.00", currency: "USD" }

class OutOfStock extends Data.TaggedError("OutOfStock") {}

const payment = (cvv2 = "123") =>
  Effect.orDie(
    Effect.fromResult(FlowPayload.decode(Authorization, { ...Sample.request(PREAUTH), client_orderid: "o-1", cvv2 }))
  )

const atBank = Effect.gen(function* () {
  yield* Sandbox.settled
  const { books, violations } = yield* SandboxControl
  const client = yield* PayClient
  const { "paynet-order-id": orderid } = yield* client.status({ client_orderid: "o-1" })
  assert.deepStrictEqual((yield* Sandbox.reconciliation).findings, [])
  assert.deepStrictEqual(yield* violations, [])
  return (yield* books.ofOrder(orderid)).map(({ request }) => `${request.kind} ${request.amountMinor}`)
})

/** What is with the bank after the program has ended, however it ended; `!` for each complaint in the log. */
const after = <A, E>(
  program: (authorization: Hold) => Effect.Effect<A, E, Sandbox.Services | FlowEngine>,
  prepare: Effect.Effect<void, never, Sandbox.Services> = Effect.void,
  limit: Duration.Input = "1 hour",
  gateway: Layer.Layer<PayClient, never, PayClient> = Layer.effect(PayClient, PayClient)
) =>
  Effect.gen(function* () {
    const complaints: Array<string> = []
    const log = Logger.make(({ logLevel }) => (logLevel === "Error" ? complaints.push("!") : undefined))
    yield* prepare
    const run = Effect.flatMap(payment(), (payload) => withAuthorization(payload, program)).pipe(
      Effect.timeout(limit),
      Effect.exit,
      Effect.provide(Logger.layer([log]))
    )
    yield* inBusinessTime(false)(run).pipe(Effect.provide(gateway))
    return [...(yield* atBank), ...complaints]
  }).pipe(
    Effect.provide(FlowEngine.layerMemory, { local: true }),
    Effect.provide(Layer.mergeAll(CustomerBrowsers.abandoning, Sandbox.layer(), Logger.layer([])))
  )

/** A client that does not believe that the gateway honours idempotency keys. */
const keyless = Layer.effect(
  PayClient,
  Effect.map(PayClient, (client) =>
    PayClient.of({
      ...client,
      assumedProfile: Effect.map(client.assumedProfile, ({ profile }) => ({
        isSteady: true,
        profile: { ...profile, honoursIdempotencyKey: false }
      }))
    })
  )
)

const spoil = (path: string, fault: Sandbox.Fault, times = 1) =>
  Effect.flatMap(Sandbox.SimulatedNetwork, ({ next }) => next(fault, { path, times }))

it.effect("an authorization keeps its captures and its hold if the program succeeds", () =>
  Effect.gen(function* () {
    const booked = yield* after(({ capture }) => capture(part))
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 600"])
  })
)

it.effect("two parts of one amount are two captures, and a repeated part is one", () =>
  Effect.gen(function* () {
    const booked = yield* after(({ capture }) =>
      Effect.all([
        capture({ ...part, amount: "4.00" }),
        capture({ ...part, amount: "4.00" }),
        capture({ ...part, amount: "4.00", name: "shipment-2" })
      ])
    )
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 400", "capture 400"])
  })
)

it.effect("an authorization is voided if the program fails", () =>
  Effect.gen(function* () {
    const booked = yield* after(() => new OutOfStock())
    assert.deepStrictEqual(booked, ["authorize 1042", "void 1042"])
  })
)

it.effect("the rest of an authorization is voided if the program fails after a capture", () =>
  Effect.gen(function* () {
    const booked = yield* after(({ capture }) => Effect.andThen(capture(part), new OutOfStock()))
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 600", "void 442"])
  })
)

it.effect("an authorization that the program has voided is not voided again", () =>
  Effect.gen(function* () {
    const booked = yield* after((authorization) => Effect.andThen(authorization.void, new OutOfStock()))
    assert.deepStrictEqual(booked, ["authorize 1042", "void 1042"])
  })
)

it.effect("a declined authorization is not voided", () =>
  Effect.gen(function* () {
    const declines = Effect.flatMap(SandboxControl, ({ next }) =>
      next("authorize", { verdict: { _tag: "Decline", code: 116, message: "Not sufficient funds" } })
    )
    assert.deepStrictEqual(yield* after(() => Effect.void, declines), ["authorize 1042"])
  })
)

it.effect("an authorization that was captured as a whole is not voided", () =>
  Effect.gen(function* () {
    const booked = yield* after(({ capture }) => Effect.andThen(capture({ name: "all" }), new OutOfStock()))
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 1042"])
  })
)

it.effect("a program interrupted during a capture first inquires about the capture and then voids the rest", () =>
  Effect.gen(function* () {
    const booked = yield* after(
      ({ capture }) => Effect.timeout(capture(part), "5 seconds"),
      spoil(CAPTURE.path, "answerLost")
    )
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 600", "void 442"])
  })
)

it.effect("what is left is voided also while a capture's outcome cannot be found out, and the capture stays", () =>
  Effect.gen(function* () {
    const booked = yield* after(
      ({ capture }) => Effect.timeout(capture(part), "5 seconds"),
      spoil(CAPTURE.path, "answerLost", 1000)
    )
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 600", "void 442"])
  })
)

it.effect("a capture whose repeat could not be sent is still unknown", () =>
  Effect.gen(function* () {
    const booked = yield* after(
      ({ capture }) =>
        Effect.gen(function* () {
          const { refuseNext } = yield* Sandbox.SimulatedNetwork
          yield* Effect.exit(Effect.timeout(capture(part), "5 seconds"))
          yield* refuseNext(3)
          assert.strictEqual((yield* Effect.flip(capture(part)))._tag, "Unreachable")
          return yield* new OutOfStock()
        }),
      spoil(CAPTURE.path, "requestLate")
    )
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 600", "void 442"])
  })
)

it.effect("at a gateway without idempotency keys an unknown capture is not repeated, and the hold stays", () =>
  Effect.gen(function* () {
    const booked = yield* after(
      ({ capture }) => Effect.timeout(capture(part), "5 seconds"),
      spoil(CAPTURE.path, "answerLost"),
      "1 hour",
      keyless
    )
    assert.deepStrictEqual(booked, ["authorize 1042", "capture 600", "!"])
  })
)

it.effect("a program interrupted during an unknown authorization voids what was authorized", () =>
  Effect.gen(function* () {
    const booked = yield* after(() => Effect.void, spoil(PREAUTH.path, "requestLate"), "5 seconds")
    assert.deepStrictEqual(booked, ["authorize 1042", "void 1042"])
  })
)
