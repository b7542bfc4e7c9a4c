/**
 * A merchant's runner as a process of its own: it starts the flows it is told to, hands on signals, and says what became
 * of the flows. Argument: JSON of {@link Settings}; lines of {@link Told} on stdout, of {@link Asked} on stdin.
 */
import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { createInterface } from "node:readline"
import { NodeClusterSocket } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Reserve } from "@pay/flows/CardPayment"
import * as Durable from "@pay/flows/durable"
import * as Cipher from "@pay/flows/durable/Cipher"
import * as Cluster from "@pay/flows/durable/Cluster"
import * as Flow from "@pay/flows/Flow"
import { Capture, GiveBack } from "@pay/flows/OrderAction"
import { OrderStatus } from "@pay/flows/OrderStatus"
import * as Shopper from "@pay/flows/Shopper"
import * as Steps from "@pay/flows/Steps"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { merchant } from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Cause, Console, Effect, Layer, Logger, Option, Redacted, Result, Schedule, Schema, Stream } from "effect"
import { RunnerAddress, ShardId, Sharding } from "effect/cluster"
import { controlKey, endpoints, login } from "../../system/TestGateway.ts"
import * as Postgres from "../Postgres.ts"

export const Settings = Schema.fromJsonString(
  Schema.Struct({
    /** The folder of the database's socket. */
    database: Schema.String,
    baseUrl: Schema.String,
    callbackUrl: Schema.String,
    orders: Schema.Array(Schema.String),
    /** Whoever is the first to make this file, at its first capture's answer, kills itself before it can note it. */
    victim: Schema.String
  })
)

export const Asked = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ start: Schema.Boolean }), Schema.Struct({ signal: Schema.String })])
)

export const Told = Schema.fromJsonString(
  Schema.Union([
    /** So many shards are this runner's now. */
    Schema.TaggedStruct("Holds", { shards: Schema.Int }),
    Schema.TaggedStruct("Waits", { clientOrderId: Schema.String }),
    Schema.TaggedStruct("Ended", { clientOrderId: Schema.String, outcome: Schema.Union([OrderStatus, Schema.String]) })
  ])
)

const { PREAUTH } = PayApi.operations

/** Few are dealt out sooner. */
export const shards = 60

const tell = (told: typeof Told.Type) => Effect.flatMap(Schema.encodeEffect(Told)(told), Console.log)

/** Reserves, waits for days until somebody says that the goods are sent, takes the money, and gives some of it back. */
const Purchase = Flow.make({
  name: "Purchase",
  summary: "Reserves, waits until the goods are sent, captures, and gives a part back.",
  payload: Reserve.payload,
  success: OrderStatus,
  error: Schema.Union([...Reserve.error.members, ...Capture.error.members, ...GiveBack.error.members]),
  idempotencyKey: Reserve.idempotencyKey,
  run: Effect.fnUntraced(function* (payload) {
    const { client_orderid } = payload
    const { orderId: orderid } = yield* Flow.run(Reserve, payload)
    yield* Effect.orDie(tell({ _tag: "Waits", clientOrderId: client_orderid }))
    const sent = yield* Steps.awaitSignal("sent", { key: `sent:${client_orderid}`, timeout: "7 days" })
    if (Option.isNone(sent)) return yield* Effect.die(new Error("nobody sent the goods"))
    const order = { client_orderid, orderid, currency: "USD" }
    yield* Flow.run(Capture, { ...order, name: "all", amount: "10.42" })
    yield* Steps.sleep("a moment", "200 millis")
    return yield* Flow.run(GiveBack, { ...order, name: "part", amount: "2.00" })
  })
})

/** One that is free now. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

const client = ({ baseUrl, victim }: { readonly baseUrl: string; readonly victim: string }) => {
  const dies = Effect.sync(() => {
    const isFirst = Result.isSuccess(Result.try(() => writeFileSync(victim, "", { flag: "wx" })))
    if (isFirst) process.kill(process.pid, "SIGKILL")
  })
  const wire = Layer.effect(
    Wire.Wire,
    Effect.map(Wire.Wire, ({ send }) =>
      Wire.Wire.of({
        send: (request) => (request.url.includes("/capture/") ? Effect.tap(send(request), dies) : send(request))
      })
    )
  ).pipe(Layer.provide(Wire.layerUndici()))
  return PayClient.layerNoDeps({
    baseUrl,
    login,
    controlKey: Redacted.make(controlKey),
    privateKey: Redacted.make(merchant.privateKeyPem),
    endpointId: endpoints.usd
  }).pipe(Layer.provide(wire))
}

const runners = Effect.fnUntraced(function* (database: string) {
  const address = RunnerAddress.make("127.0.0.1", yield* freePort)
  return NodeClusterSocket.layer({
    storage: "sql",
    shardingConfig: {
      runnerAddress: Option.some(address),
      shardsPerGroup: shards,
      shardLockExpiration: "3 seconds",
      refreshAssignmentsInterval: "200 millis",
      runnerHealthCheckInterval: "500 millis",
      entityMessagePollInterval: "500 millis"
    }
  }).pipe(Layer.provideMerge(PgClient.layer(Postgres.open(database))))
}, Layer.unwrap)

/** Says how many shards it holds, whenever that changes. */
const sayHoldings = Effect.gen(function* () {
  const { hasShardId } = yield* Sharding.Sharding
  let last = 0
  yield* Effect.suspend(() => {
    const held = Array.from({ length: shards }, (_, at) => ShardId.make("default", at + 1)).filter(hasShardId).length
    if (held === last) return Effect.void
    last = held
    return tell({ _tag: "Holds", shards: held })
  }).pipe(Effect.repeat({ schedule: Schedule.spaced("50 millis") }))
})

const main = Effect.gen(function* () {
  const [, , argument = ""] = process.argv
  const { callbackUrl, database, orders, ...gateway } = yield* Schema.decodeEffect(Settings)(argument)
  const cipher = yield* Cipher.make({ key: Redacted.make(Buffer.alloc(32, 5).toString("base64")) })
  const flows = Cluster.layer({ cipher, flows: Durable.flow(Purchase) }).pipe(
    Layer.provideMerge(runners(database)),
    Layer.provide([client(gateway), Shopper.layerNone])
  )
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(sayHoldings)
    const { run } = yield* Cluster.Cluster
    const steps = yield* Steps.Steps
    const payment = yield* Effect.fromResult(
      PREAUTH.decodeFields({ ...Sample.request(PREAUTH), server_callback_url: callbackUrl })
    )
    const follow = (clientOrderId: string) =>
      run(Purchase, { ...payment, client_orderid: clientOrderId }).pipe(
        Effect.catch((error) => Effect.succeed(error.message)),
        Effect.flatMap((outcome) => tell({ _tag: "Ended", clientOrderId, outcome }))
      )
    const lines = Stream.fromAsyncIterable(createInterface(process.stdin), (cause) => new Cause.UnknownError(cause))
    yield* Stream.runForEach(lines, (line) =>
      Effect.flatMap(Schema.decodeEffect(Asked)(line), (asked) =>
        "signal" in asked
          ? steps.signal(asked.signal)
          : Effect.asVoid(Effect.forkScoped(Effect.forEach(orders, follow, { concurrency: "unbounded" })))
      )
    )
    // Whoever started it is gone, and perhaps the database too.
    yield* Effect.sync(() => process.kill(process.pid, "SIGKILL"))
  }).pipe(Effect.provide(flows))
}).pipe(Effect.scoped)

if (import.meta.main) main.pipe(Effect.provide(Logger.layer([])), Effect.runFork)
