/**
 * The gateway as a process, with a simulated bank world behind it; everything is kept in one folder. SIGINT or SIGTERM
 * stops it: no new connections, requests under way answered, claimed work finished.
 *
 * Environment: `PAY_DATA` (folder, default `.data/gateway`), `PAY_HOST` (default 127.0.0.1), `PAY_PORT` (default 8080; 0
 * for any free one), `PAY_PUBLIC_BASE_URL`, `PAY_CONFIG` (a configuration file; its merchants replace the sandbox's own).
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import * as SandboxProcess from "@pay/server/SandboxProcess"
import { Cause, Effect, Exit, Logger, Runtime } from "effect"

/** To be asked to stop is how it ends in good order. */
const teardown: Runtime.Teardown = (exit, onExit) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) ? onExit(0) : Runtime.defaultTeardown(exit, onExit)

SandboxProcess.run(({ dataDirectory, merchants, publicBaseUrl }) =>
  Effect.log("The gateway is ready").pipe(Effect.annotateLogs({ url: publicBaseUrl, data: dataDirectory, merchants }))
).pipe(
  Effect.provide(NodeServices.layer),
  Effect.provide(Logger.layer([Logger.consoleJson])),
  NodeRuntime.runMain({ teardown })
)
