/** Pages for the customer's browser, on any web server. */
import { Steps } from "@pay/flows/Steps"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import { Effect, Redacted } from "effect"
import { headersOf, urlOf } from "./Callbacks.ts"
import type { Web, WebOptions } from "./contract/Client.ts"
import type { Services } from "./Running.ts"
import * as Settings from "./Settings.ts"

/** Makes the pages of one shop. Visits are kept in memory. Throws `InvalidSettingError` if an option is wrong. */
export const make = ({ steps }: Services, { ended, secret, url }: WebOptions): Web => {
  if (URL.canParse(url) === false)
    Settings.invalid("url", "must be the address of your pages, like https://shop.example/pay")
  if (secret === "") Settings.invalid("secret", "is empty")
  const { customerBrowser, web } = Effect.runSync(
    WebCustomerBrowser.make({
      url,
      secret: Redacted.make(secret, { label: "secret" }),
      ended: (clientOrderId) => Effect.promise(async () => ended(clientOrderId))
    })
  )
  return {
    browser: (visit) => Effect.runPromise(customerBrowser.send(visit)),
    goUrl: web.goUrl,
    backUrl: web.backUrl,
    handle: (request) => {
      const { body = "", method = "GET" } = request
      const received = { method, url: urlOf(request), body, headers: headersOf(request) }
      return Effect.runPromise(Effect.provideService(web.receive(received), Steps, steps))
    }
  }
}
