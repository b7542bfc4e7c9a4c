/**
 * A merchant's process that sells, refunds a part and pays out in one durable flow, and kills itself at the request that its task
 * names. Its argument is JSON of {@link Task}. At its end it prints the state of the flow and the number of its requests.
 */
import { flushCompileCache } from "node:module"
import { CardSale } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Flow from "@pay/flows/Flow"
import { ExecuteError } from "@pay/flows/FlowError"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { Refund } from "@pay/flows/OrderAction"
import { PayOut } from "@pay/flows/PayOut"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Clock, Console, Duration, Effect, Layer, Logger, Redacted, Schema } from "effect"
import * as Clocks from "../../../packages/schema/test/Clocks.ts"
import { clientSettings } from "../Credentials.ts"

export const Task = Schema.fromJsonString(
  Schema.Struct({
    path: Schema.String,
    baseUrl: Schema.String,
    clientOrderId: Schema.String,
    /** The business time at the start of the test. It passes `speed` times as fast as wall time. */
    sinceMs: Schema.Finite,
    speed: Schema.Finite,
    /** The request at which the process ends: before it is sent, or once its answer has come. */
    killAt: Schema.optionalKey(Schema.Struct({ request: Schema.Int, when: Schema.Literals(["before", "after"]) }))
  })
)

export const Report = Schema.fromJsonString(
  Schema.Struct({
    flowStatus: Schema.String,
    requests: Schema.Int,
    sold: Schema.optionalKey(Schema.String),
    paidOut: Schema.optionalKey(Schema.String)
  })
)

const { SALE } = PayApi.operations

/** One purchase from its payment to the share of a seller. */
export const Purchase = Flow.make({
  name: "Purchase",
  summary: "Sells, gives a part back, and pays a seller out.",
  payload: Schema.Struct({ ...CardSale.payload.fields, accountNumber: PayOut.payload.fields.accountNumber }),
  success: Schema.Struct({ sold: Schema.String, paidOut: Schema.String }),
  error: Schema.Union([
    ...CardSale.error.members,
    ...Refund.error.members,
    ...PayOut.error.members,
    ...ExecuteError.members
  ]),
  idempotencyKey: ({ clientOrderId }) => clientOrderId,
  run: Effect.fnUntraced(function* ({ accountNumber, ...payload }) {
    const { clientOrderId } = payload
    const { orderId: sold } = yield* CardSale.execute(payload)
    yield* Refund.execute({ clientOrderId, orderId: sold, name: "part", amount: "2.00", currency: "USD" })
    const { orderId: paidOut } = yield* PayOut.execute({
      clientOrderId: `${clientOrderId}-seller`,
      amount: "3.00",
      currency: "USD",
      ...(accountNumber === undefined ? {} : { accountNumber })
    })
    return { sold, paidOut }
  })
})

const [, , argument = ""] = process.argv

const { wall } = Clocks

/** Pauses of minutes pass in seconds. */
const fast = (sinceMs: number, speed: number): Clock.Clock => {
  const nowMs = () => Math.round(sinceMs + (wall.currentTimeMillisUnsafe() - sinceMs) * speed)
  return Clocks.make({
    nowMs,
    monotonicNanos: () => wall.monotonicTimeNanosUnsafe(),
    sleep: (duration) => wall.sleep(Duration.millis(Duration.toMillis(duration) / speed))
  })
}

const main = Effect.gen(function* () {
  const task = yield* Schema.decodeEffect(Task)(argument)
  yield* Effect.sync(flushCompileCache)
  let requests = 0
  const dies = (when: "before" | "after", at: number) =>
    Effect.sync(() => {
      if (task.killAt?.when === when && task.killAt.request === at) process.kill(process.pid, "SIGKILL")
    })
  const wire = Layer.effect(
    Wire.Wire,
    Effect.map(Wire.Wire, ({ send }) =>
      Wire.Wire.of({
        send: (request) =>
          Effect.suspend(() => {
            const at = ++requests
            return Effect.andThen(dies("before", at), Effect.tap(send(request), dies("after", at)))
          })
      })
    )
  ).pipe(Layer.provide(Wire.layerUndici()))
  const client = PayClient.layerNoDeps({ ...clientSettings(task.baseUrl), profile: GatewayProfile.ours }).pipe(
    Layer.provide(wire)
  )
  const inWallTime = Layer.effect(
    PayClient.PayClient,
    Effect.map(PayClient.PayClient, (client) => PayClient.around(client, Effect.provideService(Clock.Clock, wall)))
  ).pipe(Layer.provide(client))
  const cipher = yield* Cipher.make({ key: Redacted.make(Buffer.alloc(32, 5).toString("base64")) })
  const durable = Purchase.layer.pipe(
    Layer.provideMerge(Durable.layer({ path: task.path, cipher })),
    Layer.provideMerge(Layer.merge(inWallTime, CustomerBrowser.layerNone))
  )
  const program = Effect.gen(function* () {
    const payment = yield* Effect.fromResult(FlowPayload.decode(CardSale, Sample.request(SALE)))
    const payload = {
      ...payment,
      clientOrderId: task.clientOrderId,
      accountNumber: Redacted.make("DE89370400440532013000")
    }
    yield* Purchase.start(payload)
    let flowStatus = yield* Purchase.ended(task.clientOrderId)
    for (let turn = 0; turn < 3 && flowStatus._tag === "Failed" && flowStatus.error.retryable; turn++) {
      yield* Purchase.start(payload)
      flowStatus = yield* Purchase.ended(task.clientOrderId)
    }
    const report = {
      flowStatus: flowStatus._tag === "Failed" ? `Failed: ${flowStatus.error.message}` : flowStatus._tag,
      requests,
      ...(flowStatus._tag === "Succeeded" ? flowStatus.value : {})
    }
    yield* Console.log(yield* Schema.encodeEffect(Report)(report))
  })
  yield* program.pipe(Effect.provide(durable), Effect.provideService(Clock.Clock, fast(task.sinceMs, task.speed)))
})

if (import.meta.main) main.pipe(Effect.provide(Logger.layer([])), Effect.runFork)
