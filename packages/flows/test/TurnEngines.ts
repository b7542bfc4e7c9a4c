/** Runs programs that act on the order of a {@link KeylessGateway}, on each engine. */
import * as Database from "@pay/sqlite/Database"
import type { PayClient } from "@pay/transport/PayClient"
import { Clock, Deferred, Duration, Effect, Layer, Result, Schema, type Scope } from "effect"
import { SingleRunner } from "effect/cluster"
import { Digest } from "effect/crypto"
import { temporaryFile } from "../../sqlite/test/TemporaryFolder.ts"
import * as Cluster from "../src/durable/Cluster.ts"
import * as Durable from "../src/durable/Durable.ts"
import * as Flow from "../src/engine/Flow.ts"
import { FlowEngine } from "../src/engine/FlowEngine.ts"
import * as FlowSettings from "../src/engine/FlowSettings.ts"
import type { ExecuteError, FlowError } from "../src/order/FlowError.ts"
import type { OrderStatus } from "../src/order/OrderStatus.ts"
import { Capture, Refund, Void } from "../src/payments/OrderAction.ts"
import { PayChecked } from "../src/payments/PayOut.ts"
import * as AwaitFinal from "../src/requests/AwaitFinal.ts"
import * as SqlClient from "./durable/SqlClient.ts"
import * as VirtualTime from "./durable/VirtualTime.ts"
import * as KeylessGateway from "./KeylessGateway.ts"

export const order = { clientOrderId: "o-1", orderId: KeylessGateway.orderId, currency: "USD" }
export const refund = (name: string, amount: string) => Refund.execute(Refund.of(order, { name, amount }))
export const capture = (name: string, amount: string) => Capture.execute(Capture.of(order, { name, amount }))
export const voidAll = Void.execute(Void.of(order))

/** A flow whose layers a program needs. */
export interface Registered {
  readonly layer: Layer.Layer<never, unknown, FlowEngine | PayClient>
}

const builtIn: ReadonlyArray<Registered> = [Refund, Capture, Void, PayChecked]

export interface Options {
  readonly client: Layer.Layer<PayClient>
  readonly settings?: Partial<FlowSettings.Settings>
  readonly flows?: ReadonlyArray<Registered>
}

const layersOf = (flows: ReadonlyArray<Registered> = []) => {
  const [first, ...rest] = [...builtIn, ...flows].map(({ layer }) => Layer.orDie(layer))
  return Layer.mergeAll(first ?? Layer.empty, ...rest)
}

const settingsOf = (settings: Partial<FlowSettings.Settings> = {}) =>
  Layer.succeed(FlowSettings.FlowSettings, { ...FlowSettings.defaults, ...settings })

/** Signatures of RSA are made in another thread, and take many turns of the event loop on a busy machine. */
const inTime = <A>(program: Effect.Effect<A>): Effect.Effect<A> => VirtualTime.make({ patience: 200 }).run(program)

type Program<A> = Effect.Effect<A, never, FlowEngine | PayClient>

export const inMemory = <A>(program: Program<A>, { client, settings }: Options): Effect.Effect<A> =>
  inTime(Effect.provide(program, Layer.mergeAll(FlowEngine.layerMemory, client, settingsOf(settings)), { local: true }))

/** Runs the program on the engine of this file, whose process ends with the program. */
export const onFile =
  (path: string, origin?: { readonly origin: "moved" }) =>
  <A>(program: Program<A>, { client, flows, settings }: Options): Effect.Effect<A> =>
    inTime(
      Effect.provide(
        program,
        layersOf(flows).pipe(
          Layer.provideMerge(Durable.layer({ path, ...origin, tickMs: 86_400_000 })),
          Layer.provideMerge(Layer.merge(client, settingsOf(settings))),
          Layer.orDie
        ),
        { local: true }
      )
    )

const brief = Duration.millis(40)

/** Runs the program on Effect's cluster with one runner, by the machine's clock. */
export const onCluster = <A>(
  program: Program<A>,
  { client, flows, settings }: Options
): Effect.Effect<A, never, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* Effect.orDie(Effect.flatMap(temporaryFile, (path) => Database.open({ path })))
    const runner = SingleRunner.layer({ shardingConfig: { entityMessagePollInterval: "20 millis" } }).pipe(
      Layer.provideMerge(SqlClient.layer(database)),
      Layer.provide(Digest.layerWebCrypto)
    )
    const pauses = Layer.succeed(AwaitFinal.Pauses, [brief, brief])
    return yield* Effect.provide(
      program,
      layersOf(flows).pipe(
        Layer.provideMerge(Cluster.layer()),
        Layer.provide(runner),
        Layer.provideMerge(
          Layer.mergeAll(client, pauses, settingsOf({ quietPeriod: brief, pause: brief, ...settings }))
        ),
        Layer.orDie
      ),
      { local: true }
    )
  })

/** How an action ended: `approved`, or the tag of its error. */
const endOf = <R>(action: Effect.Effect<OrderStatus, FlowError | ExecuteError, R>): Effect.Effect<string, never, R> =>
  Effect.map(Effect.result(action), (end) => (Result.isSuccess(end) ? end.success.status : end.failure._tag))

/** All of them at once. */
export const atOnce = <R>(...actions: ReadonlyArray<Effect.Effect<OrderStatus, FlowError | ExecuteError, R>>) =>
  Effect.all(actions.map(endOf), { concurrency: "unbounded" })

export const alone = { actsAlone: true }
export const two = [refund("a", "5.00"), refund("b", "5.00")] as const

/** A gateway whose first action is executed and not answered until `answer` runs. `isActing` completes when it is executed. */
export const slowGateway = (options: Omit<KeylessGateway.Options, "onAction">) => {
  const isActing = Deferred.makeUnsafe<void>()
  const isAnswered = Deferred.makeUnsafe<void>()
  const gateway = KeylessGateway.make({
    ...options,
    onAction: (count) =>
      count > 1 ? Effect.void : Effect.andThen(Deferred.succeed(isActing, undefined), Deferred.await(isAnswered))
  })
  return { gateway, isActing: Deferred.await(isActing), answer: Deferred.succeed(isAnswered, undefined) }
}

/** A flow of the merchant whose parts act on the order. Its result is how they ended. */
export const own = (name: string, parts: Effect.Effect<ReadonlyArray<string>, never, FlowEngine | PayClient>) =>
  Flow.make({
    name,
    payload: Schema.Struct({ id: Schema.String }),
    success: Schema.String,
    idempotencyKey: ({ id }) => id,
    run: () => Effect.map(parts, (ends) => ends.join(", "))
  })

export const endsOf = (...flows: ReadonlyArray<ReturnType<typeof own>>) =>
  Effect.all(
    flows.map((flow) => Effect.orDie(flow.execute({ id: "1" }))),
    { concurrency: "unbounded" }
  )

/** Returns how long the effect took by the clock of its engine, and its value. */
export const elapsed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const startMs = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [(yield* Clock.currentTimeMillis) - startMs, value] as const
  })
