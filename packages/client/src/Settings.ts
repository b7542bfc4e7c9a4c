/** The options of the client as those of the toolkit. What is wrong is told when the client is made. */
import * as TransportOptions from "@pay/transport/ClientOptions"
import * as Profile from "@pay/transport/Profile"
import { Duration, Effect, Exit, Option, Redacted } from "effect"
import type { ClientOptions, PayEvent, Secret } from "./contract/Client.ts"
import * as Errors from "./Errors.ts"
import { errorOf } from "./Running.ts"

/** What a client is made of. */
export interface Settings {
  readonly toolkit: TransportOptions.ClientOptions
  /** The control keys with which a callback may be signed now. */
  readonly controlKeys: () => ReadonlyArray<string>
  readonly onEvent: ((event: PayEvent) => void) | undefined
}

/** An error of a setting, for {@link orThrow}. */
export const wrong = (setting: string, problem: string) => TransportOptions.invalid(setting, problem)

/** Throws the error of a setting. */
export const invalid = (setting: string, problem: string): never => {
  throw Errors.make("InvalidSetting", { message: `${setting} ${problem}.`, retryable: false })
}

/** Runs what cannot wait, or throws what is wrong. */
export const orThrow = <A>(effect: Effect.Effect<A, TransportOptions.InvalidSetting>): A => {
  const exit = Effect.runSyncExit(effect)
  if (Exit.isSuccess(exit)) return exit.value
  return Option.match(errorOf(exit), {
    onNone: () => Effect.runSync(exit),
    onSome: ({ problem, setting }) => invalid(setting, problem)
  })
}

const isText = (value: unknown): value is string => typeof value === "string"

/** The secret now. */
const secretText = (setting: string, secret: Secret): string => {
  const value: unknown = typeof secret === "function" ? secret() : secret
  return isText(value) ? value : invalid(setting, "must be text, or a function that returns text")
}

const secretOf = (setting: string, secret: Secret): NonNullable<TransportOptions.ClientOptions["privateKey"]> =>
  typeof secret === "function"
    ? Effect.sync(() => Redacted.make(secretText(setting, secret), { label: setting }))
    : Redacted.make(secretText(setting, secret), { label: setting })

const profileOf = (given: NonNullable<ClientOptions["profile"]>): Profile.Profile => {
  if (!isText(given))
    return typeof given === "object" && given !== null ? given : invalid("profile", "must be text, or a profile")
  const { profile, unknown } = Profile.parse(given)
  const [word] = unknown
  return word === undefined ? profile : invalid("profile", `has an unknown word: ${word.slice(0, 40)}`)
}

const texts = ["baseUrl", "login"] as const

const deadlines = (callTimeoutMs: number) => {
  const deadline = Duration.millis(callTimeoutMs)
  return { creates: deadline, onOrder: deadline, onSubscription: deadline, reads: deadline }
}

/** Reads the options of a caller, or throws what is wrong. */
export const read = (options: ClientOptions): Settings => {
  const { callTimeoutMs, controlKey, fetch: _, onEvent, previousControlKey, privateKey, profile, ...others } = options
  for (const name of texts) if (!isText(options[name])) invalid(name, "is missing, or is not text")
  if (controlKey === undefined) invalid("controlKey", "is missing")
  if (others.endpointId !== undefined && !isText(others.endpointId)) invalid("endpointId", "must be text")
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
    onEvent
  }
}

/** Reads the environment, or throws which variable is wrong. */
export const fromEnvironment = (onEvent: Settings["onEvent"]): Settings => {
  const toolkit = orThrow(TransportOptions.fromConfig)
  return { toolkit, controlKeys: () => [Redacted.value(toolkit.controlKey)], onEvent }
}
