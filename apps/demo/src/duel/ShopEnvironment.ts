/** The environment of a shop's process. The shops do not import it, because it loads a gateway. */
import { getCompileCacheDir } from "node:module"
import { dirname } from "node:path"
import * as Sandbox from "@pay/server/Sandbox"

/** A shop shares what Node has compiled with this program, if it keeps that. */
const cache = getCompileCacheDir()
const compiled: Readonly<Record<string, string>> = cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }

/** What both shops know of the gateway, in the words of either. */
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
