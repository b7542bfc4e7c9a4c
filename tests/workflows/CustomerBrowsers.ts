/** Customers without a browser: one who does what is asked, and one who closes the window. */

import * as BrowserData from "@pay/flows/BrowserData"
import type { Visit } from "@pay/flows/CustomerBrowser"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser } from "@pay/flows/CustomerBrowser"
import type { Scheduler } from "@pay/gateway/Scheduler"
import * as Sandbox from "@pay/sandbox/Sandbox"
import { ThreeDSControl } from "@pay/sandbox/ThreeDSControl"
import { Effect, Layer } from "effect"
import { SimulatedNetwork } from "../../gateway/sandbox/src/SimulatedNetwork.ts"
import * as HostedPage from "../harness/HostedPage.ts"

/** Does what each page asks for, once it has something to show, until a form leads back to the shop. */
const walk = Effect.fnUntraced(function* (start: string) {
  const network = yield* SimulatedNetwork
  const visit = (url: string, form?: Readonly<Record<string, string>>) =>
    Effect.map(Effect.andThen(Sandbox.settled, network.visit(url, form)), (answer) =>
      HostedPage.read(answer?.status ?? 404, answer?.headers ?? {}, answer?.body ?? "")
    )
  yield* HostedPage.walk(visit, start, "https://shop.example")
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
