/** The shop's settings, from the environment. */
import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as FlowSettings from "@pay/flows/FlowSettings"
import * as Port from "@pay/schema/Port"
import * as Profile from "@pay/transport/Profile"
import { Config, Context, Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"

export const config = Config.all({
  /** The folder in which the shop keeps its files. */
  dataDirectory: Config.String("SHOP_DATA").pipe(Config.withDefault(".data/shop")),
  /** The address at which customers and the gateway reach the shop. The default is the address at which it listens. */
  publicUrl: Config.String("SHOP_PUBLIC_URL").pipe(Config.withDefault(undefined)),
  host: Config.String("SHOP_HOST").pipe(Config.withDefault("127.0.0.1")),
  /** The port on which the shop listens. 0 selects a free port. */
  port: Port.config("SHOP_PORT", 8090),
  /** The password of the back office. Without a password, the shop has no back office. */
  officePassword: Config.Redacted("SHOP_OFFICE_PASSWORD").pipe(Config.withDefault(undefined)),
  baseUrl: Config.String("PAY_BASE_URL"),
  login: Config.String("PAY_LOGIN"),
  controlKey: Config.Redacted("PAY_CONTROL_KEY"),
  /** The profile of the gateway: `pay` for the gateway of this project. */
  profile: Config.Literals(Profile.names, "PAY_GATEWAY_PROFILE").pipe(Config.withDefault("specification")),
  /** How long a request whose answer was lost may still be under way. Less than the default is for tests only. */
  quietPeriod: Config.Duration("SHOP_QUIET_PERIOD").pipe(Config.withDefault(FlowSettings.defaults.quietPeriod)),
  /** The private key that signs subscriptions and payouts, as PEM. */
  privateKey: Config.Redacted("SHOP_PRIVATE_KEY").pipe(Config.withDefault(undefined)),
  /** The gateway's endpoints: one for the hosted page, one for the shop's own card form, one for stored cards and payouts. */
  endpoints: Config.all({
    hosted: Config.String("SHOP_ENDPOINT_HOSTED"),
    card: Config.String("SHOP_ENDPOINT_CARD"),
    kept: Config.String("SHOP_ENDPOINT_KEPT")
  })
})
export type Options = Config.Success<typeof config>

/** Returns 32 random bytes in base64, which the file at `path` keeps. A larger shop uses its secret manager instead. */
const secretIn = (path: string) =>
  Effect.sync(() => {
    if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600 })
    return Redacted.make(readFileSync(path, "utf8"), { label: "secret" })
  })

const make = Effect.fnUntraced(function* ({ publicUrl, ...options }: Options) {
  const { dataDirectory, host } = options
  const { address } = yield* HttpServer.HttpServer
  const port = "port" in address ? address.port : options.port
  mkdirSync(dataDirectory, { recursive: true })
  return {
    ...options,
    /** The address without a slash at its end. */
    publicUrl: (publicUrl ?? `http://${host}:${port}`).replace(/^(.*[^/])?\/*$/s, "$1"),
    /** Key that signs the tokens in forms, and the addresses through which the browser goes to the gateway and the issuer. */
    secret: yield* secretIn(`${dataDirectory}/secret`),
    /** Key that encrypts the files of the durable flows. */
    flowKey: yield* secretIn(`${dataDirectory}/flows.key`)
  }
})

export class Settings extends Context.Service<Settings, Effect.Success<ReturnType<typeof make>>>()(
  "@pay/shop/Settings"
) {
  static readonly layer = (options: Options) => Layer.effect(Settings, make(options))
}
