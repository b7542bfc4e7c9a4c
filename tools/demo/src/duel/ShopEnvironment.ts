/** The environment of a shop's process. The shops do not import it, because it loads a gateway. */
import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import * as Sandbox from "@pay/server/Sandbox"

/** The compile cache of this program, which the shops share if it has one. */
const cache = getCompileCacheDir()
const compiled: Readonly<Record<string, string>> = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }

/** Returns the settings of the gateway for both shops, under the names that each of them reads. */
export const of = (baseUrl: string): Readonly<Record<string, string>> => {
  const { controlKey, endpoints, login } = Sandbox.merchant
  return {
    ...compiled,
    BASE: baseUrl,
    LOGIN: login,
    KEY: controlKey,
    ENDPOINT: endpoints.usd,
    PAY_BASE_URL: baseUrl,
    PAY_LOGIN: login,
    PAY_CONTROL_KEY: controlKey,
    PAY_ENDPOINT_ID: endpoints.usd
  }
}
