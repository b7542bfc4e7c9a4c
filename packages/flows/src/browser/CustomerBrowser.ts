/**
 * The port to the customer's browser. A flow sends the browser to a page, and a signal reports that it came back. A web server
 * implements the port by answering the browser's next request with that page. A test implements it by acting as a customer.
 */
import { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Layer, Schema } from "effect"
import { FlowEngine } from "../engine/FlowEngine.ts"
import * as Steps from "../engine/Steps.ts"
import * as BrowserData from "../order/BrowserData.ts"
import { type FormAction, NextAction } from "../order/NextAction.ts"
import { gaveUp as gaveUpSignal, orderSignalKey } from "../requests/AwaitFinal.ts"

/** The next action of the customer's browser for an order. */
export const Visit = Schema.Struct({
  clientOrderId: Schema.String,
  orderId: Schema.String,
  nextAction: NextAction
})
export type Visit = typeof Visit.Type

/** The customer's browser, as flows use it. */
export class CustomerBrowser extends Context.Service<
  CustomerBrowser,
  {
    /** Makes the browser open the visit next, without waiting for it. It may be called twice with the same visit. */
    readonly send: (visit: Visit) => Effect.Effect<void, never, FlowEngine | PayClient>
  }
>()("@pay/flows/CustomerBrowser") {}

/** Provides the port of a program without a browser. A flow that needs a browser then ends as `Abandoned`. */
export const layerNone: Layer.Layer<CustomerBrowser> = Layer.succeed(CustomerBrowser, { send: () => Effect.void })

/** The fields of the form that the browser posted to `redirect_url`. */
export const BrowserFields = Schema.Record(Schema.String, Schema.String)
export type BrowserFields = typeof BrowserFields.Type

const BrowserFieldsText = Schema.fromJsonString(BrowserFields)
const write = Schema.encodeSync(BrowserFieldsText)
/** Reads the fields from the value of a signal. Returns `None` if the value contains no such fields. */
export const read = Schema.decodeUnknownOption(BrowserFieldsText)

/** The key of the signal that the browser came back from this action. */
export const returnKey = (merchant: string, clientOrderId: string, nextAction: FormAction["_tag"]): string =>
  `browser:${nextAction}:${merchant}:${clientOrderId}`

/** Returns the next action that sends a browser back with these fields. All other fields belong to a page of the gateway. */
export const nextActionOf = (browserFields: BrowserFields): FormAction["_tag"] | "Redirect" => {
  if (BrowserData.isIn(browserFields)) return "BrowserData"
  if (browserFields.cres !== undefined) return "Challenge"
  if (browserFields.PaRes !== undefined) return "PaReq"
  return browserFields.threeDSMethodData === undefined ? "Redirect" : "Method"
}

/**
 * Provides the browser of a customer in a test. It comes back at once with the fields that `visit` returns, and not at all if
 * `visit` returns `undefined`.
 */
export const layerTest = <R>(
  visit: (visit: Visit) => Effect.Effect<BrowserFields | undefined, never, R>
): Layer.Layer<CustomerBrowser, never, R> =>
  Layer.effect(
    CustomerBrowser,
    Effect.map(Effect.context<R>(), (context) => ({
      send: (sent) =>
        Effect.flatMap(Effect.provideContext(visit(sent), context), (browserFields) =>
          browserFields === undefined ? Effect.void : cameBack(sent.clientOrderId, browserFields)
        )
    }))
  )

/**
 * Signals that the browser came back with these fields. They are not trusted: the flow uploads a result of 3-D Secure to the
 * gateway. Anything else only makes the flow request `status`.
 */
export const cameBack = Effect.fnUntraced(function* (clientOrderId: string, browserFields: BrowserFields) {
  const { merchant } = yield* PayClient
  const { signal } = yield* FlowEngine
  const nextAction = nextActionOf(browserFields)
  yield* Steps.lossy(
    nextAction === "Redirect"
      ? signal(orderSignalKey(merchant, clientOrderId), "came back")
      : signal(returnKey(merchant, clientOrderId, nextAction), write(browserFields))
  )
})

/** Signals that the customer cancelled or closed the window. The flow then waits only for the final status from the gateway. */
export const gaveUp = Effect.fnUntraced(function* (clientOrderId: string) {
  const { merchant } = yield* PayClient
  const { signal } = yield* FlowEngine
  yield* Steps.lossy(signal(returnKey(merchant, clientOrderId, "Challenge"), write({})))
  yield* Steps.lossy(signal(returnKey(merchant, clientOrderId, "PaReq"), write({})))
  yield* Steps.lossy(signal(orderSignalKey(merchant, clientOrderId), gaveUpSignal))
})
