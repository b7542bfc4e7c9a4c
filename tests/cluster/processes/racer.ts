/**
 * A merchant's runner as a process of its own, whose gateway is the test: it refunds parts of orders, and reports how that ended.
 * Argument: JSON of `Settings`; lines of {@link Report} on stdout, of {@link Command} on stdin.
 */
import { generateKeyPairSync } from "node:crypto"
import { createInterface } from "node:readline"
import * as Cluster from "@pay/flows/durable/Cluster"
import * as FlowSettings from "@pay/flows/FlowSettings"
import { Refund } from "@pay/flows/OrderAction"
import * as PayClient from "@pay/transport/PayClient"
import * as Wire from "@pay/transport/Wire"
import { Cause, Console, Duration, Effect, Layer, Logger, Redacted, Schema, Stream } from "effect"
import * as Purchases from "../Purchases.ts"
import * as Shards from "./Shards.ts"

const Settings = Schema.fromJsonString(
  Schema.Struct({
    /** The folder of the database's socket. */
    database: Schema.String,
    /** The address to which the runner sends its requests. */
    gateway: Schema.String
  })
)

/** Refunds 5.00 of the order under this name. */
export const Command = Schema.fromJsonString(Schema.Struct({ order: Schema.String, name: Schema.String }))

export const Report = Schema.fromJsonString(
  Schema.Union([
    Shards.Holds,
    Schema.TaggedStruct("Ended", { order: Schema.String, name: Schema.String, end: Schema.String })
  ])
)
const print = (report: typeof Report.Type) => Effect.flatMap(Schema.encodeEffect(Report)(report), Console.log)

/** What the gateway answers to a request, or why there is no answer. */
export const Reply = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ status: Schema.Int, body: Schema.String }),
    Schema.Struct({ reason: Schema.Literals(["NotSent", "Lost"]) })
  ])
)

const code = "ECONNREFUSED"
const wireTo = (gateway: string) =>
  Wire.layerInProcess(({ body, url }) =>
    Effect.tryPromise({
      try: (signal) => fetch(gateway, { method: "POST", body: JSON.stringify({ body, url }), signal }),
      catch: () => new Wire.WireError({ reason: "Lost", code })
    }).pipe(
      Effect.flatMap((answer) => Effect.orDie(Effect.tryPromise(() => answer.text()))),
      Effect.flatMap((text) => Effect.orDie(Schema.decodeEffect(Reply)(text))),
      Effect.flatMap((reply) =>
        "reason" in reply
          ? Effect.fail(new Wire.WireError({ reason: reply.reason, code }))
          : Effect.succeed({ ...reply, headers: {} })
      )
    )
  )

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})
const brief = Duration.millis(40)

const main = Effect.gen(function* () {
  const [, , argument = ""] = process.argv
  const { database, gateway } = yield* Schema.decodeEffect(Settings)(argument)
  const client = PayClient.layerNoDeps({
    ...{ baseUrl: "http://localhost", login: "shop", controlKey: Redacted.make("key"), endpointId: "1" },
    ...{ privateKey: Redacted.make(privateKey), profile: { showsFollowUps: true } }
  }).pipe(Layer.provide(wireTo(gateway)))
  const settings = Layer.succeed(FlowSettings.FlowSettings, {
    ...FlowSettings.defaults,
    ...{ actsAlone: true, quietPeriod: brief, pause: brief, mostRepeats: 2 }
  })
  const flows = Refund.layer.pipe(
    Layer.provideMerge(Cluster.layer()),
    Layer.provideMerge(Layer.merge(client, settings)),
    Layer.provideMerge(Purchases.runner(database))
  )
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(Shards.report((shards) => print({ _tag: "Holds", shards })))
    const refund = ({ name, order }: typeof Command.Type) =>
      Refund.execute(
        Refund.of({ clientOrderId: order, orderId: order, currency: "USD" }, { name, amount: "5.00" })
      ).pipe(
        Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: ({ status }) => String(status) }),
        Effect.flatMap((end) => print({ _tag: "Ended", order, name, end }))
      )
    const lines = Stream.fromAsyncIterable(createInterface(process.stdin), (cause) => new Cause.UnknownError(cause))
    yield* Stream.runForEach(lines, (line) =>
      Effect.flatMap(Schema.decodeEffect(Command)(line), (command) => Effect.asVoid(Effect.forkScoped(refund(command))))
    )
    yield* Effect.sync(() => process.kill(process.pid, "SIGKILL"))
  }).pipe(Effect.provide(flows))
}).pipe(Effect.scoped)

if (import.meta.main) main.pipe(Effect.provide(Logger.layer([])), Effect.runFork)
