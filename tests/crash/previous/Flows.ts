/** Durable flows of the merchant beside the gateway, in one file: the previous version has started them, and this one continues them. */
import { join } from "node:path"
import { CardSale } from "@pay/flows/CardPayment"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as FieldNames from "@pay/flows/FieldNames"
import * as Flow from "@pay/flows/Flow"
import { Capture } from "@pay/flows/OrderAction"
import { CheckPayOut, PayChecked } from "@pay/flows/PayOut"
import { operations } from "@pay/schema/PayApi"
import * as Sandbox from "@pay/server/Sandbox"
import * as Client from "@pay/transport/PayClient"
import { PayClient } from "@pay/transport/PayClient"
import { Effect, Layer, Redacted, Schema } from "effect"
import * as OnFiles from "./OnFiles.ts"
import * as Requests from "./Requests.ts"

/** Both steps of a payout as one flow of the shop. */
const CheckAndPay = Flow.make({
  name: "CheckAndPay",
  summary: "Checks a payout and pays it.",
  operation: operations.PAYOUT_V4_PAY,
  payload: CheckPayOut.payload,
  success: PayChecked.success,
  error: Schema.Union([...CheckPayOut.error.members, ...PayChecked.error.members]),
  idempotencyKey: CheckPayOut.idempotencyKey,
  run: Effect.fnUntraced(function* (payload) {
    const { clientOrderId, orderId } = yield* Flow.run(CheckPayOut, payload)
    return yield* Flow.run(PayChecked, { clientOrderId, orderId })
  })
})

/** For this test only. */
const testOnlyKey = Redacted.make(Buffer.alloc(32, 0x46).toString("base64"))

const flows = Layer.mergeAll(Durable.flow(CardSale), Durable.flow(CheckAndPay), Durable.flow(Capture))

export const pathIn = (folder: string): string => join(folder, "flows.db")

/** `send`: the shop.s reaction to the next action of a customer. */
export const layer = (folder: string, send: CustomerBrowser["Service"]["send"]) =>
  Layer.unwrap(
    Effect.map(Cipher.make({ key: testOnlyKey }), (cipher) =>
      Durable.layer({ path: pathIn(folder), cipher, flows, tickMs: 86_400_000 })
    )
  ).pipe(
    Layer.provide(
      Layer.effect(
        PayClient,
        Effect.map(PayClient, (client) => Client.around(client, OnFiles.byWallTime))
      )
    ),
    Layer.provide(Layer.succeed(CustomerBrowser, { send }))
  )

/** A sale with 3-D Secure that the merchant runs. */
export const startSale = Effect.gen(function* () {
  const payload = yield* Requests.decoded(operations.SALE, Requests.fieldsOf("flow-sale"))
  const { start } = yield* Durable.Durable
  yield* Effect.orDie(
    start(CardSale, { ...FieldNames.renamed(payload), endpointId: Sandbox.merchant.endpoints.threedsMerchant })
  )
})

export const startPayOut = Effect.gen(function* () {
  const payload = yield* Requests.decoded(operations.PAYOUT_V4_CHECK, Requests.fieldsOf("flow-payout"))
  const { start } = yield* Durable.Durable
  yield* Effect.orDie(start(CheckAndPay, FieldNames.renamed(payload)))
})

export const startCapture = Effect.fnUntraced(function* (orderId: string) {
  const { start } = yield* Durable.Durable
  const part = { name: "shipment-1", amount: "6.00", currency: "USD" }
  yield* Effect.orDie(start(Capture, { clientOrderId: "flow-capture", orderId, ...part }))
})

/** The status of each flow: `Waiting`, or the status with which it has ended. */
export const standings = Effect.gen(function* () {
  const { result } = yield* Durable.Durable
  const of = <A extends { readonly status: string }, E>(
    effect: Effect.Effect<Durable.ExecutionStatus<A, E>, unknown>
  ) =>
    Effect.map(Effect.orDie(effect), (flowStatus) =>
      flowStatus._tag === "Succeeded" ? flowStatus.value.status : flowStatus._tag
    )
  return {
    "flow-sale": yield* of(result(CardSale, "flow-sale")),
    "flow-payout": yield* of(result(CheckAndPay, "flow-payout")),
    "flow-capture": yield* of(result(Capture, "flow-capture/shipment-1"))
  }
})

/** Lets the flows run until they wait for time. */
export const turn = Effect.forEach(
  Array.from({ length: 50 }),
  () => Effect.promise(() => new Promise<void>((resume) => setImmediate(resume))),
  { discard: true }
)

/** Advances time by seconds until all flows have ended, for two minutes at most. Returns their status then. */
export const ended = Effect.gen(function* () {
  const { settled } = yield* Durable.Durable
  for (let seconds = 0; seconds < 120; seconds += 1) {
    yield* turn
    yield* settled
    const observed = yield* standings
    if (!Object.values(observed).some((flowStatus) => flowStatus === "Running" || flowStatus === "Waiting"))
      return observed
    yield* OnFiles.pass("1 second")
  }
  return yield* standings
})
