/**
 * The gateway for real money as a process. It refuses to start, with a message that lists all problems, in each of these cases:
 * - A login or key belongs to the sandbox.
 * - The bank is simulated, or a sandbox has run in the data folder.
 * - There are no master keys, or they are stored in the data folder.
 * - There is no public https address, or there are no adapters.
 *
 * It also refuses a store that lacks data, and a missing store unless a new one is requested. This module never loads the sandbox.
 */
import { isAbsolute, relative, resolve } from "node:path"
import { AcquirerNames, AddressPolicy, CheckedMerchants, PublicSecrets, SteadyClock } from "@pay/gateway/Gateway"
import { KeyRing } from "@pay/gateway/KeyVault"
import { NodeServer } from "@pay/gateway/NodeServer"
import { Effect, FileSystem, Layer, Result } from "effect"
import * as Adapters from "./Adapters.ts"
import * as DataFolder from "./DataFolder.ts"
import * as ReloadOnSighup from "./ReloadOnSighup.ts"
import * as SandboxMarks from "./SandboxMarks.ts"
import * as Server from "./Server.ts"
import * as ServerConfig from "./ServerConfig.ts"
import type { Start } from "./Start.ts"

/** The address, the data folder and the merchants of a gateway that has started. */
export interface Started {
  readonly publicBaseUrl: string
  /** The address for operators, with the metrics. */
  readonly operatorUrl: string
  readonly dataDirectory: string
  readonly merchants: ReadonlyArray<string>
}

const mode: ServerConfig.Mode = { production: true, callbacks: AddressPolicy.publicOnly, drainMs: 10_000 }

/** Returns the problems of the gateway's public address: https, a public host, and at most a path. */
const addressProblems = (text: string | undefined): ReadonlyArray<string> => {
  if (text === undefined) return ["publicBaseUrl is missing: the https address under which merchants reach the gateway"]
  const url = URL.parse(text)
  const local = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/
  return url?.protocol !== "https:" ||
    url.username !== "" ||
    url.search !== "" ||
    url.hash !== "" ||
    local.test(url.host)
    ? ["publicBaseUrl must be a public https address without userinfo and query"]
    : []
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(resolve(folder), resolve(path))
  return way !== "" && !way.startsWith("..") && !isAbsolute(way)
}

/**
 * Reads the key ring, or fails with the reason. It is never created here, and never read from the data folder that it protects.
 */
const keyRingOf = (path: string | undefined, dataDirectory: string) => {
  if (path !== undefined && isInside(dataDirectory, path))
    return Effect.fail(["keyRing lies in dataDirectory, beside what it locks: keep it elsewhere"])
  return (path === undefined ? KeyRing.fromConfig : KeyRing.fromFile(path, { create: false })).pipe(
    Effect.mapError(({ message }) => [`no master key: ${message} (keyRing, or PAY_MASTER_KEY and PAY_HASHING_KEY)`])
  )
}

const sandboxFiles = ["bank.journal", "rail.journal", "threeds.journal", "clock.json"]

const failureOf = <A>(result: Result.Result<A, ReadonlyArray<string>>): ReadonlyArray<string> =>
  Result.isFailure(result) ? result.failure : []

/** Reads the configuration, the keys and the adapters. Fails with all problems that prevent a start. */
export const prepare = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const file = yield* ServerConfig.fromEnvironment
  const dataDirectory = file.dataDirectory ?? ".data/gateway"
  const merchants = file.merchants ?? []
  const described = Result.getOrElse(CheckedMerchants.check(merchants), () => [])
  const traces = yield* Effect.filter(sandboxFiles, (name) => files.exists(`${dataDirectory}/${name}`))
  const ring = yield* Effect.result(keyRingOf(file.keyRing, dataDirectory))
  const adapters = yield* Effect.result(
    file.adapters === undefined
      ? Effect.fail(["adapters is missing: the module that reaches your banks"])
      : Adapters.load(file.adapters, yield* ServerConfig.folder)
  )
  const names = Result.isSuccess(adapters) ? new Set(Adapters.banksOf(adapters.success).keys()) : undefined
  const problems = [
    ...(merchants.length === 0 ? ["merchants are missing: PAY_CONFIG names the file that describes them"] : []),
    ...described.flatMap((merchant) => [
      ...PublicSecrets.problems(merchant, SandboxMarks.all),
      ...AcquirerNames.problems(merchant, names)
    ]),
    ...addressProblems(file.publicBaseUrl),
    ...(file.sandboxWorld === undefined ? [] : ["sandboxWorld names a simulated bank: no money would move"]),
    ...(traces.length > 0 ? [`a sandbox has run in dataDirectory (${traces.join(", ")}): give another folder`] : []),
    ...failureOf(ring),
    ...failureOf(adapters)
  ]
  if (problems.length > 0 || Result.isFailure(ring) || Result.isFailure(adapters))
    return yield* new ServerConfig.ConfigError({
      message: `for real money it needs more:\n${problems.join("\n")}`
    })
  const config = yield* ServerConfig.complete({ ...file, merchants }, mode)
  return { config, keyRing: ring.success, adapters: adapters.success }
})

/** Runs the gateway until it is interrupted. Calls `onStart` once the gateway accepts requests. */
export const run = <E, R>(onStart: (started: Started) => Effect.Effect<void, E, R>, start: Start = {}) =>
  Effect.gen(function* () {
    const { adapters, config, keyRing } = yield* prepare
    const merchantsSource = yield* ServerConfig.merchantsSource
    const { dataDirectory, merchants } = config
    const gateway = Server.layer({
      ...config,
      ...start,
      merchantsSource,
      keyVault: Server.keyVault(config, Effect.succeed(keyRing))
    }).pipe(
      Layer.provide(Layer.succeed(PublicSecrets.PublicSecrets, SandboxMarks.all)),
      Layer.provideMerge(Adapters.layer(adapters)),
      Layer.provide(
        DataFolder.layer(dataDirectory, { ...start, production: true, elsewhere: config.database !== undefined })
      ),
      Layer.provide(SteadyClock.layerOf({ acceptedBy: start.acceptClock?.by }))
    )
    return yield* Effect.provide(
      Effect.gen(function* () {
        const { operatorUrl, publicBaseUrl } = yield* NodeServer
        yield* onStart({ publicBaseUrl, operatorUrl, dataDirectory, merchants: merchants.map(({ login }) => login) })
        return yield* Effect.never
      }),
      Layer.provideMerge(ReloadOnSighup.layer, gateway)
    )
  })
