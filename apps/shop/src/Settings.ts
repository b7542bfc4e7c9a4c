/** The shop's settings, from the environment. */
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { Config, Context, Effect, Redacted } from "effect"

export interface Options {
  /** The folder of the shop's files. It is created if it does not exist. */
  readonly dataDirectory: string
  /** The address at which customers and the gateway reach the shop. The default is the address at which it listens. */
  readonly publicUrl?: string | undefined
  readonly host?: string
  /** 0 selects a free port. */
  readonly port?: number
  /** The password of the back office. Without it there is no back office. */
  readonly officePassword?: Redacted.Redacted<string> | undefined
  readonly gateway: {
    readonly baseUrl: string
    readonly login: string
    readonly controlKey: Redacted.Redacted<string>
    /** The private key that signs subscriptions and payouts, as PEM. */
    readonly privateKey?: Redacted.Redacted<string> | undefined
    /** Endpoints: one for the hosted page, one for the shop's own card form, one for stored cards and payouts. */
    readonly endpoints: { readonly hosted: string; readonly card: string; readonly kept: string }
  }
}

export class Settings extends Context.Service<
  Settings,
  Options["gateway"] & {
    /** Has no slash at its end. */
    readonly publicUrl: string
    readonly officePassword: Redacted.Redacted<string> | undefined
    /** Signs what must not be forged: the tokens in forms, and the addresses of the browser's way to the bank. */
    readonly secret: Redacted.Redacted<string>
  }
>()("@pay/shop/Settings") {}

/** 32 random bytes in base64, beside the shop's files. A larger shop uses its secret manager. */
export const secretIn = (
  dataDirectory: string,
  name: "secret" | "flows.key"
): Effect.Effect<Redacted.Redacted<string>> =>
  Effect.sync(() => {
    mkdirSync(dataDirectory, { recursive: true })
    const path = `${dataDirectory}/${name}`
    if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString("base64"), { mode: 0o600 })
    chmodSync(path, 0o600)
    return Redacted.make(readFileSync(path, "utf8"), { label: "secret" })
  })

export const config: Config.Config<Options> = Config.all({
  dataDirectory: Config.String("SHOP_DATA").pipe(Config.withDefault(".data/shop")),
  publicUrl: Config.String("SHOP_PUBLIC_URL").pipe(Config.withDefault(undefined)),
  host: Config.String("SHOP_HOST").pipe(Config.withDefault("127.0.0.1")),
  port: Config.Int("SHOP_PORT").pipe(Config.withDefault(8090)),
  officePassword: Config.Redacted("SHOP_OFFICE_PASSWORD").pipe(Config.withDefault(undefined)),
  gateway: Config.all({
    baseUrl: Config.String("PAY_BASE_URL"),
    login: Config.String("PAY_LOGIN"),
    controlKey: Config.Redacted("PAY_CONTROL_KEY"),
    privateKey: Config.Redacted("SHOP_PRIVATE_KEY").pipe(Config.withDefault(undefined)),
    endpoints: Config.all({
      hosted: Config.String("SHOP_ENDPOINT_HOSTED"),
      card: Config.String("SHOP_ENDPOINT_CARD"),
      kept: Config.String("SHOP_ENDPOINT_KEPT")
    })
  })
})
