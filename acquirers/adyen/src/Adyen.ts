/**
 * The adapter module of a gateway whose bank is Adyen. The setting `adapters` of the gateway names a module such as this one:
 *
 * ```ts
 * import * as Adyen from "@pay/adyen/Adyen"
 *
 * export default Adyen.fromFile("/etc/pay/adyen.json")
 * ```
 */
import { readFile } from "node:fs/promises"
import { Schema } from "effect"
import * as AdyenAcquirer from "./AdyenAcquirer.ts"
import * as AdyenNotifications from "./AdyenNotifications.ts"
import { AdyenSettings } from "./AdyenSettings.ts"
import * as AdyenThreeDS from "./AdyenThreeDS.ts"

const decode = Schema.decodeUnknownSync(AdyenSettings, { errors: "all" })
const decodeFile = Schema.decodeUnknownSync(Schema.fromJsonString(AdyenSettings), { errors: "all" })

type Toolkit = AdyenAcquirer.Toolkit & AdyenNotifications.Toolkit & AdyenThreeDS.Toolkit

const adapters = (settings: AdyenSettings, toolkit: Toolkit) => ({
  acquirer: AdyenAcquirer.make(settings, toolkit),
  notifications: AdyenNotifications.make(settings, toolkit),
  threeDSServer: AdyenThreeDS.make(settings, toolkit)
})

/** Makes the adapters with settings. Throws if one is missing or wrong; the error names it, and repeats no value. */
export const make = (settings: typeof AdyenSettings.Encoded) => {
  const decoded = decode(settings)
  return (toolkit: Toolkit) => adapters(decoded, toolkit)
}

/** Makes the adapters with the settings in a JSON file, which is read when the gateway starts. */
export const fromFile = (path: string) => async (toolkit: Toolkit) =>
  adapters(decodeFile(await readFile(path, "utf8")), toolkit)
