/** Customers without a browser: one who does what is asked, and one who closes the window. */

import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import * as Sandbox from "@pay/sandbox/Sandbox"
import * as ThreeDSControl from "@pay/sandbox/ThreeDSControl"
import { Effect } from "effect"
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

const atIssuer = ThreeDSControl.customer("pass")

/** Does at once what every next action asks for, and comes back. */
export const cooperative = CustomerBrowsers.layerTest(
  Effect.fnUntraced(function* (visit: CustomerBrowsers.Visit) {
    const { nextAction } = visit
    if (nextAction._tag === "Page") return yield* Effect.die(new Error("the gateway gave a page beside no address"))
    if (nextAction._tag !== "Redirect") return yield* atIssuer(visit)
    yield* walk(nextAction.url)
    return {}
  })
)

/** Closes the window. */
export const abandoning = CustomerBrowsers.layerNone
