/** The page on which an operator signs in to the console, and the cookie of the session. */
import { Effect, Redacted } from "effect"
import { html } from "../../kernel/Html.ts"
import type * as Sessions from "../../signin/Sessions.ts"
import * as SignIn from "../operator/SignIn.ts"
import type { PageAnswer } from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import { fill } from "../pages/Language.ts"
import type { Key } from "./ConsoleTexts.ts"
import * as Frame from "./Frame.ts"
import * as Visit from "./Visit.ts"

export const sessionCookie = "pay-console"

/**
 * Returns the attributes of a cookie of the console. Its path is that of the console, because its default is the folder of the page that
 * sets it. Only on the machine itself it also goes over plain HTTP.
 */
export const attributes = ({ request }: Visit.Guest): string =>
  `HttpOnly; SameSite=Strict${SignIn.isToLoopback(request) ? "" : "; Secure"}`

/** A page of the console to which a person returns after signing in. */
const place = /^(?!sign-)[\w-]{1,40}(\/[\w.-]{1,128}){0,3}$/
export const placeOf = (to: string): string => (place.test(to) ? to : "")

const about: Readonly<Record<string, Key>> = { out: "signedOut", ended: "sessionEnded" }

interface Message {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

export const page = (visit: Visit.Guest, isOpen: boolean, to: string, message?: Message): PageAnswer => {
  const key = about[new URLSearchParams(visit.request.query).get("why") ?? ""]
  const title = visit.text("signInTitle")
  return Frame.render(visit, {
    status: message?.status ?? 200,
    title,
    ...(message?.headers && { headers: message.headers }),
    main: html`<section class="panel narrow stack"><div><p class="soft">${visit.text("console")}</p><h1>${title}</h1></div>${
      message === undefined
        ? key && html`<p class="notice wait" role="status">${visit.text(key)}</p>`
        : html`<p class="notice bad" role="alert">${message.text}</p>`
    }<form class="act" method="post" action="${Visit.at(visit, "sign-in")}"><input type="hidden" name="to" value="${to}">${
      isOpen
        ? html`<p>${visit.text("openHint")}</p><p><code>pay operator add alice --roles admin</code></p><button class="main">${visit.text("signInOpen")}</button>`
        : html`<div><label for="token">${visit.text("token")}</label><input id="token" name="token" type="password" autocomplete="current-password" autofocus required maxlength="256" aria-describedby="token-hint"><p class="hint" id="token-hint">${visit.text("tokenHint")}</p></div><button class="main">${visit.text("signIn")}</button>`
    }</form></section>`
  })
}

/** Signs in with the token of the form, and begins the session. */
export const submit = Effect.fnUntraced(function* (
  visit: Visit.Guest,
  signIns: SignIn.SignIns,
  sessions: Effect.Success<typeof Sessions.make>
) {
  const read = BrowserInput.fields(visit.request)
  const token = Redacted.make(read("token"), { label: "operator token" })
  const to = placeOf(read("to"))
  const judged = yield* signIns.ofForm(visit.request, token)
  if (judged._tag === "Admitted") {
    const tokenHash = SignIn.tokenHashOf(token)
    const session = yield* sessions.begin(judged.operator.name, tokenHash)
    const cookie = `${sessionCookie}=${Redacted.value(session)}; ${attributes(visit)}`
    const operator = yield* signIns.ofSession(visit.request, tokenHash, false)
    const next = operator?.lack === undefined ? to : `code?to=${encodeURIComponent(to)}`
    return Frame.redirect(Visit.at(visit, next), { "set-cookie": cookie })
  }
  const isOpen = yield* signIns.isOpen(visit.request)
  if (judged._tag === "Refused")
    return page(visit, isOpen, to, {
      status: judged.status,
      text: visit.text(judged.status === 503 ? "broken" : "wrongToken")
    })
  const seconds = String(Math.ceil(judged.retryAfterMs / 1000))
  return page(visit, isOpen, to, {
    status: 429,
    text: fill(visit.text("tooManyTokens"), { seconds }),
    headers: { "retry-after": seconds }
  })
})
