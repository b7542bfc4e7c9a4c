/**
 * The customers of a world: each order has one, who goes where its flow sends the browser, fills in what comes, and comes back to
 * the shop or does not. What they do wrong is drawn, each occasion anew, from a chance of the order's own.
 */

import * as CustomerBrowsers from "@pay/flows/CustomerBrowser"
import { CustomerBrowser, type Visit } from "@pay/flows/CustomerBrowser"
import * as NextAction from "@pay/flows/NextAction"
import { password } from "@pay/sandbox/ThreeDSTestCards"
import { type Context, Effect } from "effect"
import * as StubDialect from "../../workflows/stub/StubDialect.ts"
import type { Chance } from "../Chance.ts"
import * as Intents from "../Intents.ts"
import type { Trace } from "../Trace.ts"
import * as Browser from "./Browser.ts"
import type { Behaviour, Mix } from "./CustomerBehaviour.ts"
import * as FormEntries from "./FormEntries.ts"
import type { RemoteGateway } from "./RemoteGateway.ts"

/** Every order's `redirect_url`. */
export const shopUrl = "https://shop.example/back"

/** The merchant's server, as a customer's browser reaches it. */
export interface Shop {
  readonly login: string
  readonly remote: RemoteGateway
  readonly serve: (work: Effect.Effect<void>) => Effect.Effect<void>
}

/** What the gateway's last page showed a customer, on the way back to the shop. */
export interface ReturnedStatus {
  readonly clientOrderId: string
  readonly login: string
  readonly status: string
}

export interface Customers {
  /** The browser port of this shop's flows. */
  readonly customerBrowser: (shop: Shop) => CustomerBrowser["Service"]
  /** What people do wrong from now on. */
  readonly set: (mix: Mix) => void
  /** How often each thing was done. */
  readonly counts: Readonly<Record<string, number>>
  readonly returnedStatuses: ReadonlyArray<ReturnedStatus>
  /** Somebody opens a page of theirs again and posts a form that was posted there before; whose order it is, by its name in the world. */
  readonly remember: (chance: Chance) => string | undefined
}

export interface Options {
  readonly trace: Trace
  /** What every fiber of a customer needs. */
  readonly context: Context.Context<never>
  /** The chance of one order's customer, by its name in the world. */
  readonly chanceOf: (name: string) => Chance
}

/** One order's customer. */
interface Person {
  /** The order's name in the simulation. */
  readonly name: string
  readonly clientOrderId: string
  readonly shop: Shop
  readonly chance: Chance
  /** Forms that were posted, the oldest first. */
  readonly posted: Array<Browser.Request>
}

const maxPages = 40
const maxPosted = 20
/** Longer than a session and a challenge last. */
const awayMs = [60_000, 700_000, 2_000_000, 14_400_000] as const
const hesitationMs = [0, 300, 4_000, 30_000, 300_000] as const

/** Fields of 3-D Secure that a browser brings. */
const isResult = ({ PaRes, cres }: Browser.Fields): boolean => cres !== undefined || PaRes !== undefined

export const make = ({ chanceOf, context, trace }: Options): Customers => {
  const people = new Map<string, Person>()
  const returnedStatuses: Array<ReturnedStatus> = []
  const counts: Record<string, number> = {}
  let mix: Mix = {}
  const run = Effect.runForkWith(context)

  const start = (work: Effect.Effect<void>, what: string): void => {
    run(work).addObserver((exit) => {
      if (exit._tag === "Failure") throw new Error(`${what} died: ${String(exit.cause)}`)
    })
  }

  const does = ({ chance, clientOrderId }: Person, behaviour: Behaviour): boolean => {
    const share = mix[behaviour] ?? 0
    if (share === 0 || !chance.permille(share)) return false
    counts[behaviour] = (counts[behaviour] ?? 0) + 1
    trace.note(`the customer of ${clientOrderId} ${behaviour}`)
    return true
  }

  const pause = ({ chance }: Person, maxMs: number) => Effect.suspend(() => Effect.sleep(chance.below(maxMs)))

  const open = ({ chance, shop }: Person, request: Browser.Request) => Browser.open(shop.remote, chance, request)

  /** Opens an address, or presses a form's button: once, or more often than one should. */
  const press = Effect.fnUntraced(function* (person: Person, request: Browser.Request) {
    const { chance, posted } = person
    if (request.form === undefined) return yield* open(person, request)
    posted.push(request)
    if (posted.length > maxPosted) posted.shift()
    const times = does(person, "submitsTwice") ? 2 + chance.below(2) : 1
    const each = Array.from({ length: times }, () => open(person, request))
    const pages = yield* Effect.all(each, { concurrency: "unbounded" })
    let page = pages.at(-1)
    if (does(person, "reloads")) page = yield* open(person, request)
    const [first, ...others] = posted
    if (first !== undefined && does(person, "goesBack")) page = yield* open(person, chance.oneOf([first, ...others]))
    return page
  })

  /** At the shop, which hands on what belongs to 3-D Secure. */
  const bring = Effect.fnUntraced(function* (person: Person, fields: Browser.Fields) {
    const { chance, clientOrderId, shop } = person
    const { MD, PaRes, cres, status, threeDSMethodData } = fields
    if (status !== undefined) returnedStatuses.push({ clientOrderId, login: shop.login, status })
    const inputs = Object.entries({ cres, PaRes, MD, threeDSMethodData }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const]
    )
    const back = shop.serve(CustomerBrowsers.cameBack(clientOrderId, Object.fromEntries(inputs)))
    trace.note(`the customer of ${clientOrderId} is back with ${Object.keys(fields).join(" ") || "nothing"}`)
    yield* back
    if (!does(person, "bringsResultTwice")) return
    yield* Effect.sleep(chance.oneOf(hesitationMs))
    yield* back
  })

  /** A result of 3-D Secure on its way from the issuer: brought as it is, or not. */
  const carried = Effect.fnUntraced(function* (person: Person, fields: Browser.Fields) {
    if (!isResult(fields)) return fields
    if (does(person, "bringsResultLate")) yield* Effect.sleep(person.chance.oneOf(awayMs))
    return does(person, "forgesResult") ? FormEntries.forged(person.chance, fields) : fields
  })

  /** What a person enters into the page's form besides what stands in it; undefined where it asks for nothing. */
  const entered = (person: Person, { body }: Browser.Page): Browser.Fields | undefined => {
    const { chance } = person
    if (body.includes('name="password"')) {
      if (does(person, "cancels")) return { action: "cancel" }
      return { action: "confirm", password: does(person, "mistakesPassword") ? "guess" : password }
    }
    const isPayout = body.includes('name="way"')
    if (!isPayout && !body.includes('name="number"')) return undefined
    if (does(person, "cancels")) return { action: "cancel" }
    const isWrong = does(person, "mistypes")
    if (isPayout) return { action: "pay", ...(isWrong ? FormEntries.mistypedRecipient : FormEntries.recipient)(chance) }
    if (isWrong) return { action: "pay", ...FormEntries.mistypedCard(chance) }
    return { action: "pay", ...(does(person, "paysWithBadCard") ? FormEntries.badCard : FormEntries.card)(chance) }
  }

  /** Undefined: the way ends here. */
  const next = Effect.fnUntraced(function* (person: Person, page: Browser.Page, atGateway: string) {
    const { action, body, hidden, url } = page
    const to = action === undefined ? url : new URL(action, url).href
    const entry = entered(person, page)
    if (entry !== undefined) {
      const invented = does(person, "forgesResult") ? FormEntries.madeUp(hidden) : undefined
      if (invented === undefined) return { url: to, form: { ...hidden, ...entry } }
      if (atGateway !== "") return { url: `${atGateway}/challenge`, form: invented }
      return yield* bring(person, invented)
    }
    if (to.startsWith(shopUrl)) return yield* bring(person, yield* carried(person, hidden))
    if (body.includes('id="wait"')) {
      // The page's script posts the form of the issuer's method into a hidden frame.
      if (action !== undefined) start(walk(person, { url: to, form: hidden }), "a frame")
      yield* pause(person, 8_000)
      return { url }
    }
    if (action === undefined) return undefined
    return body.includes('<form method="get"') ? { url: to } : { url: to, form: yield* carried(person, hidden) }
  })

  const walk = (person: Person, first: Browser.Request): Effect.Effect<void> =>
    Effect.gen(function* () {
      let request: Browser.Request | undefined = first
      let atGateway = ""
      for (let count = 0; request !== undefined && count < maxPages; count += 1) {
        const page: Browser.Page | undefined = yield* press(person, request)
        if (page === undefined || does(person, "closesWindow")) return
        if (does(person, "givesUp")) {
          return yield* person.shop.serve(CustomerBrowsers.gaveUp(person.clientOrderId))
        }
        if (does(person, "goesAway")) yield* Effect.sleep(person.chance.oneOf(awayMs))
        const { origin, pathname } = new URL(page.url)
        if (pathname.startsWith("/3ds/")) atGateway = origin + pathname.split("/", 3).join("/")
        request = (yield* next(person, page, atGateway)) ?? undefined
      }
    })

  const visited = Effect.fnUntraced(function* (person: Person, { clientOrderId, nextAction }: Visit) {
    const { chance, shop } = person
    if (does(person, "comesBackEarly")) yield* shop.serve(CustomerBrowsers.cameBack(clientOrderId, {}))
    yield* Effect.sleep(chance.oneOf(hesitationMs))
    if (nextAction._tag === "BrowserData") {
      return yield* shop.serve(CustomerBrowsers.cameBack(clientOrderId, NextAction.form(nextAction, shopUrl)))
    }
    const first: Browser.Request =
      nextAction._tag === "Redirect" || nextAction._tag === "Page"
        ? { url: nextAction._tag === "Page" ? StubDialect.addressOn(nextAction.html) : nextAction.url }
        : { url: NextAction.target(nextAction, shopUrl), form: NextAction.form(nextAction, shopUrl) }
    if (does(person, "paysInTwoTabs")) start(walk(person, first), "a second tab")
    yield* walk(person, first)
  })

  const personOf = (clientOrderId: string, shop: Shop): Person => {
    const name = Intents.nameOf({ clientOrderId, login: shop.login })
    const existing = people.get(name)
    if (existing !== undefined) return existing
    const person: Person = { name, clientOrderId, shop, chance: chanceOf(name), posted: [] }
    people.set(name, person)
    return person
  }

  return {
    customerBrowser: (shop) =>
      CustomerBrowser.of({
        send: (visit) =>
          Effect.sync(() =>
            start(visited(personOf(visit.clientOrderId, shop), visit), `the customer of ${visit.orderId}`)
          )
      }),
    set: (next) => {
      mix = next
    },
    counts,
    returnedStatuses,
    remember: (chance) => {
      const [first, ...others] = [...people.values()].filter(({ posted }) => posted.length > 0).slice(-20)
      if (first === undefined) return undefined
      const person = chance.oneOf([first, ...others])
      const [oldest, ...later] = person.posted
      if (oldest !== undefined) start(walk(person, chance.oneOf([oldest, ...later])), "an old page")
      return person.name
    }
  }
}
