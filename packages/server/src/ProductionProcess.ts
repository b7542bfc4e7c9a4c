/**
 * The gateway for real money as a process. It does not start, and says everything that stands in the way, with a login or
 * key of the sandbox, a simulated bank, a folder in which a sandbox has run, without master keys from outside that folder,
 * without a public https address, or without adapters; nor where something is missing in its store, or where it has none
 * and nobody asked for a new one. Nothing here reaches the sandbox.
 */
import { isAbsolute, relative, resolve } from "node:path"
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as CheckedMerchants from "@pay/gateway/CheckedMerchants"
import * as KeyRing from "@pay/gateway/KeyRing"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as PublicSecrets from "@pay/gateway/PublicSecrets"
import * as SteadyClock from "@pay/gateway/SteadyClock"
import { Effect, FileSystem, Layer, Option, Result } from "effect"
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
  readonly dataDirectory: string
  readonly merchants: ReadonlyArray<string>
}

const mode: ServerConfig.Mode = { production: true, callbacks: AddressPolicy.publicOnly, drainMs: 10_000 }

/** Scheme, host and maybe a path, of the public internet. */
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

/** The ring, or why there is none: never made here, and never beside what it locks. */
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

/** The configuration, the keys and the banks; or everything that stands in the way. */
export const prepare = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const file = yield* ServerConfig.fromEnvironment
  const named = yield* ServerConfig.path
  const dataDirectory = file.dataDirectory ?? ".data/gateway"
  const merchants = file.merchants ?? []
  const described = Result.getOrElse(CheckedMerchants.check(merchants), () => [])
  const traces = yield* Effect.filter(sandboxFiles, (name) => files.exists(`${dataDirectory}/${name}`))
  const ring = yield* Effect.result(keyRingOf(file.keyRing, dataDirectory))
  const adapters = yield* Effect.result(
    file.adapters === undefined
      ? Effect.fail(["adapters is missing: the module that reaches your banks"])
      : Adapters.load(file.adapters, Option.isSome(named) ? resolve(named.value, "..") : resolve("."))
  )
  const problems = [
    ...(merchants.length === 0 ? ["merchants are missing: PAY_CONFIG names the file that describes them"] : []),
    ...described.flatMap((merchant) => PublicSecrets.problems(merchant, SandboxMarks.all)),
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

/** Runs until it is interrupted; `onStart` is told once requests are taken. */
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
      Layer.provide(SteadyClock.layer)
    )
    return yield* Effect.provide(
      Effect.gen(function* () {
        const { publicBaseUrl } = yield* NodeServer
        yield* onStart({ publicBaseUrl, dataDirectory, merchants: merchants.map(({ login }) => login) })
        return yield* Effect.never
      }),
      Layer.provideMerge(ReloadOnSighup.layer, gateway)
    )
  })
