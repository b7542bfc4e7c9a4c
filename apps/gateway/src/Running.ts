/** Runs the gateway as a process: logs as JSON, one line when the gateway is ready, and a graceful end. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import * as Start from "@pay/server/Start"
import { Cause, Effect, Exit, Layer, Logger, Runtime } from "effect"

/** Exits with 0 if the program was interrupted, because an interruption is the regular end of the gateway. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

export const ready = ({ dataDirectory, merchants, publicBaseUrl }: Started): Effect.Effect<void> =>
  Effect.log("The gateway is ready").pipe(Effect.annotateLogs({ url: publicBaseUrl, data: dataDirectory, merchants }))

/** The address, the data folder and the merchants of a gateway that has started. */
export interface Started {
  readonly publicBaseUrl: string
  readonly dataDirectory: string
  readonly merchants: ReadonlyArray<string>
}

/** Runs the gateway until it is stopped. The program's arguments select how its store is opened. */
export const main = <E>(gateway: (start: Start.Start) => Effect.Effect<never, E, NodeServices.NodeServices>): void =>
  Start.fromArguments(process.argv.slice(2)).pipe(
    Effect.flatMap(gateway),
    Effect.provide(Layer.merge(NodeServices.layer, Logger.layer([Logger.consoleJson]))),
    NodeRuntime.runMain({ teardown })
  )
