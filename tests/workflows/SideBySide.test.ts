import { assert, describe, it } from "@effect/vitest"
import { Reserve } from "@pay/flows/CardPayment"
import * as Flow from "@pay/flows/Flow"
import * as FlowError from "@pay/flows/FlowError"
import * as Hold from "@pay/flows/Hold"
import { ActionError } from "@pay/flows/OrderAction"
import * as Steps from "@pay/flows/Steps"
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

const { CAPTURE, PREAUTH, VOID } = PayApi.operations

const outOfStock = new FlowError.Refused({
  ...{ clientOrderId, evidence: [], operation: "SHIP", problems: [] },
  reason: "out of stock"
})

/** Ships a part now and one later, side by side; waits for a word that nobody says; and finds the third out of stock. */
const basket = Effect.fnUntraced(function* (payload: typeof Reserve.payload.Type) {
  const hold = yield* Hold.reserve(payload)
  const part = (name: string, amount: string) => hold.capture({ name, amount, currency: "USD" })
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
  payload: Reserve.payload,
  success: Reserve.success,
  error: Schema.Union([...Reserve.error.members, ...ActionError.members]),
  idempotencyKey: Reserve.idempotencyKey,
  run: (payload) => Effect.map(Effect.scoped(basket(payload)), ([order]) => order)
})

describe("parts of a durable flow side by side, its process killed at every step", () => {
  const spoiled = (fault: Sandbox.Fault, path: string) =>
    Effect.flatMap(Sandbox.Line, ({ next }) => next(fault, { path }))
  const rows = [
    ["whatever process does it", Effect.void],
    ["where answers to captures are lost", spoiled("answerLost", CAPTURE.path)],
    ["where captures are lost", spoiled("requestLost", CAPTURE.path)],
    ["where answers to the release are lost", spoiled("answerLost", VOID.path)]
  ] as const
  it.effect.each(rows)("each is done once, $0", ([, prepare]) =>
    Effect.gen(function* () {
      yield* prepare
      const payment = begun(Basket, yield* request(PREAUTH))
      const alive: Alive = { open: Effect.void, rest: Effect.void }
      const inTime = inBusinessTime(
        false,
        Effect.suspend(() => alive.rest)
      )
      const { ended, deaths: died } = yield* inTime(lives(payment, alive, deaths.everywhere))
      assert.strictEqual(ended, "Refused")
      assert.isAtLeast(died, 12)
      yield* Sandbox.settled
      const client = yield* PayClient
      const { "paynet-order-id": orderId } = yield* client.status({ client_orderid: clientOrderId })
      const { books } = yield* SandboxControl
      assert.deepStrictEqual(
        (yield* books.ofOrder(orderId)).map(({ request: { amountMinor, kind } }) => `${kind} ${amountMinor}`),
        ["authorize 1042", "capture 400", "capture 300", "capture 200", "cancel 142"]
      )
      assert.deepStrictEqual((yield* Sandbox.parity).findings, [])
    }).pipe(Effect.provide(Layer.provideMerge(Shoppers.leaving, Sandbox.layer())))
  )
})
