/** Customers without a browser: one who does what is asked, and one who closes the window. */

import * as BrowserData from "@pay/flows/BrowserData"
import type { Visit } from "@pay/flows/CustomerBrowser"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type { Scheduler } from "@pay/gateway/Scheduler"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { SimulatedNetwork } from "@pay/sandbox/SimulatedNetwork"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import { Effect, Layer } from "effect"
import * as HostedPage from "../harness/HostedPage.ts"

/** Visits a page when it has something to show, and follows each 303. */
const visit = Effect.fnUntraced(function* (address: string, form?: Readonly<Record<string, string>>) {
  const line = yield* SimulatedNetwork
  yield* Sandbox.settled
  let url = address
  let answer = yield* line.visit(url, form)
  for (let count = 0; answer?.status === 303 && count < 5; count += 1) {
    url = new URL(String(answer.headers.location), url).href
    yield* Sandbox.settled
    answer = yield* line.visit(url)
  }
  return { ...HostedPage.read(answer?.status ?? 404, answer?.headers ?? {}, answer?.body ?? ""), url }
})

const shop = "https://shop.example"

const toAccount = { way: "account", account: "DE89370400440532013000", recipient: "Jane Doe" }

/** Fills in whatever page comes, until a form leads back to the shop. */
const walk = Effect.fnUntraced(function* (start: string) {
  let page = yield* visit(start)
  for (let count = 0; count < 12; count += 1) {
    const { action, hidden } = page
    if (action?.startsWith(shop) === true) return
    if (page.body.includes('name="password"')) {
      page = yield* visit(action ?? page.url, { ...hidden, action: "confirm", password })
    } else if (page.body.includes('name="way"')) {
      page = yield* visit(action ?? page.url, { ...hidden, attempts: "0", action: "pay", ...toAccount })
    } else if (page.body.includes('name="number"')) {
      page = yield* visit(action ?? page.url, { ...hidden, ...HostedPage.goodCard })
    } else if (action !== undefined && Object.keys(hidden).length > 0) {
      page = yield* visit(new URL(action, page.url).href, hidden)
    } else return
  }
})

/** Does at once what every next action asks for, and comes back. */
export const cooperative = Layer.effect(
  CustomerBrowser,
  Effect.gen(function* () {
    const control = yield* ThreeDSControl
    const context = yield* Effect.context<SimulatedNetwork | Scheduler>()
    const send = Effect.fnUntraced(function* ({ clientOrderId, nextAction, orderId }: Visit) {
      switch (nextAction._tag) {
        case "Redirect":
          yield* Effect.provideContext(walk(nextAction.url), context)
          return yield* CustomerBrowsers.cameBack(clientOrderId, {})
        case "Page":
          return yield* Effect.die(new Error("the gateway gave a page beside no address"))
        case "BrowserData":
          return yield* CustomerBrowsers.cameBack(clientOrderId, BrowserData.form)
        case "Method": {
          const threeDSMethodData = yield* control.method(orderId)
          return yield* CustomerBrowsers.cameBack(clientOrderId, { threeDSMethodData })
        }
        default: {
          const carried = yield* control.play(orderId, "pass")
          return yield* CustomerBrowsers.cameBack(
            clientOrderId,
            carried._tag === "CRes" ? { cres: carried.cres } : { PaRes: carried.pares, MD: carried.md }
          )
        }
      }
    })
    return { send: (visit) => Effect.orDie(send(visit)) }
  })
)

/** Closes the window. */
export const abandoning = CustomerBrowsers.layerNone
