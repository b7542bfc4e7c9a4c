/**
 * The customer's browser at a merchant's own web server: one address at which it waits and is sent on to gateway and issuer, one
 * to which it comes back. Whatever HTTP server there is calls `receive`.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import * as BrowserData from "./BrowserData.ts"
import * as CustomerBrowser from "./CustomerBrowser.ts"
import * as NextAction from "./NextAction.ts"
import * as NextActionPage from "./NextActionPage.ts"
import * as VisitStore from "./VisitStore.ts"

export type { Reply, Words } from "./NextActionPage.ts"

export interface Request {
  readonly method: string
  /** Path and query, or the whole address. */
  readonly url: string
  /** The form that was posted, as it came. */
  readonly body?: string
  /** Names in lower case: an issuer that has no method page is told of some. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

export interface Options<E, R> {
  /** The base address of the pages, as the browser sees it: `https://shop.example/pay`. */
  readonly url: string
  /** Makes addresses that nobody guesses, though order numbers are. The same in every life of the process. */
  readonly secret: Redacted.Redacted<string>
  /**
   * Returns the order's page, which the browser opens once the payment has ended. Returns nothing while the payment is under way.
   */
  readonly ended: (clientOrderId: string) => Effect.Effect<string | undefined, E, R>
  /** The store of pending visits. Default: in memory. Durable flows need a file: use `WebFile`. */
  readonly store?: VisitStore.VisitStore
  /** English by default. */
  readonly words?: NextActionPage.Words
}

export class WebCustomerBrowser extends Context.Service<
  WebCustomerBrowser,
  {
    /** The order's `redirect_url`. */
    readonly backUrl: (clientOrderId: string) => string
    /**
     * The address to which the checkout sends the browser once the payment has begun. The browser waits there for its next page.
     */
    readonly goUrl: (clientOrderId: string) => string
    /**
     * Answers what the browser asks for. Never fails. What it brings is signalled through the `Steps` of the caller: with
     * durable flows, those of their layer.
     */
    readonly receive: (request: Request) => Effect.Effect<NextActionPage.Reply>
  }
>()("@pay/flows/WebCustomerBrowser") {}

/** Fields of 3-D Secure; nothing else that is posted goes any further. */
const brings = new Set(["cres", "threeDSMethodData", "PaRes", "MD", ...BrowserData.names])

/** Characters of a posted form, at most: a server need not read more. */
export const mostCharacters = 100_000

const readBrought = (body: string): CustomerBrowser.BrowserFields =>
  Object.fromEntries([...new URLSearchParams(body)].filter(([name]) => brings.has(name)))

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return ""
  }
}

/** The query of a page from which the browser goes to the issuer only when the customer presses the button. */
const byHandQuery = "?again"

/** The end of a path: `…/go/ORDER/TOKEN`. */
const partsOf = (url: string) => {
  const [path = ""] = url.split(/[?#]/, 1)
  const [way = "", clientOrderId = "", token = ""] = path.split("/").slice(-3).map(decoded)
  return { way, clientOrderId, token }
}

/** The port for flows, and the answers for browsers. */
export const make = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const context = yield* Effect.context<R>()
  const { secret, store = VisitStore.makeMemory(), words = NextActionPage.english } = options
  const base = options.url.replace(/^(.*[^/])?\/*$/s, "$1")

  const tokenOf = (clientOrderId: string): Buffer =>
    createHmac("sha256", Redacted.value(secret)).update(`pay/shopper/v1 ${clientOrderId}`).digest().subarray(0, 16)

  const isMine = (clientOrderId: string, token: string): boolean => {
    const given = Buffer.from(token, "base64url")
    return given.length === 16 && timingSafeEqual(given, tokenOf(clientOrderId))
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
    // Before the flow hears of it, and sends the browser off again.
    const isLed = nextAction === "Redirect" && visit !== undefined && NextAction.isLed(visit.nextAction)
    if (isLed || visit?.nextAction._tag === nextAction) yield* store.drop(clientOrderId)
    yield* CustomerBrowser.cameBack(clientOrderId, input)
    if (nextAction === "Method") return NextActionPage.framed(words)
    // It comes from an issuer with nothing: sent there again by itself, it would go round for ever.
    const isEmptyHanded = nextAction === "Redirect" && visit !== undefined && !isLed
    return NextActionPage.redirect(goUrl(clientOrderId) + (isEmptyHanded ? byHandQuery : ""))
  })

  const receive = ({ body = "", headers = {}, method, url }: Request) =>
    Effect.suspend(() => {
      const { clientOrderId, token, way } = partsOf(url)
      if ((way !== "go" && way !== "back") || !isMine(clientOrderId, token)) {
        return Effect.succeed(NextActionPage.missing(words))
      }
      const isRead = method === "GET" || method === "HEAD"
      if (way === "go")
        return isRead
          ? go(clientOrderId, url.endsWith(byHandQuery))
          : Effect.succeed(NextActionPage.refused(405, "GET, HEAD"))
      if (!isRead && method !== "POST") return Effect.succeed(NextActionPage.refused(405, "GET, HEAD, POST"))
      if (body.length > mostCharacters) return Effect.succeed(NextActionPage.refused(413, "GET, HEAD, POST"))
      const input = readBrought(method === "POST" ? body : "")
      return back(clientOrderId, BrowserData.withHeaders(input, headers))
    }).pipe(Effect.catchCause((cause) => Effect.as(Effect.logWarning("shopper", cause), NextActionPage.trouble(words))))

  return {
    customerBrowser: CustomerBrowser.CustomerBrowser.of({ send: (visit) => Effect.orDie(store.put(visit)) }),
    web: WebCustomerBrowser.of({ backUrl, goUrl, receive })
  }
})

/** The customer of flows, at a browser. */
export const layer = <E = never, R = never>(
  options: Options<E, R>
): Layer.Layer<WebCustomerBrowser | CustomerBrowser.CustomerBrowser, never, R> =>
  Layer.effectContext(
    Effect.map(make(options), ({ customerBrowser, web }) =>
      Context.make(WebCustomerBrowser, web).pipe(Context.add(CustomerBrowser.CustomerBrowser, customerBrowser))
    )
  )
