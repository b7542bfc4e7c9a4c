/**
 * A gateway's configuration file: JSON, checked before anything is opened. Every part but `merchants` has a default; the
 * environment overrides the few that differ between two starts of one deployment.
 */
import * as AddressPolicy from "@pay/gateway/AddressPolicy"
import * as Directory from "@pay/gateway/Directory"
import * as Operators from "@pay/gateway/Operators"
import * as Settings from "@pay/gateway/Settings"
import { Config, Effect, FileSystem, Option, Redacted, Result, Schema } from "effect"

const Rate = Schema.Struct({ perSecond: Schema.Finite, burst: Schema.Finite })
const Milliseconds = Schema.Int.check(Schema.isGreaterThan(0))
const Count = Schema.Int.check(Schema.isGreaterThan(0))
const Token = Schema.RedactedFromValue(Schema.String.check(Schema.isMinLength(16)), { label: "operator token" })
const OperatorName = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9.-]{0,31}$/))

export const File = Schema.Struct({
  /** Where merchants are; see `Directory.Config`. */
  merchants: Directory.Config,
  listen: Schema.optionalKey(
    Schema.Struct({ host: Schema.optionalKey(Schema.String), port: Schema.optionalKey(Schema.Int) })
  ),
  /** The address under which merchants reach the gateway, where a proxy stands in front of it. */
  publicBaseUrl: Schema.optionalKey(Schema.String),
  /** CIDR ranges of our own proxies, whose `X-Forwarded-For` is believed. */
  trustedProxies: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Folder of the database, the key ring and the short-lived keys. */
  dataDirectory: Schema.optionalKey(Schema.String),
  callbacks: Schema.optionalKey(
    Schema.Struct({
      /** CIDR ranges that are allowed although they are not public. */
      allowRanges: Schema.optionalKey(Schema.Array(Schema.String)),
      /** CIDR ranges where any port may be used. */
      anyPortRanges: Schema.optionalKey(Schema.Array(Schema.String)),
      /** Instead of 80, 8080, 443 and 8443. */
      ports: Schema.optionalKey(Schema.Array(Schema.Int))
    })
  ),
  operator: Schema.optionalKey(
    Schema.Struct({
      /** For `/operator/…`, of whoever is called `operator`; behind a proxy nothing is served there without a token. */
      token: Schema.optionalKey(Token),
      /** By the name of the person who holds it. */
      tokens: Schema.optionalKey(Schema.Record(OperatorName, Token))
    })
  ),
  limits: Schema.optionalKey(
    Schema.Struct({
      maxBodyBytes: Schema.optionalKey(Count),
      maxParameters: Schema.optionalKey(Count),
      bodyTimeoutMs: Schema.optionalKey(Milliseconds),
      headersTimeoutMs: Schema.optionalKey(Milliseconds),
      clockSkewMs: Schema.optionalKey(Milliseconds),
      merchantRate: Schema.optionalKey(Rate),
      addressRate: Schema.optionalKey(Rate),
      cardRate: Schema.optionalKey(Rate)
    })
  ),
  orders: Schema.optionalKey(
    Schema.Struct({
      holdMs: Schema.optionalKey(Milliseconds),
      payoutCheckMs: Schema.optionalKey(Milliseconds),
      resubmitWithinMs: Schema.optionalKey(Milliseconds),
      repeatWindowMs: Schema.optionalKey(Milliseconds),
      challengeMs: Schema.optionalKey(Milliseconds)
    })
  ),
  /** Pages on which customers enter their card. */
  hostedPages: Schema.optionalKey(
    Schema.Struct({
      sessionMs: Schema.optionalKey(Milliseconds),
      sessionAttempts: Schema.optionalKey(Count),
      sessionRate: Schema.optionalKey(Rate),
      /** Payment attempts from one remote address: only where customers' own addresses reach the gateway. */
      attemptRate: Schema.optionalKey(Rate)
    })
  ),
  agenda: Schema.optionalKey(
    Schema.Struct({
      bankConcurrency: Schema.optionalKey(Count),
      threedsConcurrency: Schema.optionalKey(Count),
      callbackConcurrency: Schema.optionalKey(Count),
      railConcurrency: Schema.optionalKey(Count),
      recurringConcurrency: Schema.optionalKey(Count),
      agendaTickMs: Schema.optionalKey(Milliseconds),
      agendaPaused: Schema.optionalKey(Schema.Boolean)
    })
  )
})
export type File = typeof File.Type

/** What a configuration file comes to, with every default filled in. */
export interface ServerConfig {
  readonly merchants: Directory.Config
  /** Where the merchants' description can be read again. */
  readonly merchantsSource?: Effect.Effect<Directory.Config, Directory.DirectoryError> | undefined
  readonly listen: { readonly host: string; readonly port: number }
  readonly dataDirectory: string
  readonly settings: Settings.Settings
  /** Nobody: whoever is on the machine. */
  readonly operators?: ReadonlyArray<Operators.Operator>
}

export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", { message: Schema.String }) {}

/** What differs between a deployment that takes real money and one that plays. */
export interface Mode {
  /** Plain http is refused in merchants' addresses. */
  readonly production: boolean
  /** Where callbacks may go unless the file says otherwise. */
  readonly callbacks: AddressPolicy.AddressPolicy
}

/** Fills in the defaults. */
export const complete = (file: File, mode: Mode): Effect.Effect<ServerConfig, ConfigError> => {
  const listen = { host: file.listen?.host ?? "127.0.0.1", port: file.listen?.port ?? 8080 }
  const policy = file.callbacks === undefined ? Result.succeed(mode.callbacks) : AddressPolicy.make(file.callbacks)
  if (Result.isFailure(policy))
    return Effect.fail(new ConfigError({ message: `callbacks: ${policy.failure} is not a CIDR range` }))
  const operators = [
    ...(file.operator?.token === undefined ? [] : [{ name: Operators.unnamed, token: file.operator.token }]),
    ...Object.entries(file.operator?.tokens ?? {}).map(([name, token]) => ({ name, token }))
  ]
  if (new Set(operators.map(({ token }) => Redacted.value(token))).size < operators.length)
    return Effect.fail(new ConfigError({ message: "operator: two people have the same token; give each their own" }))
  if (new Set(operators.map(({ name }) => name)).size < operators.length)
    return Effect.fail(
      new ConfigError({ message: `operator: ${Operators.unnamed} is whoever holds operator.token; name the other` })
    )
  return Effect.succeed({
    merchants: file.merchants,
    listen,
    dataDirectory: file.dataDirectory ?? ".data/gateway",
    operators,
    settings: {
      ...Settings.defaults,
      ...file.limits,
      ...file.orders,
      ...file.hostedPages,
      ...file.agenda,
      publicBaseUrl: file.publicBaseUrl?.replace(/\/+$/, ""),
      addressPolicy: policy.success,
      trustedProxies: file.trustedProxies ?? [],
      production: mode.production
    }
  })
}

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(File), { errors: "all", onExcessProperty: "error" })

/** Reads and checks the file; says every problem at once. */
export const read = Effect.fn("ServerConfig.read")(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    files.readFileString(path),
    (error) => new ConfigError({ message: `The configuration file ${path} cannot be read: ${error.message}` })
  )
  return yield* Effect.mapError(
    decode(text),
    (error) => new ConfigError({ message: `The configuration file ${path} is not right:\n${error.message}` })
  )
})

const environment = Config.all({
  file: Config.option(Config.String("PAY_CONFIG")),
  host: Config.option(Config.String("PAY_HOST")),
  port: Config.option(Config.Int("PAY_PORT")),
  dataDirectory: Config.option(Config.String("PAY_DATA")),
  publicBaseUrl: Config.option(Config.String("PAY_PUBLIC_BASE_URL")),
  operatorToken: Config.option(Config.Redacted("PAY_OPERATOR_TOKEN"))
})

/**
 * The file that `PAY_CONFIG` names, if any, with what `PAY_HOST`, `PAY_PORT`, `PAY_DATA`, `PAY_PUBLIC_BASE_URL` and
 * `PAY_OPERATOR_TOKEN` override.
 */
export const fromEnvironment = Effect.gen(function* () {
  const { dataDirectory, file: path, host, operatorToken, port, publicBaseUrl } = yield* environment
  const file: Partial<File> = Option.isSome(path) ? yield* read(path.value) : {}
  return {
    ...file,
    listen: {
      ...file.listen,
      ...(Option.isSome(host) ? { host: host.value } : {}),
      ...(Option.isSome(port) ? { port: port.value } : {})
    },
    ...(Option.isSome(dataDirectory) ? { dataDirectory: dataDirectory.value } : {}),
    ...(Option.isSome(publicBaseUrl) ? { publicBaseUrl: publicBaseUrl.value } : {}),
    ...(Option.isSome(operatorToken) ? { operator: { ...file.operator, token: operatorToken.value } } : {})
  } satisfies Partial<File>
})

/** The merchants of the file that `PAY_CONFIG` names, read again each time; undefined where it names none. */
export const merchantsSource = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const { file } = yield* environment
  return Option.isNone(file)
    ? undefined
    : read(file.value).pipe(
        Effect.map(({ merchants }) => merchants),
        Effect.mapError(({ message }) => new Directory.DirectoryError({ problems: message.split("\n") })),
        Effect.provideService(FileSystem.FileSystem, files)
      )
})
