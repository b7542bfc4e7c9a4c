/** Converts the options of a caller to the options of the toolkit. Wrong options are reported when the client is made. */
import type { FieldProblem } from "@pay/schema/Rule"
import * as Rule from "@pay/schema/Rule"
import * as TransportOptions from "@pay/transport/ClientOptions"
import type * as Profile from "@pay/transport/Profile"
import * as ProfileText from "@pay/transport/ProfileText"
import { ConfigProvider, Duration, Effect, Exit, Option, Predicate, Redacted } from "effect"
import type { CallOptions, ClientOptions, PayEvent, RunOptions, Secret } from "./contract/Client.ts"
import * as Keys from "./Keys.ts"
import { errorOf } from "./Running.ts"

/** The settings of a client after their check. */
export interface Settings {
  readonly toolkit: TransportOptions.ClientOptions
  /** Returns the control keys with which a callback may be signed now. */
  readonly controlKeys: () => ReadonlyArray<string>
  readonly onEvent: ((event: PayEvent) => void) | undefined
  readonly signal?: AbortSignal | undefined
  /** Returns an error with the names that the caller uses: names of variables, if the settings come from the environment. */
  readonly named: (error: TransportOptions.InvalidSetting) => TransportOptions.InvalidSetting
}

/** Makes the error of a setting, for {@link orThrow}. */
export const wrong = (setting: string, problem: string) => TransportOptions.invalid(setting, problem)

/** Runs a synchronous effect. Throws `InvalidSettingError` if the effect fails. */
export const orThrow = <A>(effect: Effect.Effect<A, TransportOptions.InvalidSetting>): A => {
  const exit = Effect.runSyncExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  return Option.match(errorOf(exit), {
    onNone: () => Effect.runSync(exit),
    onSome: ({ problem, setting }) => Keys.invalid(setting, problem)
  })
}

const secretOf = (setting: string, secret: Secret): NonNullable<TransportOptions.ClientOptions["privateKey"]> =>
  typeof secret === "function"
    ? Effect.sync(() => Redacted.make(Keys.secretText(setting, secret), { label: setting }))
    : Redacted.make(Keys.secretText(setting, secret), { label: setting })

const profileOf = (value: NonNullable<ClientOptions["profile"]>): Profile.Profile => {
  if (!Keys.isText(value))
    return typeof value === "object" && value !== null ? value : Keys.invalid("profile", "must be text, or a profile")
  const reading = ProfileText.read(value)
  return reading.ok ? reading.profile : Keys.invalid("profile", reading.problem)
}

const texts = ["baseUrl", "login"] as const

/** All options. The compiler refuses a list that lacks one. */
const options: Readonly<Record<keyof ClientOptions, true>> = {
  baseUrl: true,
  login: true,
  controlKey: true,
  privateKey: true,
  endpointId: true,
  controlAmount: true,
  profile: true,
  callsPerSecond: true,
  callTimeoutMs: true,
  allowPlainHttp: true,
  previousControlKey: true,
  onEvent: true,
  signal: true,
  fetch: true
}

/** The names of all options. */
export const names: ReadonlyArray<string> = Object.keys(options)

/** What a client cannot be made without. */
export const needed = "need an object with baseUrl, login, controlKey and endpointId"

const notATime = "must be a number of milliseconds above zero"

const isTime = (value: unknown): boolean => typeof value === "number" && value > 0 && Number.isFinite(value)

const notASignal = "must be an AbortSignal"

const isSignal = (value: unknown): boolean => value === undefined || Predicate.hasProperty(value, "throwIfAborted")

/** The options of each kind of call. */
const namesOfCall = {
  run: ["signal", "timeoutMs", "browser"],
  call: ["signal", "timeoutMs", "endpointId", "idempotencyKey"],
  status: ["signal", "timeoutMs", "endpointId"],
  watch: ["signal", "endpointId"]
} as const satisfies Readonly<Record<string, ReadonlyArray<keyof RunOptions | keyof CallOptions>>>

/** Returns what is wrong with the options of a call of this kind. */
export const wrongCall = (
  options: RunOptions & CallOptions,
  kind: keyof typeof namesOfCall
): ReadonlyArray<FieldProblem> => {
  if (typeof options !== "object" || options === null) return [Rule.invalid("options", "must be an object")]
  const { browser, signal, timeoutMs } = options
  return [
    ...Keys.unknownNames(options, namesOfCall[kind]).map(([name, problem]) => Rule.invalid(name, problem)),
    ...(timeoutMs === undefined || isTime(timeoutMs) ? [] : [Rule.invalid("timeoutMs", notATime)]),
    ...(browser === undefined || typeof browser === "function" ? [] : [Rule.invalid("browser", "must be a function")]),
    ...(isSignal(signal) ? [] : [Rule.invalid("signal", notASignal)])
  ]
}

const deadlines = (callTimeoutMs: number) => {
  const deadline = Duration.millis(callTimeoutMs)
  return { creates: deadline, onOrder: deadline, onSubscription: deadline, reads: deadline }
}

/** Checks the types of options, because plain JavaScript may pass other types than those that are declared. */
const checkTypes = ({ allowPlainHttp, callTimeoutMs, fetch, onEvent, signal }: Partial<ClientOptions>) => {
  if (callTimeoutMs !== undefined && !isTime(callTimeoutMs)) Keys.invalid("callTimeoutMs", notATime)
  if (onEvent !== undefined && typeof onEvent !== "function") Keys.invalid("onEvent", "must be a function")
  if (fetch !== undefined && typeof fetch !== "function") Keys.invalid("fetch", "must be a function")
  if (allowPlainHttp !== undefined && typeof allowPlainHttp !== "boolean")
    Keys.invalid("allowPlainHttp", "must be true or false")
  if (!isSignal(signal)) Keys.invalid("signal", notASignal)
}

interface Pool {
  readonly clientCertificate?: { readonly certificate: string; readonly privateKey: string } | undefined
  readonly concurrency?: number | undefined
  readonly connectTimeoutMs?: number | undefined
}

/** Checks the options of a connection pool. Throws `InvalidSettingError`. */
export const checkPool = ({ clientCertificate, concurrency, connectTimeoutMs }: Pool): void => {
  for (const [name, problem] of Keys.unknownNames(clientCertificate ?? {}, ["certificate", "privateKey"]))
    Keys.invalid(`clientCertificate.${name}`, problem)
  const isWhole = Keys.isText(clientCertificate?.certificate) && Keys.isText(clientCertificate.privateKey)
  if (clientCertificate !== undefined && !isWhole)
    Keys.invalid("clientCertificate", "must be an object with certificate and privateKey, both PEM")
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    Keys.invalid("concurrency", "must be a whole number above zero")
  if (connectTimeoutMs !== undefined && !isTime(connectTimeoutMs)) Keys.invalid("connectTimeoutMs", notATime)
}

/** Reads the options of a caller. Throws `InvalidSettingError` if one is wrong. */
export const read = (callerOptions: ClientOptions): Settings => {
  const options = Keys.optionsOf(callerOptions, names, needed)
  checkTypes(options)
  const {
    callTimeoutMs,
    controlKey,
    fetch: _,
    onEvent,
    previousControlKey,
    privateKey,
    profile,
    signal,
    ...others
  } = options
  for (const name of texts) if (!Keys.isText(options[name])) Keys.invalid(name, "is missing, or is not text")
  if (others.endpointId !== undefined && !Keys.isText(others.endpointId))
    Keys.invalid("endpointId", 'must be text: write it in quotes, like "1101"')
  const controlKeys = Keys.controlKeys({ controlKey, previousControlKey })
  return {
    toolkit: {
      ...others,
      controlKey: secretOf("controlKey", controlKey),
      ...(privateKey === undefined ? {} : { privateKey: secretOf("privateKey", privateKey) }),
      ...(profile === undefined ? {} : { profile: profileOf(profile) }),
      ...(callTimeoutMs === undefined ? {} : { deadlines: deadlines(callTimeoutMs) })
    },
    controlKeys,
    onEvent,
    signal,
    named: (error) => error
  }
}

/** Reads the settings from the environment. Throws `InvalidSettingError` with the name of a variable or an option that is wrong. */
export const fromEnvironment = (options: Pick<ClientOptions, "fetch" | "onEvent">): Settings => {
  checkTypes(Keys.optionsOf(options, ["fetch", "onEvent"], "must be an object"))
  const { onEvent } = options
  // The default provider reads the environment once in a process, which may be before the program has set it.
  const now = Effect.sync(() => ConfigProvider.fromEnv())
  const toolkit = orThrow(Effect.provideServiceEffect(TransportOptions.fromConfig, ConfigProvider.ConfigProvider, now))
  const controlKeys = () => [Redacted.value(toolkit.controlKey)]
  return { toolkit, controlKeys, onEvent, named: TransportOptions.inEnvironment }
}
