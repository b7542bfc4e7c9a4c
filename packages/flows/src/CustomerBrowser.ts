/**
 * The port to the shopper's browser: a flow sends it off, and learns that it came back by a signal. A web server
 * implements it by showing the page that the browser's next request gets; a test, by doing what a shopper does.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { gaveUp as gaveUpNews, newsKey } from "./AwaitFinal.ts"
import * as BrowserData from "./BrowserData.ts"
import { type FormAction, NextAction } from "./NextAction.ts"
import * as Steps from "./Steps.ts"

export const Visit = Schema.Struct({ clientOrderId: Schema.String, orderId: Schema.String, errand: NextAction })
export type Visit = typeof Visit.Type

export class CustomerBrowser extends Context.Service<
  CustomerBrowser,
  {
    /** Sees to it that the browser goes there next, and does not wait for it. May be told the same visit twice. */
    readonly send: (visit: Visit) => Effect.Effect<void>
  }
>()("@pay/flows/CustomerBrowser") {}

/** Where nobody sits at a browser: what needs one ends `Abandoned`. */
export const layerNone: Layer.Layer<CustomerBrowser> = Layer.succeed(CustomerBrowser, { send: () => Effect.void })

/** What the browser brought: the fields of the form that was posted to `redirect_url`. */
export const Brought = Schema.Record(Schema.String, Schema.String)
export type Brought = typeof Brought.Type

const BroughtText = Schema.fromJsonString(Brought)
const write = Schema.encodeSync(BroughtText)
/** What a signal carries; nothing where it is not what a shopper brings. */
export const read = Schema.decodeUnknownOption(BroughtText)

/** What is signalled when the browser is back from this errand. */
export const returnKey = (clientOrderId: string, errand: FormAction["_tag"]): string =>
  `shopper:${errand}:${clientOrderId}`

/** From which errand a browser comes back with these fields; any others are brought from a page of the gateway's. */
export const nextActionOf = (brought: Brought): NextAction["_tag"] => {
  if (BrowserData.isIn(brought)) return "BrowserData"
  if (brought.cres !== undefined) return "Challenge"
  if (brought.PaRes !== undefined) return "PaReq"
  return brought.threeDSMethodData === undefined ? "Redirect" : "Method"
}

/**
 * The browser came back with these fields. What they claim is not believed: a result of 3-D Secure is handed to the gateway,
 * anything else only makes the flow ask.
 */
export const cameBack = (clientOrderId: string, brought: Brought): Effect.Effect<void> => {
  const errand = nextActionOf(brought)
  return errand === "Redirect"
    ? Steps.signal(newsKey(clientOrderId), "came back")
    : signal(clientOrderId, errand, brought)
}

const signal = (clientOrderId: string, errand: FormAction["_tag"], brought: Brought) =>
  Steps.signal(returnKey(clientOrderId, errand), write(brought))

/** The shopper will not come back: closed the window, or said so. The flow then waits for the gateway's last word only. */
export const gaveUp = (clientOrderId: string): Effect.Effect<void> =>
  Effect.all(
    [
      signal(clientOrderId, "Challenge", {}),
      signal(clientOrderId, "PaReq", {}),
      Steps.signal(newsKey(clientOrderId), gaveUpNews)
    ],
    { discard: true }
  )
