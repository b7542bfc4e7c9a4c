/**
 * The customer's browser at a merchant's own web server. At one address it waits and is sent to the gateway and the issuer. It
 * comes back to a second address. Any HTTP server can call `receive`.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { PayClient } from "@pay/transport/PayClient"
import { Context, Effect, Layer, Redacted, Schedule } from "effect"
import type { FlowEngine } from "../engine/FlowEngine.ts"
import * as BrowserData from "../order/BrowserData.ts"
import * as NextAction from "../order/NextAction.ts"
import * as CustomerBrowser from "./CustomerBrowser.ts"
import * as NextActionPage from "./NextActionPage.ts"
import * as VisitStore from "./VisitStore.ts"

export { english, type Reply, type Words } from "./NextActionPage.ts"

/** An HTTP request of the customer's browser, from any server. */
export interface Request {
  readonly method: string
  /** Path and query, or the complete URL. */
  readonly url: string
  /** The body of a posted form, not decoded. */
  readonly body?: string
  /** The headers of the request, with names in lower case. Some of them are uploaded if the issuer has no method page. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** The options of the pages for the customer's browser. */
export interface Options<E, R> {
  /** The base address of the pages, as the browser sees it: `https://shop.example/pay`. */
  readonly url: string
  /** The key of the tokens that make the addresses unguessable. It must be the same after a restart of the process. */
  readonly secret: Redacted.Redacted<string>
  /**
   * Returns the order's page, which the browser opens once the payment has ended. Returns nothing while the payment is under way.
   */
  readonly ended: (clientOrderId: string) => Effect.Effect<string | undefined, E, R>
  /** The store of pending visits. Default: in memory. Durable flows need a file: use `WebFile`. */
  readonly store?: VisitStore.VisitStore
  /** The texts of the pages. Default: English. */
  readonly words?: NextActionPage.Words
}

/** The addresses of an order's pages, and the handler of the browser's requests. */
export class WebCustomerBrowser extends Context.Service<
  WebCustomerBrowser,
  {
    /** The order's `redirect_url`. */
    readonly backUrl: (clientOrderId: string) => string
    /**
     * The address to which the checkout sends the browser once the payment has begun. The browser waits there for its next page.
     */
    readonly goUrl: (clientOrderId: string) => string
    /** Answers a request of the browser. Never fails. The fields of a posted form are signalled to the flow on its engine. */
    readonly receive: (request: Request) => Effect.Effect<NextActionPage.Reply>
  }
>()("@pay/flows/WebCustomerBrowser") {}

/** The fields of 3-D Secure and of the browser information. All other posted fields are ignored. */
const returnedNames = new Set(["cres", "threeDSMethodData", "PaRes", "MD", ...BrowserData.names])

/** Longest posted form, in characters. A server need not read more. */
export const mostCharacters = 100_000

const readForm = (body: string): CustomerBrowser.BrowserFields =>
  Object.fromEntries([...new URLSearchParams(body)].filter(([name]) => returnedNames.has(name)))

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ""
  }
}

/** The query of a page from which the browser goes to the issuer only when the customer presses the button. */
const byHandQuery = "?again"
const byHandPattern = /[?&]again(?:[=&#]|$)/

/**
 * Returns the last three parts of a path, such as `…/go/ORDER/TOKEN`. Browsers, mail clients and issuers add a slash or tracking
 * parameters to an address, also without a question mark, and double slashes.
 */
const partsOf = (url: string) => {
  const [path = ""] = url.split(/[?#]/, 1)
  const parts = path.split("/").map(decoded)
  const [way = "", clientOrderId = "", last = ""] = parts.filter((part) => part !== "").slice(-3)
  const [token = ""] = last.split(/[^\w-]/, 1)
  return { way, clientOrderId, token }
}

/**
 * Makes the port for flows alone. The pages of {@link make} with the same store show what it stores. A store that fails is tried again
 * until it works, so that a flow neither ends nor loses its visit.
 */
export const port = (store: VisitStore.VisitStore): CustomerBrowser.CustomerBrowser["Service"] =>
  CustomerBrowser.CustomerBrowser.of({
    send: (visit) =>
      store.put(visit).pipe(
        Effect.tapError((error) => Effect.logWarning("customer browser", error)),
        Effect.retry(Schedule.spaced("1 second")),
        Effect.orDie
      )
  })

/** Makes the port for flows and the handler of the browser's requests. */
export const make = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const context = yield* Effect.context<R | FlowEngine | PayClient>()
  const { secret, store = VisitStore.makeMemory(), words = NextActionPage.english } = options
  const base = options.url.replace(/^(.*[^/])?\/*$/s, "$1")

  const tokenOf = (clientOrderId: string): Buffer =>
    createHmac("sha256", Redacted.value(secret)).update(`pay/browser/v1 ${clientOrderId}`).digest().subarray(0, 16)

  const isTokenOf = (clientOrderId: string, token: string): boolean => {
    const tokenBytes = Buffer.from(token, "base64url")
    return tokenBytes.length === 16 && timingSafeEqual(tokenBytes, tokenOf(clientOrderId))
  }

  const address = (way: "go" | "back") => (clientOrderId: string) =>
    `${base}/${way}/${encodeURIComponent(clientOrderId)}/${tokenOf(clientOrderId).toString("base64url")}`
  const goUrl = address("go")
  const backUrl = address("back")

  const go = Effect.fnUntraced(function* (clientOrderId: string, byHand: boolean) {
    const ended = yield* Effect.provideContext(options.ended(clientOrderId), context)
    if (ended !== undefined) {
      yield* store.drop(clientOrderId)
      return NextActionPage.redirect(ended)
    }
    const visit = yield* store.find(clientOrderId)
    return visit === undefined
      ? NextActionPage.waiting(words)
      : NextActionPage.go(words, visit.nextAction, backUrl(clientOrderId), byHand)
  })

  const back = Effect.fnUntraced(function* (clientOrderId: string, input: CustomerBrowser.BrowserFields) {
    const nextAction = CustomerBrowser.nextActionOf(input)
    const visit = yield* store.find(clientOrderId)
    const isLed = nextAction === "Redirect" && visit !== undefined && NextAction.isLed(visit.nextAction)
    yield* Effect.provideContext(CustomerBrowser.cameBack(clientOrderId, input), context)
    // A process that ends before the flow is signalled still has the visit, so the browser goes to the issuer again and comes back.
    // The flow may have stored the next visit by now.
    if (isLed || visit?.nextAction._tag === nextAction) yield* store.drop(clientOrderId, visit)
    if (nextAction === "Method") return NextActionPage.framed(words)
    // The browser came from an issuer without any fields. An automatic redirect to the issuer would repeat forever.
    const hasNoFields = nextAction === "Redirect" && visit !== undefined && !isLed
    return NextActionPage.redirect(goUrl(clientOrderId) + (hasNoFields ? byHandQuery : ""))
  })

  const receive = ({ body = "", headers = {}, method, url }: Request) =>
    Effect.suspend(() => {
      const { clientOrderId, token, way } = partsOf(url)
      if ((way !== "go" && way !== "back") || !isTokenOf(clientOrderId, token)) {
        return Effect.succeed(NextActionPage.missing(words))
      }
      const isRead = method === "GET" || method === "HEAD"
      if (way === "go")
        return isRead
          ? go(clientOrderId, byHandPattern.test(url))
          : Effect.succeed(NextActionPage.refused(405, "GET, HEAD"))
      if (!isRead && method !== "POST") return Effect.succeed(NextActionPage.refused(405, "GET, HEAD, POST"))
      if (body.length > mostCharacters) return Effect.succeed(NextActionPage.refused(413, "GET, HEAD, POST"))
      // A request that asks only for headers comes from a program that examines addresses.
      if (method === "HEAD") return Effect.succeed(NextActionPage.redirect(goUrl(clientOrderId)))
      const input = readForm(method === "POST" ? body : "")
      return back(clientOrderId, BrowserData.withHeaders(input, headers))
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("customer browser", cause), NextActionPage.trouble(words))
      )
    )

  return {
    customerBrowser: port(store),
    web: WebCustomerBrowser.of({ backUrl, goUrl, receive })
  }
})

/** Provides the customer's browser for flows, and its web handler. */
export const layer = <E = never, R = never>(
  options: Options<E, R>
): Layer.Layer<WebCustomerBrowser | CustomerBrowser.CustomerBrowser, never, R | FlowEngine | PayClient> =>
  Layer.effectContext(
    Effect.map(make(options), ({ customerBrowser, web }) =>
      Context.make(WebCustomerBrowser, web).pipe(Context.add(CustomerBrowser.CustomerBrowser, customerBrowser))
    )
  )
