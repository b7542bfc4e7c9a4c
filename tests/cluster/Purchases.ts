/** Purchases of a merchant on a cluster: the flow, and the processes that execute it or start it. */
import { writeFileSync } from "node:fs"
import { NodeClusterSocket } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Authorization } from "@pay/flows/CardPayment"
import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Cluster from "@pay/flows/durable/Cluster"
import * as Flow from "@pay/flows/Flow"
import * as FlowPayload from "@pay/flows/FlowPayload"
import { Capture, Refund } from "@pay/flows/OrderAction"
import { OrderStatus } from "@pay/flows/OrderStatus"
import * as Steps from "@pay/flows/Steps"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { RunnerAddress } from "effect/cluster"
import { freePort } from "../../packages/schema/test/Loopback.ts"
import { clientSettings } from "../harness/Credentials.ts"
import * as Postgres from "./Postgres.ts"

/** A small number, so that they are assigned soon. */
export const shards = 60

const { PREAUTH } = PayApi.operations

type OnWait = (clientOrderId: string) => Effect.Effect<void>

/** Called on the runner that executes the flow, whenever the flow begins to wait. */
const Waiting = Context.Service<OnWait>("tests/cluster/Waiting")

/** Authorizes, waits for days until a signal says that the goods are sent, captures, and refunds a part. */
export const Purchase = Flow.make({
  name: "Purchase",
  payload: Authorization.payload,
  success: OrderStatus,
  idempotencyKey: Authorization.idempotencyKey,
  run: Effect.fnUntraced(function* (payload) {
    const { clientOrderId } = payload
    const { orderId } = yield* Authorization.execute(payload)
    const onWait = yield* Waiting
    yield* onWait(clientOrderId)
    const sent = yield* Steps.awaitSignal("sent", { key: `sent:${clientOrderId}`, timeout: "7 days" })
    if (Option.isNone(sent)) return yield* Effect.die(new Error("nobody sent the goods"))
    const order = { clientOrderId, orderId, currency: "USD" }
    yield* Capture.execute({ ...order, name: "all", amount: "10.42" })
    yield* Steps.sleep("a moment", "200 millis")
    return yield* Refund.execute({ ...order, name: "part", amount: "2.00" })
  })
})

/** The payload of the purchase, the same in every process. */
export const payload = (clientOrderId: string, callbackUrl: string) =>
  Effect.fromResult(
    FlowPayload.decode(Authorization, { ...Sample.request(PREAUTH), server_callback_url: callbackUrl })
  ).pipe(
    Effect.map((payment) => ({ ...payment, clientOrderId })),
    Effect.orDie
  )

export interface Gateway {
  readonly baseUrl: string
  /**
   * The path of a file that the first process makes at the answer to its first capture. That process kills itself before it can
   * record the answer.
   */
  readonly victim: string
}

const client = ({ baseUrl, victim }: Gateway) => {
  const killFirst = Effect.sync(() => {
    const isFirst = Result.isSuccess(Result.try(() => writeFileSync(victim, "", { flag: "wx" })))
    if (isFirst) process.kill(process.pid, "SIGKILL")
  })
  const wire = Layer.effect(
    Wire.Wire,
    Effect.map(Wire.Wire, ({ send }) =>
      Wire.Wire.of({
        send: (request) => (request.url.includes("/capture/") ? Effect.tap(send(request), killFirst) : send(request))
      })
    )
  ).pipe(Layer.provide(Wire.layerUndici()))
  return PayClient.layerNoDeps(clientSettings(baseUrl)).pipe(Layer.provide(wire))
}

const timing = {
  shardsPerGroup: shards,
  shardLockExpiration: "3 seconds",
  refreshAssignmentsInterval: "200 millis",
  runnerHealthCheckInterval: "500 millis",
  entityMessagePollInterval: "500 millis"
} as const

const on = (database: string) => PgClient.layer(Postgres.open(database))

/** A process that executes flows. */
export const runner = Effect.fnUntraced(function* (database: string) {
  const address = RunnerAddress.make("127.0.0.1", yield* freePort)
  return NodeClusterSocket.layer({
    storage: "sql",
    shardingConfig: { ...timing, runnerAddress: Option.some(address) }
  }).pipe(Layer.provideMerge(on(database)))
}, Layer.unwrap)

/** A web server, which starts flows and receives signals, and executes none. */
export const web = (database: string) =>
  NodeClusterSocket.layer({ storage: "sql", clientOnly: true, shardingConfig: timing }).pipe(
    Layer.provideMerge(on(database))
  )

/** The flows of a runner or of a web server. */
export const flows = ({ onWait = () => Effect.void, ...gateway }: Gateway & { readonly onWait?: OnWait }) =>
  Layer.unwrap(
    Effect.map(Cipher.make({ key: Redacted.make(Buffer.alloc(32, 5).toString("base64")) }), (cipher) =>
      Purchase.layer.pipe(Layer.provideMerge(Cluster.layer({ cipher })))
    )
  ).pipe(Layer.provideMerge(Layer.mergeAll(client(gateway), CustomerBrowser.layerNone, Layer.succeed(Waiting, onWait))))
