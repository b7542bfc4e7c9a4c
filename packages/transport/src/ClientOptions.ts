/** The settings of a client, passed in code or read from the environment. */
import { readFileSync } from "node:fs"
import type { Acts } from "@pay/schema/Acts"
import * as Blanks from "@pay/schema/Blanks"
import * as GatewayProfile from "@pay/schema/GatewayProfile"
import { Config, Duration, Effect, Option, Redacted } from "effect"
import type * as Connecting from "./Connecting.ts"
import * as Destination from "./Destination.ts"
import { type InvalidSetting, invalid } from "./InvalidSetting.ts"
import * as Profile from "./Profile.ts"
import * as ProfileProblem from "./ProfileProblem.ts"
import * as ProfileText from "./ProfileText.ts"
import * as SettingText from "./SettingText.ts"
import type * as Signer from "./Signer.ts"

export { InvalidSetting, invalid } from "./InvalidSetting.ts"
export type { Credentials, Secret } from "./Signer.ts"

/** The settings of a client. `certificateAuthority`, `clientCertificate` and `proxy` are for the client's own wire. */
export interface ClientOptions extends Signer.Credentials, Connecting.Options {
  /** The address before `/api/…`: `https://gateway.example/paynet`. */
  readonly baseUrl: string
  /** The endpoint or endpoint group of calls that name none: `7`, or `group/7` where `profile` has a `groupPath`. */
  readonly endpointId?: string | undefined
  /**
   * The name of a public dialect, `pay` for the gateway of this project, or a profile of your own. The profile also states what the gateway does beyond the
   * specification, regardless of its announcements. Where it states nothing, the announcement of the gateway's answers applies,
   * and without one the specification.
   */
  readonly profile?: Profile.Name | Profile.Profile | undefined
  /** Longest duration of a call, waits and repetitions included. Default 30 s, for reads 10 s. */
  readonly deadlines?: Partial<Record<Acts, Duration.Input>> | undefined
  /**
   * Largest number of concurrent calls, each on its own socket. Further calls wait, within their deadline. Default 64. A wire of
   * your own keeps its own limit.
   */
  readonly concurrency?: number | undefined
  /**
   * Largest number of calls that begin in one second, evenly spaced. Further calls wait, within their deadline. Set it for a
   * gateway that limits its merchants. Default: no limit.
   */
  readonly callsPerSecond?: number | undefined
  /** Time to connect, in milliseconds. Default 5 000. */
  readonly connectTimeoutMs?: number | undefined
  /**
   * Permits plain http, which sends card data unencrypted: only for a network that no other party can read. Loopback addresses
   * need no permission.
   */
  readonly allowPlainHttp?: boolean | undefined
}

/** The environment variable of each option, for messages. */
const variables: Readonly<Record<string, string>> = {
  baseUrl: "PAY_BASE_URL",
  login: "PAY_LOGIN",
  controlKey: "PAY_CONTROL_KEY",
  privateKey: "PAY_PRIVATE_KEY_FILE",
  endpointId: "PAY_ENDPOINT_ID",
  profile: "PAY_GATEWAY_PROFILE",
  concurrency: "PAY_CONCURRENCY",
  callsPerSecond: "PAY_CALLS_PER_SECOND",
  controlAmount: "PAY_CONTROL_AMOUNT",
  connectTimeoutMs: "PAY_CONNECT_TIMEOUT",
  certificateAuthority: "PAY_CA_FILE",
  clientCertificate: "PAY_CERTIFICATE_FILE",
  proxy: "PAY_PROXY",
  allowPlainHttp: "PAY_ALLOW_PLAIN_HTTP"
}

/** Returns the error with the name of the variable instead of the option, also in the instruction of its message. */
export const inEnvironment = ({ problem, setting }: InvalidSetting): InvalidSetting =>
  invalid(variables[setting] ?? setting, problem.replace("allowPlainHttp", "PAY_ALLOW_PLAIN_HTTP=true"))

const optional = <A>(name: string, config: Config.Config<A>, must: string) =>
  Effect.flatMap(
    Effect.mapError(Config.option(Config.String(name)), () => invalid(name, must)),
    Option.match({
      onNone: () => Effect.undefined,
      onSome: () => Effect.mapError(config, () => invalid(name, must))
    })
  )

/** The three settings that every client needs. One error names all that are missing. */
const needed = Effect.gen(function* () {
  const baseUrl = yield* optional("PAY_BASE_URL", Config.NonEmptyString("PAY_BASE_URL"), "is not set")
  const login = yield* optional("PAY_LOGIN", Config.NonEmptyString("PAY_LOGIN"), "is not set")
  const key = Config.map(Config.NonEmptyString("PAY_CONTROL_KEY"), (text) => Redacted.make(text))
  const controlKey = yield* optional("PAY_CONTROL_KEY", key, "is not set")
  if (baseUrl !== undefined && login !== undefined && controlKey !== undefined) return { baseUrl, login, controlKey }
  const read = { PAY_BASE_URL: baseUrl, PAY_LOGIN: login, PAY_CONTROL_KEY: controlKey }
  const [first = "", ...others] = Object.entries(read).flatMap(([name, value]) => (value === undefined ? [name] : []))
  const neither =
    others.length === 0 ? "" : `, and ${others.join(" and ")} ${others.length === 1 ? "is" : "are"} not either`
  return yield* invalid(first, `is not set${neither}`)
})

const duration = Effect.fnUntraced(function* (name: string) {
  const rule = 'must be a time above zero, like "30 seconds"'
  const time = yield* optional(name, Config.Duration(name), rule)
  return time === undefined || Duration.isPositive(time) ? time : yield* invalid(name, rule)
})

const profile = Effect.fnUntraced(function* (name: string) {
  const text = yield* optional(name, Config.String(name), "must be text")
  if (text === undefined) return undefined
  const reading = ProfileText.read(text)
  return reading.ok ? reading.profile : yield* invalid(name, reading.problem)
})

/** Keys from the environment. They do not change while the program runs. */
interface Fixed {
  readonly controlKey: Redacted.Redacted<string>
  readonly privateKey?: Redacted.Redacted<string>
}

/** Reads the file that the variable names. `undefined` if the variable is not set. */
const fileOf = (name: string) =>
  Effect.flatMap(optional(name, Config.NonEmptyString(name), "is empty"), (file) =>
    file === undefined
      ? Effect.undefined
      : Effect.try({
          try: () => readFileSync(file, "utf8"),
          catch: () => invalid(name, "names a file that cannot be read")
        })
  )

/** The certificate and its key: both, or neither. */
const clientCertificate = Effect.gen(function* () {
  const certificate = yield* fileOf("PAY_CERTIFICATE_FILE")
  const key = yield* fileOf("PAY_CERTIFICATE_KEY_FILE")
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) return yield* invalid("PAY_CERTIFICATE_FILE", "is not set, but its key is")
  if (key === undefined) return yield* invalid("PAY_CERTIFICATE_KEY_FILE", "is not set, but its certificate is")
  return { certificate, privateKey: Redacted.make(key, { label: "certificate key" }) }
})

/**
 * Reads `PAY_BASE_URL`, `PAY_LOGIN`, `PAY_CONTROL_KEY`; optionally `PAY_PRIVATE_KEY_FILE` (PEM), `PAY_ENDPOINT_ID`,
 * `PAY_TIMEOUT`, `PAY_READ_TIMEOUT` (operations that only read), `PAY_CONNECT_TIMEOUT`, `PAY_CONCURRENCY`,
 * `PAY_CALLS_PER_SECOND`, `PAY_PROXY` (URL), `PAY_CA_FILE`, `PAY_CERTIFICATE_FILE` and `PAY_CERTIFICATE_KEY_FILE` (PEM),
 * `PAY_CONTROL_AMOUNT` (`minor` or `x100`), `PAY_ALLOW_PLAIN_HTTP`, `PAY_GATEWAY_PROFILE` (the name of a
 * public dialect, words of `@pay/schema/GatewayProfile`, or the path of a profile file that ends with `.json`). Times are like `30 seconds`.
 */
export const fromConfig: Effect.Effect<ClientOptions & Fixed, InvalidSetting> = Effect.gen(function* () {
  const always = yield* needed
  const privateKey = yield* fileOf("PAY_PRIVATE_KEY_FILE")
  const acting = yield* duration("PAY_TIMEOUT")
  const reads = yield* duration("PAY_READ_TIMEOUT")
  const connecting = yield* duration("PAY_CONNECT_TIMEOUT")
  return {
    ...always,
    deadlines: {
      ...(acting && { creates: acting, onOrder: acting, onSubscription: acting }),
      ...(reads && { reads })
    },
    ...(privateKey !== undefined && { privateKey: Redacted.make(privateKey, { label: "private key" }) }),
    ...given("proxy", yield* optional("PAY_PROXY", Config.Redacted("PAY_PROXY"), "is empty")),
    ...given("certificateAuthority", yield* fileOf("PAY_CA_FILE")),
    ...given("clientCertificate", yield* clientCertificate),
    ...(connecting && { connectTimeoutMs: Duration.toMillis(connecting) }),
    ...given("profile", yield* profile("PAY_GATEWAY_PROFILE")),
    ...given("endpointId", yield* optional("PAY_ENDPOINT_ID", Config.String("PAY_ENDPOINT_ID"), "")),
    ...given(
      "concurrency",
      yield* optional("PAY_CONCURRENCY", Config.Int("PAY_CONCURRENCY"), "must be a whole number")
    ),
    ...given(
      "callsPerSecond",
      yield* optional("PAY_CALLS_PER_SECOND", Config.Finite("PAY_CALLS_PER_SECOND"), "must be a number")
    ),
    ...given(
      "controlAmount",
      yield* optional(
        "PAY_CONTROL_AMOUNT",
        Config.Literals(["minor", "x100"], "PAY_CONTROL_AMOUNT"),
        "must be minor or x100"
      )
    ),
    ...given(
      "allowPlainHttp",
      yield* optional("PAY_ALLOW_PLAIN_HTTP", Config.Boolean("PAY_ALLOW_PLAIN_HTTP"), "must be true or false")
    )
  }
})

const given = <K extends string, A>(key: K, value: A | undefined): { readonly [Key in K]?: A } => {
  const entry: { [Key in K]?: A } = {}
  if (value !== undefined) entry[key] = value
  return entry
}

/** Returns the base address without a slash at its end. Fails if the address cannot be used. */
export const baseUrl = (options: ClientOptions): Effect.Effect<string, InvalidSetting> => {
  const fail = (problem: string) => Effect.fail(invalid("baseUrl", problem))
  const text = Blanks.trim(options.baseUrl)
  const url = /[\s\p{Cc}\p{Cf}"']/u.test(text) ? null : URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const flaw = SettingText.flaw(text)
    return fail(flaw ?? "must be an absolute http(s) URL, like https://gateway.example")
  }
  if (/^https?$/.test(url.hostname)) return fail("has its scheme twice: write it once, as in https://gateway.example")
  if (url.username !== "" || url.password !== "") return fail("must not contain a user name or password")
  if (url.search !== "" || url.hash !== "") return fail("must not have a query or fragment")
  const isPlain = url.protocol === "http:" && !loopback.test(url.hostname)
  if (isPlain && options.allowPlainHttp !== true) {
    return fail("must be https: card data would cross the network in plain text (allow it with allowPlainHttp)")
  }
  const base = url.origin + url.pathname.replace(/^(.*[^/])?\/*$/s, "$1")
  const { pathPrefix = "" } = Profile.of(options.profile)
  if (/\/api(?:\/(?:v\d|3ds)(?:\/|$)|$)/.test(base)) return fail("must end before /api/, which each call adds")
  return pathPrefix !== "" && base.endsWith(pathPrefix)
    ? fail(`must not end with ${pathPrefix}: the profile adds it`)
    : Effect.succeed(base)
}

const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/

/** Checks the settings that neither {@link baseUrl} nor the signer checks. */
export const check = (options: ClientOptions): Effect.Effect<void, InvalidSetting> => {
  const { callsPerSecond = 1, concurrency = 1, connectTimeoutMs = 1, endpointId, login, profile } = options
  const controlAmount: string = options.controlAmount ?? "minor"
  const flaw = SettingText.flaw(Blanks.trim(login))
  if (flaw !== undefined) return Effect.fail(invalid("login", flaw))
  if (controlAmount !== "minor" && controlAmount !== "x100")
    return Effect.fail(invalid("controlAmount", "must be minor or x100"))
  if (endpointId !== undefined && Destination.parse(endpointId) === undefined) {
    return Effect.fail(invalid("endpointId", SettingText.flaw(Blanks.trim(endpointId)) ?? Destination.rule))
  }
  if (typeof profile === "string" && !Profile.isName(profile)) {
    return Effect.fail(invalid("profile", `must be one of ${Profile.names.join(", ")}`))
  }
  const wrong = ProfileProblem.problem(Profile.of(profile))
  if (wrong !== undefined) return Effect.fail(invalid("profile", wrong))
  if (!GatewayProfile.isPrefix(Profile.of(profile).pathPrefix ?? "")) {
    return Effect.fail(invalid("profile", "has a pathPrefix that is no path"))
  }
  if (!Number.isFinite(callsPerSecond) || callsPerSecond <= 0) {
    return Effect.fail(invalid("callsPerSecond", "must be a number above zero"))
  }
  if (!Number.isFinite(connectTimeoutMs) || connectTimeoutMs <= 0) {
    return Effect.fail(invalid("connectTimeoutMs", "must be a number above zero"))
  }
  return Number.isInteger(concurrency) && concurrency > 0
    ? Effect.void
    : Effect.fail(invalid("concurrency", "must be a whole number above zero"))
}
