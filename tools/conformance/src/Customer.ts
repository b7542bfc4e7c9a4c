/** The customer's browser at a test issuer: it follows pages, sends their forms, and enters the password from the file. */
import * as Markup from "@pay/schema/Markup"
import * as Form from "@pay/signing/Form"
import { Effect } from "effect"
import type { Fields } from "./Draft.ts"
import * as Expect from "./Expect.ts"
import { textOf } from "./Expect.ts"
import { Gateway, send } from "./Gateway.ts"
import type { Violation } from "./Violation.ts"

/** What the customer does on the issuer's page. */
export type Action = "pass" | "fail" | "cancel"

interface Page extends Markup.Form {
  readonly url: string
  readonly body: string
  /** Whether the form is sent in a hidden frame, so that the page stays. */
  readonly isFramed: boolean
}

/** Returns the absolute address of a page to which a browser is sent. A browser opens only http and https for a payment. */
const addressOf = (text: string, base?: string): Effect.Effect<string, Violation> => {
  const address = URL.parse(text, base)
  return address === null || !/^https?:$/.test(address.protocol)
    ? Expect.violated(`the customer is sent to ${text.slice(0, 300)}, which is not a page`)
    : Effect.succeed(address.href)
}

const pageOf = Effect.fnUntraced(function* (url: string, body: string) {
  const { action, hidden } = Markup.form(body)
  const isFramed = /<form[^<>]* target="/.test(body)
  const target = action === undefined ? undefined : yield* addressOf(action, url)
  return { url, body, hidden, isFramed, action: target } satisfies Page
})

const mostRedirects = 5

const load = Effect.fnUntraced(function* (start: string, startForm?: Fields) {
  let url = yield* addressOf(start)
  let form = startForm
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const reply = yield* send({
      method: form === undefined ? "GET" : "POST",
      url,
      headers: {
        accept: "text/html",
        "accept-language": "en",
        "user-agent": "conformance",
        ...(form !== undefined && { "content-type": "application/x-www-form-urlencoded" })
      },
      body: form === undefined ? "" : Form.write(Object.entries(form))
    })
    const { location } = reply.headers
    if (reply.status >= 400) return yield* Expect.violated(`a page of the payment answers HTTP ${reply.status}: ${url}`)
    if (reply.status < 300 || location === undefined) return yield* pageOf(url, reply.text)
    url = yield* addressOf(location, url)
    form = undefined
  }
  return yield* Expect.violated(`a page redirects more than ${mostRedirects} times, at last to ${url}`)
})

/** Returns the fields that the customer sends with the page's form. Undefined if the page only waits. */
const filled = (page: Page, action: Action, password: string, card: Fields): Fields | undefined => {
  if (page.body.includes('name="password"')) {
    const right = { action: "confirm", password: action === "pass" ? password : `not ${password}` }
    return { ...page.hidden, ...(action === "cancel" ? { action: "cancel" } : right) }
  }
  if (page.body.includes('name="number"')) {
    return action === "cancel" ? { ...page.hidden, action: "cancel" } : { attempts: "0", ...page.hidden, ...card }
  }
  return Object.keys(page.hidden).length > 0 ? page.hidden : undefined
}

const mostPages = 400

/** Opens the page of the 3-D Secure method in its frame, and sends the form that its answer has. */
const inFrame = Effect.fnUntraced(function* ({ action, hidden, url }: Page) {
  const answer = yield* load(action ?? url, hidden)
  if (answer.action !== undefined) yield* load(answer.action, answer.hidden)
})

/** Follows pages until a form leads back to the merchant. Returns the fields of this form. */
export const walk = Effect.fnUntraced(function* (start: string, action: Action, form?: Fields, card: Fields = {}) {
  const { facts, inbox } = yield* Gateway
  const own = new URL(inbox.returnAddress).origin
  let page = yield* load(start, form)
  for (let pages = 0; pages < mostPages; pages += 1) {
    if (page.isFramed) yield* inFrame(page)
    else if (page.action !== undefined && new URL(page.action).origin === own) return page.hidden
    const fields = page.isFramed ? undefined : filled(page, action, facts.settings.password ?? "", card)
    if (fields === undefined) yield* Effect.sleep("50 millis")
    page = yield* load(fields === undefined ? page.url : (page.action ?? page.url), fields)
  }
  return yield* Expect.violated("the customer's browser is never sent back to redirect_url")
})

type Body = Readonly<Record<string, unknown>>

const need = (body: Body, name: string) => {
  const value = textOf(body, name)
  return value === undefined ? Expect.violated(`the answer to status has no ${name}`) : Effect.succeed(value)
}

/** Runs the challenge that the answer to `status` describes. Returns the fields that the browser brings back. */
export const challenge = Effect.fnUntraced(function* (status: Body, action: Action) {
  return yield* walk(yield* need(status, "acs-url"), action, { creq: yield* need(status, "creq") })
})

/** Runs the password page of version 1. Returns the fields that the browser brings back. */
export const passwordPage = Effect.fnUntraced(function* (status: Body, action: Action) {
  const { inbox } = yield* Gateway
  const [pareq, md] = [yield* need(status, "pareq"), yield* need(status, "md")]
  return yield* walk(yield* need(status, "acs-url"), action, { PaReq: pareq, MD: md, TermUrl: inbox.returnAddress })
})
