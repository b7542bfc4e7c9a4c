/** Pages for the customer's browser, on any web server. */
import { FlowEngine } from "@pay/flows/FlowEngine"
import * as WebCustomerBrowser from "@pay/flows/WebCustomerBrowser"
import { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Redacted } from "effect"
import { headersOf, urlOf } from "./Callbacks.ts"
import type { Web, WebOptions } from "./contract/Client.ts"
import * as Keys from "./Keys.ts"
import type { Services } from "./Running.ts"

/** Makes the pages of one shop. Throws `InvalidSettingError` if an option is wrong. */
export const make = ({ client, engine, visits }: Services, options: WebOptions): Web => {
  const names = ["url", "secret", "ended"]
  const { ended, secret, url } = Keys.optionsOf(options, names, "need an object with url, secret and ended")
  if (URL.canParse(url) === false)
    Keys.invalid("url", "must be the address of your pages, like https://shop.example/pay")
  if (secret === "") Keys.invalid("secret", "is empty")
  const services = Context.make(FlowEngine, engine).pipe(Context.add(PayClient, client))
  const { customerBrowser, web } = Effect.runSync(
    WebCustomerBrowser.make({
      url,
      secret: Redacted.make(secret, { label: "secret" }),
      store: visits,
      ended: (clientOrderId) => Effect.promise(async () => ended(clientOrderId))
    }).pipe(Effect.provideContext(services))
  )
  return {
    browser: (visit) => Effect.runPromiseWith(services)(customerBrowser.send(visit)),
    goUrl: web.goUrl,
    backUrl: web.backUrl,
    handle: (request) => {
      const { body = "", method = "GET" } = request
      const received = { method, url: urlOf(request), body, headers: headersOf(request) }
      return Effect.runPromise(web.receive(received))
    }
  }
}
