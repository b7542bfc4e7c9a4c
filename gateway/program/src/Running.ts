/** Runs the gateway as a process: logs as JSON, one line when the gateway is ready, and a graceful end. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import * as Start from "@pay/server/Start"
import { Cause, Effect, Exit, Layer, Logger, Result, Runtime } from "effect"
import * as LogOutput from "./LogOutput.ts"

/** Exits with 0 if the program was interrupted, because an interruption is the regular end of the gateway. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

export const ready = ({ dataDirectory, merchants, operatorUrl, publicBaseUrl }: Started): Effect.Effect<void> =>
  Effect.log("The gateway is ready").pipe(
    Effect.annotateLogs({ url: publicBaseUrl, operators: operatorUrl, data: dataDirectory, merchants })
  )

/** The address, the data folder and the merchants of a gateway that has started. */
export interface Started {
  readonly publicBaseUrl: string
  readonly operatorUrl: string
  readonly dataDirectory: string
  readonly merchants: ReadonlyArray<string>
}

/** Logs the cause of an end: an expected error by its message, which says what to do, and a defect with its stack trace. */
const report =
  (name: string) =>
  <E extends Refusal>(cause: Cause.Cause<E>): Effect.Effect<void> => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.void
    const refusal = Cause.findError(cause)
    if (Result.isFailure(refusal)) return Effect.logError(`${name} has ended by a defect`, cause)
    return Effect.logError(`${name} does not start: ${refusal.success.message}`)
  }

interface Refusal {
  readonly message: string
}

/**
 * Logs a rejected promise that nothing awaits, and goes on. Node would end the process. An adapter easily leaves one: of two requests
 * that it sent at once, it awaits the second one after the first one has failed.
 */
const withRejections = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Effect.context<never>(), (context) => {
    const run = Effect.runForkWith(context)
    const onRejection = (reason: unknown) => {
      run(
        Effect.logError("A promise was rejected, and nothing awaits it; an adapter may have made it", Cause.die(reason))
      )
    }
    return Effect.acquireUseRelease(
      Effect.sync(() => process.on("unhandledRejection", onRejection)),
      () => program,
      () => Effect.sync(() => process.off("unhandledRejection", onRejection))
    )
  })

/** Loads the exporters of telemetry if a variable names their receiver. */
const telemetry = Layer.unwrap(
  Effect.promise(async () => {
    const { env } = process
    const isNamed = Object.keys(env).some((name) => /^OTEL_EXPORTER_OTLP_(\w{1,20}_)?ENDPOINT$/.test(name) && env[name])
    if (!isNamed || env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return Layer.empty
    const Telemetry = await import("./Telemetry.ts")
    return Telemetry.layer(env)
  })
)

/** Runs the gateway until it is stopped. The program's arguments select how its store is opened. `name` begins log messages. */
export const main = <E extends Refusal>(
  gateway: (start: Start.Start) => Effect.Effect<never, E, NodeServices.NodeServices>,
  name = "The gateway"
): void =>
  Start.fromArguments(process.argv.slice(2)).pipe(
    Effect.flatMap(gateway),
    withRejections,
    Effect.tapCause(report(name)),
    Effect.provide(
      telemetry.pipe(Layer.provideMerge(Layer.merge(NodeServices.layer, Logger.layer([LogOutput.make()]))))
    ),
    NodeRuntime.runMain({ teardown, disableErrorReporting: true })
  )
