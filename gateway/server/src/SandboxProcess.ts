/** The sandbox gateway as a process. A file and the environment configure it. */
import { AddressPolicy } from "@pay/gateway/Gateway"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect, Layer } from "effect"
import * as Adapters from "./Adapters.ts"
import * as ReloadOnSighup from "./ReloadOnSighup.ts"
import * as Sandbox from "./Sandbox.ts"
import * as ServerConfig from "./ServerConfig.ts"
import type { Start } from "./Start.ts"

/** The addresses, the data folder and the merchants of a sandbox that has started. */
export interface Started {
  /** The address on this machine, without a path: health is served below it. */
  readonly localUrl: string
  /** The address for operators, with the metrics. */
  readonly operatorUrl: string
  readonly publicBaseUrl: string
  readonly dataDirectory: string
  readonly merchants: ReadonlyArray<string>
}

const mode: ServerConfig.Mode = { production: false, callbacks: AddressPolicy.withLoopback, drainMs: 0 }

/** Loads the adapters to the test systems of banks, if the configuration names any. */
const adaptersOf = Effect.fnUntraced(function* ({ adapters, sandboxWorld }: Partial<ServerConfig.File>) {
  if (adapters === undefined) return undefined
  if (sandboxWorld !== undefined)
    return yield* new ServerConfig.ConfigError({ message: "adapters and sandboxWorld are two banks: leave one out" })
  return yield* Effect.mapError(
    Adapters.load(adapters, yield* ServerConfig.folder),
    (problems) => new ServerConfig.ConfigError({ message: problems.join("\n") })
  )
})

/** Runs the gateway until it is interrupted. Calls `onStart` once the gateway accepts requests. */
export const run = <E, R>(onStart: (started: Started) => Effect.Effect<void, E, R>, start: Start = {}) =>
  Effect.gen(function* () {
    const file = yield* ServerConfig.fromEnvironment
    const config = yield* ServerConfig.complete({ merchants: Sandbox.merchants, ...file }, mode)
    const merchantsSource = yield* ServerConfig.merchantsSource
    const { dataDirectory, listen, merchants, sandboxWorld } = config
    const adapters = yield* adaptersOf(file)
    const options = { ...config, ...start, ...listen, merchantsSource, ...(adapters !== undefined && { adapters }) }
    const up = Effect.gen(function* () {
      const { host, operatorUrl, port, publicBaseUrl } = yield* NodeServer
      const localUrl = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
      const logins = merchants.map(({ login }) => login)
      yield* onStart({ localUrl, publicBaseUrl, operatorUrl, dataDirectory, merchants: logins })
      return yield* Effect.never
    })
    return sandboxWorld === undefined
      ? yield* Effect.provide(up, Layer.provideMerge(ReloadOnSighup.layer, Sandbox.layer(options)))
      : yield* Effect.provide(up, Layer.provideMerge(ReloadOnSighup.layer, Sandbox.layerOn(sandboxWorld, options)))
  })
