/**
 * The port to the customer's browser: a flow sends it off, and learns that it came back by a signal. A web server
 * implements it by showing the page that the browser's next request gets; a test, by doing what a customer does.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { gaveUp as gaveUpNews, newsKey } from "./AwaitFinal.ts"
import * as BrowserData from "./BrowserData.ts"
import { type FormAction, NextAction } from "./NextAction.ts"
import * as Steps from "./Steps.ts"

/** What the customer's browser has to do next for an order. It is stored under the name `errand`. */
export const Visit = Schema.Struct({
  clientOrderId: Schema.String,
  orderId: Schema.String,
  nextAction: NextAction
}).pipe(Schema.encodeKeys({ nextAction: "errand" }))
export type Visit = typeof Visit.Type

export class CustomerBrowser extends Context.Service<
  CustomerBrowser,
  {
    /** Sees to it that the browser goes there next, and does not wait for it. May be told the same visit twice. */
    readonly send: (visit: Visit) => Effect.Effect<void>
  }
>()("@pay/flows/CustomerBrowser") {}

/** The port of a program without a browser. A flow that needs a browser ends `Abandoned`. */
export const layerNone: Layer.Layer<CustomerBrowser> = Layer.succeed(CustomerBrowser, { send: () => Effect.void })

/** What the browser brought: the fields of the form that was posted to `redirect_url`. */
export const BrowserFields = Schema.Record(Schema.String, Schema.String)
export type BrowserFields = typeof BrowserFields.Type

const BroughtText = Schema.fromJsonString(BrowserFields)
const write = Schema.encodeSync(BroughtText)
/** What a signal carries; nothing where it is not what a customer brings. */
export const read = Schema.decodeUnknownOption(BroughtText)

/** What is signalled when the browser is back from this action. */
export const returnKey = (clientOrderId: string, nextAction: FormAction["_tag"]): string =>
  `shopper:${nextAction}:${clientOrderId}`

/** From which next action a browser comes back with these fields; any others are brought from a page of the gateway's. */
export const nextActionOf = (bring: BrowserFields): FormAction["_tag"] | "Redirect" => {
  if (BrowserData.isIn(bring)) return "BrowserData"
  if (bring.cres !== undefined) return "Challenge"
  if (bring.PaRes !== undefined) return "PaReq"
  return bring.threeDSMethodData === undefined ? "Redirect" : "Method"
}

/**
 * The browser came back with these fields. What they claim is not believed: a result of 3-D Secure is handed to the gateway,
 * anything else only makes the flow ask.
 */
export const cameBack = (clientOrderId: string, bring: BrowserFields): Effect.Effect<void> => {
  const nextAction = nextActionOf(bring)
  return nextAction === "Redirect"
    ? Steps.signal(newsKey(clientOrderId), "came back")
    : signal(clientOrderId, nextAction, bring)
}

const signal = (clientOrderId: string, nextAction: FormAction["_tag"], bring: BrowserFields) =>
  Steps.signal(returnKey(clientOrderId, nextAction), write(bring))

/** The customer will not come back: closed the window, or said so. The flow then waits for the gateway's last word only. */
export const gaveUp = (clientOrderId: string): Effect.Effect<void> =>
  Effect.all(
    [
      signal(clientOrderId, "Challenge", {}),
      signal(clientOrderId, "PaReq", {}),
      Steps.signal(newsKey(clientOrderId), gaveUpNews)
    ],
    { discard: true }
  )
