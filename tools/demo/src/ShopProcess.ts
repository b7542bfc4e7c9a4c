/** Starts the sample shop as a process. The shop has only the address of the gateway. */
import { join } from "node:path"
import * as Sandbox from "@pay/server/Sandbox"
import { Effect } from "effect"
import * as Program from "./Program.ts"

const { controlKey, endpoints, login, privateKeyPem } = Sandbox.merchant
const script = join(import.meta.dirname, "../../../apps/shop/src/main.ts")

export interface Options {
  readonly gateway: string
  readonly dataDirectory: string
  readonly port: number
  readonly officePassword: string
}

/** Starts the shop, which runs until the scope ends. Returns its address. */
export const open = ({ dataDirectory, gateway, officePassword, port }: Options) =>
  Effect.map(
    Program.start({
      name: "the shop",
      script,
      ready: /open at (\S+)/,
      env: {
        SHOP_DATA: dataDirectory,
        SHOP_PORT: String(port),
        SHOP_OFFICE_PASSWORD: officePassword,
        SHOP_ENDPOINT_HOSTED: endpoints.threeds3dsGateway,
        SHOP_ENDPOINT_CARD: endpoints.threedsMerchant,
        SHOP_ENDPOINT_KEPT: endpoints.usd,
        SHOP_PRIVATE_KEY: privateKeyPem,
        PAY_BASE_URL: gateway,
        PAY_LOGIN: login,
        PAY_CONTROL_KEY: controlKey,
        PAY_GATEWAY_PROFILE: "pay"
      }
    }),
    ({ address }) => address
  )
