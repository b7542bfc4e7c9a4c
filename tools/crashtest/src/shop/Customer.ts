/**
 * The built-in customer: follows where a shop leads, pays on pages of the gateway, passes 3-D Secure, and returns to the shop. He
 * has a browser without scripts, and cookies. He never leaves this machine.
 */
import * as CustomerInput from "@pay/sandbox/CustomerInput"
import * as Loopback from "@pay/schema/Loopback"
import { Effect, Result } from "effect"
import type { Fault } from "../plan/Faults.ts"
import type { Order } from "../plan/Payment.ts"
import * as JsonText from "../template/JsonText.ts"
import type * as Matching from "../template/Matching.ts"
import * as HtmlPage from "./HtmlPage.ts"
import type { Tell } from "./Shop.ts"
import * as ShopRequests from "./ShopRequests.ts"
import { type Step, submit, type Visit } from "./Visit.ts"

/** What he pays with. */
export interface Card {
  readonly number: string
  readonly cvv2: string
  readonly expireMonth: string
  readonly expireYear: string
}

export interface Options {
  /** The request by which he buys. */
  readonly first: Step
  readonly visit: Visit
  readonly order: Order
  readonly shop: URL
  readonly card: Card
  readonly tell: Tell
}

/** More pages than a customer sees in one payment. */
const mostPages = 60
/** How long he looks at a page that waits, in milliseconds. */
const waitMs = 250
/** How often he sees a page of the shop that only loads itself again. */
const mostReloads = 6

const get = (url: string): Step => ({ url, method: "GET" })

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status)

/** Names under which shops give a page of their scripts the address where the customer goes next. */
const nextNames = /^(?:redirect|redirect[_-]?(?:url|to)|location|next|(?:payment|checkout|hosted)[_-]?(?:url|page))$/i

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The address in a field of an answer in JSON, such as `redirect`. */
const jsonNext = (text: string): string | undefined => {
  const value = text.startsWith("{") ? Result.getOrUndefined(JsonText.read(text)) : undefined
  if (typeof value !== "object" || value === null) return undefined
  return Object.entries(value).flatMap(([name, next]) => (nextNames.test(name) && isText(next) ? [next] : []))[0]
}

/** What a customer of the shop sees next. Undefined: this page is the end. */
type Move = { readonly step: Step; readonly waits: boolean } | undefined

const move = (step: Step, waits = false): Move => ({ step, waits })

/** A redirect keeps the method if its status says so. */
const redirected = (answer: ShopRequests.Answer, before: Step): Move => {
  const to = ShopRequests.header(answer, "location")
  if (!isRedirect(answer.status) || to === undefined) return undefined
  const url = new URL(to, answer.url).href
  return move(answer.status === 307 || answer.status === 308 ? { ...before, url } : get(url))
}

const isElsewhere = (url: string, at: string): boolean => new URL(url, at).origin !== new URL(at).origin

/** Returns the address in the header `Refresh` of a page. */
const refreshOf = (answer: ShopRequests.Answer): string | undefined => {
  const content = ShopRequests.header(answer, "refresh")
  return content === undefined ? undefined : HtmlPage.targetOf(content)
}

/** The next step from a page of the shop: only what happens without a decision of the customer. */
const fromShop = (answer: ShopRequests.Answer): Move => {
  const { text, url } = answer
  const next = jsonNext(text)
  if (next !== undefined) return move(get(new URL(next, url).href))
  const { forms, links, refresh = refreshOf(answer), submitsItself } = HtmlPage.read(text)
  const form = forms.find(({ action, asks }) => !asks && (submitsItself || isElsewhere(action ?? url, url)))
  if (form !== undefined) return move(submit(form, CustomerInput.typed(text, { card: {} }) ?? {}, url))
  if (refresh !== undefined) return move(get(new URL(refresh, url).href), !isElsewhere(refresh, url))
  const link = links.find(
    (href) => URL.canParse(href, url) && isElsewhere(href, url) && Loopback.isOn(new URL(href, url).href)
  )
  return link === undefined ? undefined : move(get(new URL(link, url).href))
}

/** The next step from a page of the gateway or of the issuer. `start` is the first page of the gateway. */
const fromGateway = ({ text, url }: ShopRequests.Answer, card: Card, start: string): Move => {
  const { forms, refresh } = HtmlPage.read(text)
  const typed = CustomerInput.typed(text, {
    card: {
      number: card.number,
      expiry: `${card.expireMonth}/${card.expireYear.slice(-2)}`,
      code: card.cvv2,
      holder: "Jane Doe"
    }
  })
  const [form] = forms
  if (form !== undefined) return move(submit(form, typed ?? {}, url))
  return move(get(refresh === undefined || refresh === "" ? start : new URL(refresh, url).href), true)
}

/** The way back without what the gateway adds: it adds fields of a form. */
const withoutResult = (step: Step): Step => get(step.url)

/** Carries the purchase to its last page at the shop. */
export const follow = Effect.fnUntraced(function* (options: Options) {
  const { card, first, order, shop, tell, visit } = options
  const faults: ReadonlySet<Fault> = new Set(order.case.faults.map(({ fault }) => fault))
  const atShop = (url: string) => new URL(url).origin === shop.origin

  const send = (step: Step) => visit.send({ ...step, headers: { accept: "text/html,*/*;q=0.8", ...step.headers } })

  let step: Step = first
  let start = first.url
  let hasReturned = false
  let reloads = 0
  return yield* Effect.gen(function* () {
    for (let count = 0; count < mostPages; count += 1) {
      const answer = yield* send(step)
      if (!atShop(answer.url) && atShop(start)) {
        start = answer.url
        yield* tell("is on the gateway's page")
      }
      const next =
        redirected(answer, step) ?? (atShop(answer.url) ? fromShop(answer) : fromGateway(answer, card, start))
      reloads = atShop(answer.url) && next?.waits === true && next.step.url === answer.url ? reloads + 1 : 0
      if (next === undefined || reloads > mostReloads)
        return { _tag: "Reply", reply: answer } satisfies Matching.Outcome
      if (next.waits) yield* Effect.sleep(waitMs)
      const returns = !hasReturned && !atShop(answer.url) && atShop(next.step.url)
      step = next.step
      if (!returns) continue
      hasReturned = true
      if (faults.has("neverReturns")) {
        yield* tell("does not return to the shop", "neverReturns")
        return { _tag: "Closed" } satisfies Matching.Outcome
      }
      if (faults.has("returnsWithoutResult")) {
        yield* tell("returns to the shop without the gateway's fields", "returnsWithoutResult")
        step = withoutResult(step)
      } else yield* tell("returns to the shop")
      if (faults.has("returnsTwice")) {
        yield* Effect.ignore(send(step))
        yield* tell("reloads the page", "returnsTwice")
      }
    }
    return { _tag: "None", reason: `leads through more than ${mostPages} pages` } satisfies Matching.Outcome
  }).pipe(
    Effect.catchTag("NoAnswer", ({ reason }) => Effect.succeed({ _tag: "None", reason } satisfies Matching.Outcome))
  )
})
