/** Converts the options of a caller to the options of the toolkit. Wrong options are reported when the client is made. */
import * as Blanks from "@pay/schema/Blanks"
import type { FieldProblem } from "@pay/schema/Rule"
import * as Rule from "@pay/schema/Rule"
import * as TransportOptions from "@pay/transport/ClientOptions"
import * as Profile from "@pay/transport/Profile"
import * as SettingText from "@pay/transport/SettingText"
import { ConfigProvider, Duration, Effect, Exit, Option, Predicate, Redacted } from "effect"
import type { ClientOptions, PayEvent, RunOptions, Secret } from "./contract/Client.ts"
import * as Errors from "./Errors.ts"
import { errorOf } from "./Running.ts"

/** The settings of a client after their check. */
export interface Settings {
  readonly toolkit: TransportOptions.ClientOptions
  /** Returns the control keys with which a callback may be signed now. */
  readonly controlKeys: () => ReadonlyArray<string>
  readonly onEvent: ((event: PayEvent) => void) | undefined
  /** Returns an error with the names that the caller uses: names of variables, if the settings come from the environment. */
  readonly named: (error: TransportOptions.InvalidSetting) => TransportOptions.InvalidSetting
}

/** Makes the error of a setting, for {@link orThrow}. */
export const wrong = (setting: string, problem: string) => TransportOptions.invalid(setting, problem)

/** Throws the error of a setting. */
export const invalid = (setting: string, problem: string): never => {
  throw Errors.make("InvalidSetting", { message: `${setting} ${problem}.`, retryable: false })
}

/** Runs a synchronous effect. Throws `InvalidSettingError` if the effect fails. */
export const orThrow = <A>(effect: Effect.Effect<A, TransportOptions.InvalidSetting>): A => {
  const exit = Effect.runSyncExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  return Option.match(errorOf(exit), {
    onNone: () => Effect.runSync(exit),
    onSome: ({ problem, setting }) => invalid(setting, problem)
  })
}

const isText = (value: unknown): value is string => typeof value === "string"

/** Returns the present text of a secret. */
const secretText = (setting: string, secret: Secret): string => {
  const value: unknown = typeof secret === "function" ? secret() : secret
  return isText(value) ? value : invalid(setting, "must be text, or a function that returns text")
}

const secretOf = (setting: string, secret: Secret): NonNullable<TransportOptions.ClientOptions["privateKey"]> =>
  typeof secret === "function"
    ? Effect.sync(() => Redacted.make(secretText(setting, secret), { label: setting }))
    : Redacted.make(secretText(setting, secret), { label: setting })

const profileOf = (value: NonNullable<ClientOptions["profile"]>): Profile.Profile => {
  if (!isText(value))
    return typeof value === "object" && value !== null ? value : invalid("profile", "must be text, or a profile")
  const { profile, unknown } = Profile.parse(value)
  const [word] = unknown
  return word === undefined ? profile : invalid("profile", `has an unknown word: ${word.slice(0, 40)}`)
}

const texts = ["baseUrl", "login"] as const

const notATime = "must be a number of milliseconds above zero"

const isTime = (value: unknown): boolean => typeof value === "number" && value > 0 && Number.isFinite(value)

/** Returns what is wrong with the options of one call. */
export const wrongCall = ({ signal, timeoutMs }: RunOptions): ReadonlyArray<FieldProblem> => [
  ...(timeoutMs === undefined || isTime(timeoutMs) ? [] : [Rule.invalid("timeoutMs", notATime)]),
  ...(signal === undefined || Predicate.hasProperty(signal, "throwIfAborted")
    ? []
    : [Rule.invalid("signal", "must be an AbortSignal")])
]

const deadlines = (callTimeoutMs: number) => {
  const deadline = Duration.millis(callTimeoutMs)
  return { creates: deadline, onOrder: deadline, onSubscription: deadline, reads: deadline }
}

/** Checks the types of options, because plain JavaScript may pass other types than those that are declared. */
const checkTypes = ({ allowPlainHttp, callTimeoutMs, fetch, onEvent }: ClientOptions) => {
  if (callTimeoutMs !== undefined && !isTime(callTimeoutMs)) invalid("callTimeoutMs", notATime)
  if (onEvent !== undefined && typeof onEvent !== "function") invalid("onEvent", "must be a function")
  if (fetch !== undefined && typeof fetch !== "function") invalid("fetch", "must be a function")
  if (allowPlainHttp !== undefined && typeof allowPlainHttp !== "boolean")
    invalid("allowPlainHttp", "must be true or false")
}

const withoutOptions = "need an object with baseUrl, login, controlKey and endpointId"

/** Returns the options. Throws `InvalidSettingError` if they are not an object. */
export const optionsOf = <T extends object>(callerOptions: T): T =>
  Predicate.isObject(callerOptions) ? callerOptions : invalid("The options", withoutOptions)

interface Pool {
  readonly clientCertificate?: { readonly certificate: string; readonly privateKey: string } | undefined
  readonly concurrency?: number | undefined
  readonly connectTimeoutMs?: number | undefined
}

/** Checks the options of a connection pool. Throws `InvalidSettingError`. */
export const checkPool = ({ clientCertificate, concurrency, connectTimeoutMs }: Pool): void => {
  const isWhole = isText(clientCertificate?.certificate) && isText(clientCertificate.privateKey)
  if (clientCertificate !== undefined && !isWhole)
    invalid("clientCertificate", "must be an object with certificate and privateKey, both PEM")
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    invalid("concurrency", "must be a whole number above zero")
  if (connectTimeoutMs !== undefined && !isTime(connectTimeoutMs)) invalid("connectTimeoutMs", notATime)
}

/** Reads the options of a caller. Throws `InvalidSettingError` if one is wrong. */
export const read = (callerOptions: ClientOptions): Settings => {
  const options = optionsOf(callerOptions)
  checkTypes(options)
  const { callTimeoutMs, controlKey, fetch: _, onEvent, previousControlKey, privateKey, profile, ...others } = options
  for (const name of texts) if (!isText(options[name])) invalid(name, "is missing, or is not text")
  if (controlKey === undefined) invalid("controlKey", "is missing")
  if (others.endpointId !== undefined && !isText(others.endpointId))
    invalid("endpointId", 'must be text: write it in quotes, like "1101"')
  if (previousControlKey !== undefined && typeof previousControlKey !== "function") {
    const wrongKey = SettingText.flaw(Blanks.trim(secretText("previousControlKey", previousControlKey)))
    if (wrongKey !== undefined) invalid("previousControlKey", wrongKey)
  }
  return {
    toolkit: {
      ...others,
      controlKey: secretOf("controlKey", controlKey),
      ...(privateKey === undefined ? {} : { privateKey: secretOf("privateKey", privateKey) }),
      ...(profile === undefined ? {} : { profile: profileOf(profile) }),
      ...(callTimeoutMs === undefined ? {} : { deadlines: deadlines(callTimeoutMs) })
    },
    controlKeys: () => [
      secretText("controlKey", controlKey),
      ...(previousControlKey === undefined ? [] : [secretText("previousControlKey", previousControlKey)])
    ],
    onEvent,
    named: (error) => error
  }
}

/** Reads the settings from the environment. Throws `InvalidSettingError` with the name of a variable that is wrong. */
export const fromEnvironment = (onEvent: Settings["onEvent"]): Settings => {
  // The default provider reads the environment once in a process, which may be before the program has set it.
  const now = Effect.sync(() => ConfigProvider.fromEnv())
  const toolkit = orThrow(Effect.provideServiceEffect(TransportOptions.fromConfig, ConfigProvider.ConfigProvider, now))
  const controlKeys = () => [Redacted.value(toolkit.controlKey)]
  return { toolkit, controlKeys, onEvent, named: TransportOptions.inEnvironment }
}
