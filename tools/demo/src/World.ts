/** A gateway with its simulated bank on one data folder, and the signing client of its merchant. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Effect, Layer, Redacted } from "effect"

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant

/** The password of the shop's back office. */
export const officePassword = "sandbox"

/** Runs an effect with the real clock: the merchant signs and waits in real time, even if the sandbox's clock is ahead. */
export const inRealTime = Effect.provideService(Clock.Clock, Clock.Clock.defaultValue())

const client = Layer.unwrap(
  Effect.map(NodeServer, ({ publicBaseUrl }) =>
    PayClient.layer({
      baseUrl: publicBaseUrl,
      login,
      controlKey: Redacted.make(controlKey),
      privateKey: Redacted.make(privateKeyPem),
      endpointId: endpoints.usd
    })
  )
)

const logo = readFileSync(fileURLToPath(import.meta.resolve("@pay/shop/logo.svg")))

/** The accent colour of the shop's pages. Its contrast with white is more than 7. */
const color = "#7a2a63"

const brand = { color, logo: `data:image/svg+xml;base64,${logo.toString("base64")}` }

/** The sandbox's merchant with the name, logo and colour of the shop, so that the hosted pages look like the shop. */
const merchants = Sandbox.merchants.map(({ endpoints: [first, ...others], ...merchant }) => ({
  ...merchant,
  name: "Foxglove",
  endpoints: [{ ...first, brand }, ...others.map((endpoint) => ({ ...endpoint, brand }))] as const
}))

export interface Options {
  readonly dataDirectory: string
  /** 0 selects a free port. */
  readonly port: number
  /** The public address. The default is the address at which the gateway listens. */
  readonly publicBaseUrl?: string | undefined
  /** The adapters that take the place of the simulated bank. */
  readonly adapters?: NonNullable<Sandbox.Options["adapters"]>
}

export const layer = ({ publicBaseUrl, ...options }: Options) =>
  client.pipe(Layer.provideMerge(Sandbox.layer({ ...options, merchants, settings: { publicBaseUrl } })))
