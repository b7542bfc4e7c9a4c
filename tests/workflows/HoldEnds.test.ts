/** How the scopes of holds close in memory: what the bank keeps, and what the program gets to know. */
import { assert, describe, it } from "@effect/vitest"
import { authorize, type Hold } from "@pay/flows/Hold"
import { Capture, Refund } from "@pay/flows/OrderAction"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as PayApi from "@pay/schema/PayApi"
import * as PayClient from "@pay/transport/PayClient"
import { Data, Effect, Layer, type Scope } from "effect"
import { after, decline, pass, paymentOf, type Services, spoil, world } from "./HoldWorld.ts"

const { CAPTURE, PREAUTH, VOID } = PayApi.operations
const voided = "authorize 1042, void 1042"
const captured = "authorize 1042, capture 1042"
const stays = "authorize 1042, 10.42 is held"
const part = { name: "shipment-1", amount: "6.00" }

class OutOfStock extends Data.TaggedError("OutOfStock") {}
const outOfStock = new OutOfStock()

const hold = Effect.flatMap(paymentOf("hotel"), authorize)

/** A client that does not believe that the gateway honours `Idempotency-Key`. */
const keyless = Layer.effect(
  PayClient.PayClient,
  Effect.map(PayClient.PayClient, (client) =>
    PayClient.PayClient.of({
      ...client,
      assumedProfile: Effect.map(client.assumedProfile, ({ profile }) => ({
        isSteady: true,
        profile: { ...profile, honoursIdempotencyKey: false }
      }))
    })
  )
)

type Program = Effect.Effect<unknown, { readonly _tag: string }, Services | Scope.Scope>
const holding = <A, E extends { readonly _tag: string }, R extends Services | Scope.Scope>(
  use: (hold: Hold) => Effect.Effect<A, E, R>
): Program => Effect.flatMap(hold, use)

/** The program in a scope outside of flows: what the caller sees, and what the bank has. */
const rows: ReadonlyArray<readonly [scenario: string, program: Program, end: ReadonlyArray<string>]> = [
  ["succeeds, and keeps a hold that is neither captured nor voided", hold, ["succeeded", stays]],
  ["fails", holding(() => outOfStock), ["OutOfStock", voided]],
  ["has a defect", holding(() => Effect.die("bug")), ["!bug", voided]],
  ["is interrupted", holding(() => Effect.interrupt), ["interrupted", voided]],
  [
    "fails after a part was captured without the hold",
    holding(({ order }) => Effect.andThen(Capture.execute(Capture.of(order, part)), outOfStock)),
    ["OutOfStock", "authorize 1042, capture 600, void 442"]
  ],
  [
    "fails after all was captured without the hold",
    holding(({ order }) => Effect.andThen(Capture.execute(Capture.of(order, { name: "all" })), outOfStock)),
    ["OutOfStock", captured]
  ],
  [
    "fails after a part was captured and refunded by the program",
    holding(({ capture, order }) =>
      Effect.andThen(
        capture(part),
        Effect.andThen(Refund.execute(Refund.of(order, { name: "return", amount: "6.00" })), outOfStock)
      )
    ),
    ["OutOfStock", "authorize 1042, capture 600, refund 600, void 442"]
  ],
  [
    "fails after the program has refunded all, which has released the rest",
    holding(({ capture, order }) =>
      Effect.andThen(capture(part), Effect.andThen(Refund.execute(Refund.of(order, { name: "return" })), outOfStock))
    ),
    ["OutOfStock", "authorize 1042, capture 600, refund 600, void 442"]
  ],
  [
    "fails after the gateway released the hold by itself",
    holding(() => Effect.andThen(pass("8 days"), outOfStock)),
    ["OutOfStock", voided]
  ],
  [
    "captures a hold that the gateway released by itself",
    holding(({ capture }) => Effect.andThen(pass("8 days"), capture({ name: "late" }))),
    ["NotAccepted", voided]
  ],
  [
    "fails after an operator voided the hold",
    holding(({ order: { clientOrderId, orderId } }) =>
      Effect.andThen(
        Effect.flatMap(PayClient.PayClient, (client) =>
          client.void({ client_orderid: clientOrderId, orderid: orderId })
        ),
        outOfStock
      )
    ),
    ["OutOfStock", voided]
  ],
  [
    "fails, and the first void is declined",
    holding(() => Effect.andThen(decline("void"), outOfStock)),
    ["OutOfStock", "authorize 1042, void 1042, void 1042"]
  ],
  [
    "fails, and each void is declined",
    holding(() => Effect.andThen(decline("void", 5), outOfStock)),
    ["!NeedsAPerson", "authorize 1042, void 1042, void 1042, 10.42 is held"]
  ],
  [
    "fails, and no void is answered",
    holding(() => Effect.andThen(spoil("answerLost", VOID.path, 1000), outOfStock)),
    ["OutOfStock", voided]
  ],
  [
    "fails while the gateway cannot be reached",
    holding(() =>
      Effect.andThen(
        Effect.flatMap(Sandbox.SimulatedNetwork, ({ refuseNext }) => refuseNext(9)),
        outOfStock
      )
    ),
    ["OutOfStock", voided]
  ],
  [
    "is interrupted while a capture is under way",
    holding(({ capture }) =>
      Effect.andThen(spoil("answerLost", CAPTURE.path, 1000), Effect.timeout(capture(part), "5 seconds"))
    ),
    ["TimeoutError", "authorize 1042, capture 600, void 442"]
  ],
  [
    "is interrupted after a capture request was lost, which is not repeated",
    holding(({ capture }) =>
      Effect.andThen(spoil("requestLost", CAPTURE.path, 1000), Effect.timeout(capture(part), "5 seconds"))
    ),
    ["TimeoutError", voided]
  ]
]

describe("a scope that authorizes an amount", () => {
  for (const [scenario, program, expected] of rows) {
    it.effect(scenario, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* after(Effect.scoped(program)), expected)
      }).pipe(Effect.provide(world, { local: true }))
    )
  }

  const keylessRows: typeof rows = [
    ["fails before a capture", holding(() => outOfStock), ["OutOfStock", voided]],
    [
      "fails after a capture, which a void might reverse",
      holding(({ capture }) => Effect.andThen(capture(part), outOfStock)),
      ["!NeedsAPerson", "authorize 1042, capture 600, 4.42 is held"]
    ]
  ]
  for (const [scenario, program, expected] of keylessRows) {
    it.effect(`at a gateway without idempotency keys ${scenario}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* after(Effect.provide(Effect.scoped(program), keyless)), expected)
      }).pipe(Effect.provide(world, { local: true }))
    )
  }

  it.effect("voids two holds whose requests are under way when time is out", () =>
    Effect.gen(function* () {
      const orders = ["hotel", "flight"]
      const payments = yield* Effect.forEach(orders, paymentOf)
      const both = Effect.scoped(Effect.forEach(payments, authorize, { concurrency: "unbounded" }))
      const program = Effect.andThen(spoil("requestLate", PREAUTH.path, 2), Effect.timeout(both, "5 seconds"))
      assert.deepStrictEqual(yield* after(program, orders), ["TimeoutError", voided, voided])
    }).pipe(Effect.provide(world, { local: true }))
  )

  it.effect("is refused for an order whose hold was voided", () =>
    Effect.gen(function* () {
      const again = Effect.andThen(Effect.exit(Effect.scoped(holding(() => outOfStock))), Effect.scoped(hold))
      assert.deepStrictEqual(yield* after(again), ["NotAccepted", voided])
    }).pipe(Effect.provide(world, { local: true }))
  )
})
