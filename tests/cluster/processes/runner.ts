/**
 * A merchant's runner as a process of its own: it starts flows, passes signals on, and reports the outcomes
 * of the flows. Argument: JSON of {@link Settings}; lines of {@link Report} on stdout, of {@link Command} on stdin.
 */
import { createInterface } from "node:readline"
import { FlowEngine } from "@pay/flows/FlowEngine"
import { OrderStatus } from "@pay/flows/OrderStatus"
import { Cause, Console, Effect, Layer, Logger, Schema, Stream } from "effect"
import * as Purchases from "../Purchases.ts"
import * as Shards from "./Shards.ts"

export const Settings = Schema.fromJsonString(
  Schema.Struct({
    /** The folder of the database's socket. */
    database: Schema.String,
    baseUrl: Schema.String,
    callbackUrl: Schema.String,
    orders: Schema.Array(Schema.String),
    /**
     * The path of a file that the first process makes at the answer to its first capture. That process kills itself before it can
     * record the answer.
     */
    victim: Schema.String
  })
)

export const Command = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ start: Schema.Boolean }), Schema.Struct({ signal: Schema.String })])
)

export const Report = Schema.fromJsonString(
  Schema.Union([
    Shards.Holds,
    /** The runner executes the flow, which waits until the goods are sent. */
    Schema.TaggedStruct("Waits", { clientOrderId: Schema.String }),
    Schema.TaggedStruct("Ended", { clientOrderId: Schema.String, outcome: Schema.Union([OrderStatus, Schema.String]) })
  ])
)

const print = (report: typeof Report.Type) => Effect.flatMap(Schema.encodeEffect(Report)(report), Console.log)

const onWait = (clientOrderId: string) => Effect.orDie(print({ _tag: "Waits", clientOrderId }))

const main = Effect.gen(function* () {
  const [, , argument = ""] = process.argv
  const { callbackUrl, database, orders, ...gateway } = yield* Schema.decodeEffect(Settings)(argument)
  const flows = Layer.provideMerge(Purchases.flows({ ...gateway, onWait }), Purchases.runner(database))
  yield* Effect.gen(function* () {
    yield* Effect.forkScoped(Shards.report((shards) => print({ _tag: "Holds", shards })))
    const engine = yield* FlowEngine
    const follow = (clientOrderId: string) =>
      Purchases.payload(clientOrderId, callbackUrl).pipe(
        Effect.flatMap((payload) => Purchases.Purchase.execute(payload)),
        Effect.catch((error) => Effect.succeed(error.message)),
        Effect.flatMap((outcome) => print({ _tag: "Ended", clientOrderId, outcome }))
      )
    const lines = Stream.fromAsyncIterable(createInterface(process.stdin), (cause) => new Cause.UnknownError(cause))
    yield* Stream.runForEach(lines, (line) =>
      Effect.flatMap(Schema.decodeEffect(Command)(line), (request) =>
        "signal" in request
          ? engine.signal(request.signal)
          : Effect.asVoid(Effect.forkScoped(Effect.forEach(orders, follow, { concurrency: "unbounded" })))
      )
    )
    // The process that started this one has ended, and the database may have ended too.
    yield* Effect.sync(() => process.kill(process.pid, "SIGKILL"))
  }).pipe(Effect.provide(flows))
}).pipe(Effect.scoped)

if (import.meta.main) main.pipe(Effect.provide(Logger.layer([])), Effect.runFork)
