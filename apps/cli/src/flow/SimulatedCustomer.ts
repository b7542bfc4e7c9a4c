/** Simulates the customer at a sandbox: reads its plain pages, fills in their forms, and returns the fields of the last form. */

import * as CustomerBrowser from "@pay/flows/CustomerBrowser"
import * as NextAction from "@pay/flows/NextAction"
import * as CustomerInput from "@pay/sandbox/CustomerInput"
import * as Loopback from "@pay/schema/Loopback"
import * as Markup from "@pay/schema/Markup"
import * as AnswerBody from "@pay/transport/AnswerBody"
import { Effect, Layer } from "effect"

export const outcomes = ["pass", "fail", "abandon"] as const
export type Outcome = (typeof outcomes)[number]

/** A card that the sandbox approves. It is public. */
const card = { number: "4444333322221111", expiry: "12/40", code: "123", holder: "Jane Doe" }

interface Page extends Markup.Form {
  readonly url: string
  readonly body: string
}

const visit = (url: string, form?: CustomerInput.Fields) =>
  Effect.tryPromise(async (signal) => {
    const answer = await fetch(url, {
      headers: { accept: "text/html" },
      signal,
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
    })
    const body = await AnswerBody.read(answer.body, AnswerBody.longest)
    const { action, hidden } = Markup.form(body)
    return {
      ...{ url: answer.url, body, hidden },
      action: action === undefined ? undefined : new URL(action, answer.url).href
    } satisfies Page
  })

/** The browser data that the simulated customer sends to the issuer. */
const browser: CustomerInput.Fields = {
  browserAcceptHeader: "text/html",
  browserLanguage: "en",
  browserUserAgent: "pay"
}

const cancel: CustomerInput.Fields = { action: "cancel" }

/** Returns the fields of a page's form, filled in, or `undefined` if the page only waits. */
const filled = ({ body, hidden }: Page, outcome: Outcome): CustomerInput.Fields | undefined => {
  const typed = CustomerInput.typed(body, { card, ...(outcome === "pass" ? {} : { password: "wrong" }) })
  if (typed !== undefined) return { ...hidden, ...(outcome === "abandon" && "action" in typed ? cancel : typed) }
  return Object.keys(hidden).length > 0 ? hidden : undefined
}

const mostPages = 120

/** Follows the pages until a form leads to another site than the gateway. Returns the fields of that form. */
const walk = Effect.fnUntraced(function* (start: string, outcome: Outcome, form?: CustomerInput.Fields) {
  const { origin } = new URL(start)
  let page = yield* visit(start, form)
  for (let count = 0; count < mostPages; count += 1) {
    if (page.action !== undefined && new URL(page.action).origin !== origin) return page.hidden
    const next = filled(page, outcome)
    if (next === undefined) yield* Effect.sleep("250 millis")
    page = yield* visit(next === undefined ? page.url : (page.action ?? page.url), next)
  }
  return {}
})

/** Performs the next action. Fails for an issuer that is not on this machine, because it may be a real one. */
const play = (nextAction: NextAction.NextAction, outcome: Outcome, backUrl: string) => {
  if (nextAction._tag === "BrowserData") return Effect.succeed({ ...NextAction.form(nextAction, backUrl), ...browser })
  if (nextAction._tag === "Page") return Effect.fail({ message: "the gateway gives a page and no address" })
  if (!Loopback.isOn(nextAction.url)) return Effect.fail({ message: "its issuer is not on this machine" })
  return nextAction._tag === "Redirect"
    ? Effect.as(walk(nextAction.url, outcome), {})
    : walk(nextAction.url, outcome, NextAction.form(nextAction, backUrl))
}

export const layer = (
  outcome: Outcome,
  backUrl: string,
  tell: (text: string) => void
): Layer.Layer<CustomerBrowser.CustomerBrowser> =>
  Layer.succeed(CustomerBrowser.CustomerBrowser, {
    send: ({ clientOrderId, nextAction }) =>
      Effect.matchEffect(play(nextAction, outcome, backUrl), {
        onSuccess: (fields) => CustomerBrowser.cameBack(clientOrderId, fields),
        onFailure: ({ message }) => {
          tell(`The customer cannot be simulated: ${message}`)
          return CustomerBrowser.gaveUp(clientOrderId)
        }
      })
  })
