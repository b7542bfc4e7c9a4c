/**
 * The configuration of a gateway: a JSON file, with values that the environment overrides. It is validated as a whole before
 * anything is opened. All parts except `merchants` have defaults.
 */

import { resolve } from "node:path"
import * as Directory from "@pay/gateway/Directory"
import {
  AddressPolicy,
  CheckedMerchants,
  type NotificationListener,
  type OperatorListener,
  Operators
} from "@pay/gateway/Gateway"
import * as Settings from "@pay/gateway/Settings"
import { Config, Effect, FileSystem, Option, Predicate, Result, Schema, SchemaIssue, Struct } from "effect"
import { File, Listen, WithoutMerchants } from "./ConfigFile.ts"
import * as ConfigTable from "./ConfigTable.ts"
import * as SecondPersonLimits from "./SecondPersonLimits.ts"

export { File }

/** A configuration with all defaults. */
export interface ServerConfig extends Pick<File, (typeof unchanged)[number]> {
  /** Reads the merchants of the configuration again. */
  readonly merchantsSource?: Effect.Effect<Directory.Config, Directory.DirectoryError> | undefined
  readonly listen: typeof Listen.Type
  readonly dataDirectory: string
  readonly settings: Settings.Settings
  /** The address for operators. Default: one port above `listen` on 127.0.0.1, any free one beside any free one. */
  readonly operatorListen?: OperatorListener.Options
  /** The address for the notifications of banks. Default: two ports above `listen` on 127.0.0.1, any free one beside any free one. */
  readonly notificationListen?: NotificationListener.Options
  /** The operators who may call `/operator/…`. Without any, every program on this machine may call it. */
  readonly operators?: ReadonlyArray<Operators.Operator>
  /** The commands whose changes a second person confirms. */
  readonly secondPerson?: SecondPersonLimits.Limits
  /** Whether an operator without a two-step sign-in may only look. */
  readonly twoStep?: boolean
}

/** The parts of the file that a server takes as they are. */
const unchanged = ["merchants", "database", "witness", "reserveBytes", "keyRing", "sandboxWorld", "logLevel"] as const

/** The configuration is not valid or cannot be read. The message lists the problems. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", { message: Schema.String }) {}

/** The differences between a gateway for real money and a sandbox. */
export interface Mode {
  /** Whether the gateway takes real money. Merchants' addresses with plain http are then refused. */
  readonly production: boolean
  /** The addresses to which callbacks may be sent, unless the file sets them. */
  readonly callbacks: AddressPolicy.AddressPolicy
  /** Milliseconds for which requests are still accepted after a stop was requested, unless the file sets them. */
  readonly drainMs: number
}

type Parts = typeof WithoutMerchants.Type

/** Returns the problems that the schema cannot detect, as messages for an operator. */
const flaws = (file: Parts): ReadonlyArray<string> => {
  const { callbacks = {}, dialects = ["json"], merchants = [], orders, trustedProxies = [] } = file
  const merchantsChecked = CheckedMerchants.check(merchants)
  const ranges = [...(callbacks.allowRanges ?? []), ...(callbacks.anyPortRanges ?? []), ...trustedProxies]
  const limits = SecondPersonLimits.make(file.operator?.secondPerson ?? {})
  const { challengeMs, resubmitWithinMs } = { ...Settings.defaults, ...orders }
  return [
    ...(Result.isFailure(merchantsChecked) ? merchantsChecked.failure : []),
    ...(Result.isFailure(limits) ? limits.failure : []),
    ...ranges.flatMap((range) =>
      Result.isFailure(AddressPolicy.parseRange(range)) ? [`${range} is not a CIDR range, as 10.0.0.0/8 is one`] : []
    ),
    ...(challengeMs >= 2 * resubmitWithinMs
      ? ["orders.challengeMs must be below twice orders.resubmitWithinMs, when security codes are forgotten"]
      : []),
    ...(dialects.includes("json") ? [] : ["dialects must have json: what asks for it gets the specification's answers"])
  ]
}

const operatorsOf = (operator: Parts["operator"]): ReadonlyArray<Operators.Operator> =>
  operator?.token === undefined ? [] : [{ name: Operators.unnamed, token: operator.token }]

const configError = (what: string, problems: ReadonlyArray<string>) =>
  new ConfigError({ message: `${what} is not right:\n${problems.join("\n")}` })

/** Returns the configuration with all defaults. Fails with all problems of the file. */
export const complete = (file: File, mode: Mode): Effect.Effect<ServerConfig, ConfigError> =>
  Effect.gen(function* () {
    const problems = flaws(file)
    const limits = SecondPersonLimits.make(file.operator?.secondPerson ?? {})
    const policy = file.callbacks === undefined ? Result.succeed(mode.callbacks) : AddressPolicy.make(file.callbacks)
    if (problems.length > 0 || Result.isFailure(policy) || Result.isFailure(limits))
      return yield* configError("The configuration", problems)
    return {
      ...Struct.pick(file, unchanged),
      listen: Listen.make({ drainMs: mode.drainMs, ...file.listen }),
      notificationListen: { host: file.notifications?.host, port: file.notifications?.port },
      operatorListen: { host: file.operator?.host, port: file.operator?.port },
      dataDirectory: file.dataDirectory ?? ".data/gateway",
      operators: operatorsOf(file.operator),
      secondPerson: limits.success,
      twoStep: file.operator?.twoStep ?? false,
      settings: {
        ...(mode.production ? Settings.defaults : Settings.sandboxDefaults),
        ...file.limits,
        ...file.orders,
        ...file.hostedPages,
        ...file.jobs,
        ...file.tracing,
        ...(file.dialects === undefined ? {} : { dialects: file.dialects }),
        publicBaseUrl: file.publicBaseUrl?.replace(/^(.*[^/])?\/*$/s, "$1"),
        addressPolicy: policy.success,
        trustedProxies: file.trustedProxies ?? [],
        production: mode.production
      }
    }
  })

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/**
 * Decodes a configuration. Fails with all problems at once: unknown names, then problems of the schema or, if there are none,
 * problems of the configuration as a whole.
 */
const validate = Effect.fnUntraced(function* <S extends Schema.Codec<Parts, unknown>>(
  schema: S,
  what: string,
  raw: unknown,
  variables: ReadonlyMap<string, string> = new Map()
) {
  const decoded = Schema.decodeUnknownResult(schema, { errors: "all" })(raw)
  const at = (path: ReadonlyArray<unknown>) => path.map(String).join(".")
  const messages = Result.isSuccess(decoded)
    ? flaws(decoded.success)
    : formatIssue(decoded.failure.issue).issues.map(({ message, path = [] }) => {
        const name = at(path)
        const variable = variables.get(name) ?? variables.get(at(path.slice(0, -1)))
        return `${name}${variable === undefined ? "" : ` (${variable})`}: ${message}`
      })
  const problems = [...ConfigTable.unknown(schema, raw), ...messages]
  if (problems.length > 0 || Result.isFailure(decoded)) return yield* configError(what, problems)
  return decoded.success
})

/** Parses JSON. The error never quotes the text, because it contains keys. */
const json = (what: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => {
      const [place = "somewhere"] = /line \d+ column \d+|position \d+/.exec(String(error)) ?? []
      return configError(what, [`it is no JSON at ${place}`])
    }
  })

const load = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const what = `The configuration file ${path}`
  const text = yield* Effect.mapError(
    files.readFileString(path),
    (error) => new ConfigError({ message: `${what} cannot be read: ${error.message}` })
  )
  return { what, raw: yield* json(what, text) }
})

/** Reads and validates the file. Fails with all problems at once. */
export const read = Effect.fn("ServerConfig.read")(function* (path: string) {
  const { raw, what } = yield* load(path)
  return yield* validate(File, what, raw)
})

/** The path of the configuration file, from `PAY_CONFIG`. */
export const path = Config.option(Config.String("PAY_CONFIG"))

/** The folder to which paths in the configuration refer. */
export const folder = Effect.gen(function* () {
  const file = yield* path
  return Option.isSome(file) ? resolve(file.value, "..") : resolve(".")
})

/** Returns the content of the file with the values of the environment variables that the documentation lists. */
const withEnvironment = Effect.fnUntraced(function* (file: unknown) {
  const variables = new Map<string, string>()
  let raw = file
  for (const { environment, kind, path } of ConfigTable.entries(WithoutMerchants)) {
    if (environment === undefined) continue
    const text = yield* Config.option(Config.String(environment))
    if (Option.isNone(text) || text.value === "") continue
    if (isJson(raw)) raw = withValueAt(raw, path, parseValue(kind, text.value))
    variables.set(path.join("."), environment)
  }
  return { raw, variables }
})

type Json = Readonly<Record<string, unknown>>

const isJson = (value: unknown): value is Json => Predicate.isObject(value) && !Array.isArray(value)

/** Returns the object with the value set at the path. */
const withValueAt = (into: Json, [name = "", ...rest]: ReadonlyArray<string>, value: unknown): Json => {
  const there = into[name]
  return { ...into, [name]: rest.length === 0 ? value : withValueAt(isJson(there) ? there : {}, rest, value) }
}

/**
 * Parses the text of an environment variable. Text that is not of the kind is returned unchanged, and the validation refuses it.
 */
const parseValue = (kind: ConfigTable.Kind, text: string): unknown => {
  const number = (part: string): unknown => (/^-?\d+(\.\d+)?$/.test(part) ? Number(part) : part)
  const parts = text.split(",").map((part) => part.trim())
  switch (kind) {
    case "number":
      return number(text)
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text
    case "list":
      return parts
    case "numbers":
      return parts.map(number)
    default:
      return text
  }
}

/**
 * Reads the configuration from the file of `PAY_CONFIG`, if it is set, and from the other environment variables, which override
 * it.
 */
export const fromEnvironment = Effect.gen(function* () {
  const named = yield* path
  const file = Option.isNone(named) ? undefined : yield* load(named.value)
  const { raw, variables } = yield* withEnvironment(file?.raw ?? {})
  return file === undefined
    ? yield* validate(WithoutMerchants, "The environment", raw, variables)
    : yield* validate(File, file.what, raw, variables)
})

/** Returns an effect that reads the merchants of the file of `PAY_CONFIG` again, or `undefined` if `PAY_CONFIG` is not set. */
export const merchantsSource = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const named = yield* path
  return Option.isNone(named)
    ? undefined
    : read(named.value).pipe(
        Effect.map(({ merchants }) => merchants),
        Effect.mapError(({ message }) => new Directory.DirectoryError({ problems: message.split("\n") })),
        Effect.provideService(FileSystem.FileSystem, files)
      )
})
