/** One gateway with its simulated bank on a folder, and the signed client of its merchant. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { NodeServer } from "@pay/gateway/NodeServer"
import * as Sandbox from "@pay/server/Sandbox"
import * as PayClient from "@pay/transport/PayClient"
import { Clock, Effect, Layer, Redacted } from "effect"

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant

/** The password of the shop's back office. */
export const officePassword = "sandbox"

/** The merchant signs and waits by real time, whatever the sandbox's clock says. */
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

const logo = readFileSync(fileURLToPath(import.meta.resolve("@pay/app-shop/logo.svg")))

/** The accent of the shop's pages. White text and the white page have a contrast of more than 7 to it. */
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
  /** 0 takes a free one. */
  readonly port: number
  /** Left out: the address where it listens. */
  readonly publicBaseUrl?: string | undefined
}

export const layer = ({ publicBaseUrl, ...options }: Options) =>
  client.pipe(Layer.provideMerge(Sandbox.layer({ ...options, merchants, settings: { publicBaseUrl } })))
