/**
 * The customers of the simulation. Each order has one, who follows the redirects of its flow, fills in forms, and returns to the
 * shop or does not. Mistakes are drawn on each occasion, from a random generator of the order.
 */

import type { Chance } from "@pay/crashtest/Chance"
import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser, type Visit } from "@pay/flows/CustomerBrowser"
import * as NextAction from "@pay/flows/NextAction"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import { type Context, Effect } from "effect"
import * as StubDialect from "../../workflows/stub/StubDialect.ts"
import * as Intents from "../Intents.ts"
import type { Trace } from "../Trace.ts"
import * as Browser from "./Browser.ts"
import type { Behaviour, BehaviourMix } from "./CustomerBehaviour.ts"
import * as FormEntries from "./FormEntries.ts"
import type { FlowServices } from "./MerchantAction.ts"
import type { RemoteGateway } from "./RemoteGateway.ts"

/** Every order's `redirect_url`. */
export const shopUrl = "https://shop.example/back"

/** The merchant's server, as a customer's browser reaches it. */
export interface Shop {
  readonly login: string
  readonly remote: RemoteGateway
  readonly serve: (work: Effect.Effect<void, never, FlowServices>) => Effect.Effect<void>
}

/** The status that the gateway's last page sent with the customer back to the shop. */
export interface ReturnedStatus {
  readonly clientOrderId: string
  readonly login: string
  readonly status: string
}

export interface Customers {
  /** The browser port of this shop's flows. */
  readonly customerBrowser: (shop: Shop) => CustomerBrowser["Service"]
  /** Sets the behaviours of customers from now on. */
  readonly set: (mix: BehaviourMix) => void
  /** How often each behaviour occurred. */
  readonly counts: Readonly<Record<string, number>>
  readonly returnedStatuses: ReadonlyArray<ReturnedStatus>
  /** Lets a customer open an old page and submit its form again. Returns the name of the customer's order. */
  readonly repostOldForm: (chance: Chance) => string | undefined
}

export interface Options {
  readonly trace: Trace
  /** The services of every fiber of a customer. */
  readonly context: Context.Context<never>
  /** Returns the random generator of an order's customer, by the order's name. */
  readonly chanceOf: (name: string) => Chance
}

/** The customer of one order. */
interface Customer {
  /** The order's name in the simulation. */
  readonly name: string
  readonly clientOrderId: string
  readonly shop: Shop
  readonly chance: Chance
  /** The forms that the customer submitted, the oldest first. */
  readonly posted: Array<Browser.Request>
}

const maxPages = 40
const maxPosted = 20
/** Up to longer than a hosted session and a challenge. */
const awayMs = [60_000, 700_000, 2_000_000, 14_400_000] as const
const hesitationMs = [0, 300, 4_000, 30_000, 300_000] as const

/** Whether the fields contain a result of 3-D Secure. */
const isResult = ({ PaRes, cres }: Browser.Fields): boolean => cres !== undefined || PaRes !== undefined

export const make = ({ chanceOf, context, trace }: Options): Customers => {
  const customers = new Map<string, Customer>()
  const returnedStatuses: Array<ReturnedStatus> = []
  const counts: Record<string, number> = {}
  let mix: BehaviourMix = {}
  const run = Effect.runForkWith(context)

  const start = (work: Effect.Effect<void>, what: string): void => {
    run(work).addObserver((exit) => {
      if (exit._tag === "Failure") throw new Error(`${what} failed: ${String(exit.cause)}`)
    })
  }

  const does = ({ chance, clientOrderId }: Customer, behaviour: Behaviour): boolean => {
    const share = mix[behaviour] ?? 0
    if (share === 0 || !chance.permille(share)) return false
    counts[behaviour] = (counts[behaviour] ?? 0) + 1
    trace.note(`the customer of ${clientOrderId} ${behaviour}`)
    return true
  }

  const pause = ({ chance }: Customer, maxMs: number) => Effect.suspend(() => Effect.sleep(chance.below(maxMs)))

  const open = ({ chance, shop }: Customer, request: Browser.Request) => Browser.open(shop.remote, chance, request)

  /** Opens an address, or submits a form, sometimes more than once. */
  const submit = Effect.fnUntraced(function* (customer: Customer, request: Browser.Request) {
    const { chance, posted } = customer
    if (request.form === undefined) return yield* open(customer, request)
    posted.push(request)
    if (posted.length > maxPosted) posted.shift()
    const times = does(customer, "submitsTwice") ? 2 + chance.below(2) : 1
    const each = Array.from({ length: times }, () => open(customer, request))
    const pages = yield* Effect.all(each, { concurrency: "unbounded" })
    let page = pages.at(-1)
    if (does(customer, "reloads")) page = yield* open(customer, request)
    const [first, ...others] = posted
    if (first !== undefined && does(customer, "goesBack"))
      page = yield* open(customer, chance.oneOf([first, ...others]))
    return page
  })

  /** Returns to the shop, which forwards fields of 3-D Secure to the flow. */
  const returnToShop = Effect.fnUntraced(function* (customer: Customer, fields: Browser.Fields) {
    const { chance, clientOrderId, shop } = customer
    const { MD, PaRes, cres, status, threeDSMethodData } = fields
    if (status !== undefined) returnedStatuses.push({ clientOrderId, login: shop.login, status })
    const inputs = Object.entries({ cres, PaRes, MD, threeDSMethodData }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const]
    )
    const back = shop.serve(CustomerBrowsers.cameBack(clientOrderId, Object.fromEntries(inputs)))
    trace.note(`the customer of ${clientOrderId} returns with ${Object.keys(fields).join(" ") || "nothing"}`)
    yield* back
    if (!does(customer, "bringsResultTwice")) return
    yield* Effect.sleep(chance.oneOf(hesitationMs))
    yield* back
  })

  /** Returns the 3-D Secure result as the browser delivers it: unchanged, late or forged. */
  const deliveredResult = Effect.fnUntraced(function* (customer: Customer, fields: Browser.Fields) {
    if (!isResult(fields)) return fields
    if (does(customer, "bringsResultLate")) yield* Effect.sleep(customer.chance.oneOf(awayMs))
    return does(customer, "forgesResult") ? FormEntries.forged(customer.chance, fields) : fields
  })

  /** Returns what the customer enters into the page's form; undefined if the form has no inputs. */
  const formEntry = (customer: Customer, { body }: Browser.Page): Browser.Fields | undefined => {
    const { chance } = customer
    if (body.includes('name="password"')) {
      if (does(customer, "cancels")) return { action: "cancel" }
      return { action: "confirm", password: does(customer, "mistakesPassword") ? "guess" : password }
    }
    const isPayout = body.includes('name="way"')
    if (!isPayout && !body.includes('name="number"')) return undefined
    if (does(customer, "cancels")) return { action: "cancel" }
    const isWrong = does(customer, "mistypes")
    if (isPayout) return { action: "pay", ...(isWrong ? FormEntries.mistypedRecipient : FormEntries.recipient)(chance) }
    if (isWrong) return { action: "pay", ...FormEntries.mistypedCard(chance) }
    return { action: "pay", ...(does(customer, "paysWithBadCard") ? FormEntries.badCard : FormEntries.card)(chance) }
  }

  /** Returns the next request of the browser; undefined if there is none. */
  const nextRequest = Effect.fnUntraced(function* (customer: Customer, page: Browser.Page, atGateway: string) {
    const { action, body, hidden, url } = page
    const to = action === undefined ? url : new URL(action, url).href
    const entry = formEntry(customer, page)
    if (entry !== undefined) {
      const invented = does(customer, "forgesResult") ? FormEntries.invented(hidden) : undefined
      if (invented === undefined) return { url: to, form: { ...hidden, ...entry } }
      if (atGateway !== "") return { url: `${atGateway}/challenge`, form: invented }
      return yield* returnToShop(customer, invented)
    }
    if (to.startsWith(shopUrl)) return yield* returnToShop(customer, yield* deliveredResult(customer, hidden))
    if (body.includes('id="wait"')) {
      // The page's script posts the form of the issuer's method into a hidden frame.
      if (action !== undefined) start(followPages(customer, { url: to, form: hidden }), "a frame")
      yield* pause(customer, 8_000)
      return { url }
    }
    if (action === undefined) return undefined
    return body.includes('<form method="get"')
      ? { url: to }
      : { url: to, form: yield* deliveredResult(customer, hidden) }
  })

  const followPages = (customer: Customer, first: Browser.Request): Effect.Effect<void> =>
    Effect.gen(function* () {
      let request: Browser.Request | undefined = first
      let atGateway = ""
      for (let count = 0; request !== undefined && count < maxPages; count += 1) {
        const page: Browser.Page | undefined = yield* submit(customer, request)
        if (page === undefined || does(customer, "closesWindow")) return
        if (does(customer, "givesUp")) {
          return yield* customer.shop.serve(CustomerBrowsers.gaveUp(customer.clientOrderId))
        }
        if (does(customer, "goesAway")) yield* Effect.sleep(customer.chance.oneOf(awayMs))
        const { origin, pathname } = new URL(page.url)
        if (pathname.startsWith("/3ds/")) atGateway = origin + pathname.split("/", 3).join("/")
        request = (yield* nextRequest(customer, page, atGateway)) ?? undefined
      }
    })

  const visitPages = Effect.fnUntraced(function* (customer: Customer, { clientOrderId, nextAction }: Visit) {
    const { chance, shop } = customer
    if (does(customer, "comesBackEarly")) yield* shop.serve(CustomerBrowsers.cameBack(clientOrderId, {}))
    yield* Effect.sleep(chance.oneOf(hesitationMs))
    if (nextAction._tag === "BrowserData") {
      return yield* shop.serve(CustomerBrowsers.cameBack(clientOrderId, NextAction.form(nextAction, shopUrl)))
    }
    const first: Browser.Request =
      nextAction._tag === "Redirect" || nextAction._tag === "Page"
        ? { url: nextAction._tag === "Page" ? StubDialect.addressOn(nextAction.html) : nextAction.url }
        : { url: NextAction.target(nextAction, shopUrl), form: NextAction.form(nextAction, shopUrl) }
    if (does(customer, "paysInTwoTabs")) start(followPages(customer, first), "a second tab")
    yield* followPages(customer, first)
  })

  const customerOf = (clientOrderId: string, shop: Shop): Customer => {
    const name = Intents.nameOf({ clientOrderId, login: shop.login })
    const existing = customers.get(name)
    if (existing !== undefined) return existing
    const customer: Customer = { name, clientOrderId, shop, chance: chanceOf(name), posted: [] }
    customers.set(name, customer)
    return customer
  }

  return {
    customerBrowser: (shop) =>
      CustomerBrowser.of({
        send: (visit) =>
          Effect.sync(() =>
            start(visitPages(customerOf(visit.clientOrderId, shop), visit), `the customer of ${visit.orderId}`)
          )
      }),
    set: (next) => {
      mix = next
    },
    counts,
    returnedStatuses,
    repostOldForm: (chance) => {
      const [first, ...others] = [...customers.values()].filter(({ posted }) => posted.length > 0).slice(-20)
      if (first === undefined) return undefined
      const customer = chance.oneOf([first, ...others])
      const [oldest, ...later] = customer.posted
      if (oldest !== undefined) start(followPages(customer, chance.oneOf([oldest, ...later])), "an old page")
      return customer.name
    }
  }
}
