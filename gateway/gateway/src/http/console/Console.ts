/**
 * The operators' console under `/console` of their address: who is signed in, what protects a form, and which page answers. What the pages
 * show and change goes through the operator contract.
 */
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { html } from "../../kernel/Html.ts"
import { SecureRandom } from "../../kernel/SecureRandom.ts"
import * as Sessions from "../../signin/Sessions.ts"
import type * as SignIn from "../operator/SignIn.ts"
import * as Pages from "../Pages.ts"
import * as BrowserInput from "../pages/BrowserInput.ts"
import * as CodePage from "./CodePage.ts"
import { isLanguage } from "./ConsoleTexts.ts"
import * as ContractCalls from "./ContractCalls.ts"
import * as Frame from "./Frame.ts"
import * as Routes from "./Routes.ts"
import * as SignInPage from "./SignInPage.ts"
import * as Visit from "./Visit.ts"

const prefix = /^\/console(\/|$)/

/** Cookies of one name that are tried. */
const mostCookies = 4

/** The longest a language is remembered, in seconds. */
const languageSeconds = 31_536_000

const chooseLanguage = (visit: Visit.Guest, language: string): Pages.PageAnswer => {
  const to = SignInPage.placeOf(new URLSearchParams(visit.request.query).get("to") ?? "")
  const cookie = `${Visit.languageCookie}=${language}; Max-Age=${languageSeconds}; ${SignInPage.attributes(visit)}`
  return Frame.redirect(Visit.at(visit, to), { "set-cookie": cookie })
}

/** What is answered before anyone has signed in, and needs no store. */
const asGuest = (visit: Visit.Guest): Pages.PageAnswer | undefined => {
  const name = visit.path.slice("/console/".length)
  const { request } = visit
  if (!Pages.isRead(request) && request.method !== "POST")
    return { status: 405, headers: { ...Frame.headers, allow: "GET, HEAD, POST" }, body: "" }
  if (request.method === "POST" && !Visit.isOwnForm(request))
    return Frame.notice(visit, 403, visit.text("forgedTitle"), visit.text("forged"))
  if (!Pages.isRead(request)) return undefined
  const language = name.startsWith("lang-") ? name.slice("lang-".length) : ""
  return isLanguage(language) ? chooseLanguage(visit, language) : Frame.file(name)
}

/** Answers requests of the console. `undefined`: the address is not one of it. `handler` answers operations of the contract. */
type Console = (signIns: SignIn.SignIns, handler: Pages.OperatorHandler) => Pages.PageHandler

/** The console of the operators' address. Default: there is none. */
export const OperatorConsole = Context.Reference<Console>("@pay/gateway/OperatorConsole", {
  defaultValue: () => () => () => Effect.undefined
})

export const layer = Layer.effect(
  OperatorConsole,
  Effect.map(
    Effect.all({ sessions: Sessions.make, random: SecureRandom }),
    (services): Console =>
      (signIns, handler) =>
        make({ ...services, signIns, handler })
  )
)

interface Services {
  readonly sessions: Effect.Success<typeof Sessions.make>
  readonly random: SecureRandom["Service"]
  readonly signIns: SignIn.SignIns
  readonly handler: Pages.OperatorHandler
}

const make = ({ handler, random, sessions, signIns }: Services): Pages.PageHandler => {
  /** Returns the session of a request with its operator. `undefined`: nobody is signed in, or not any more. */
  const signedIn = Effect.fnUntraced(function* (visit: Visit.Guest) {
    for (const value of Visit.cookies(visit.request, SignInPage.sessionCookie).slice(0, mostCookies)) {
      const token = Redacted.make(value, { label: "console session" })
      const session = yield* sessions.find(token)
      const operator =
        session && (yield* signIns.ofSession(visit.request, session.tokenHash, session.codeAtMs !== null))
      if (session && operator) return { session, operator, formToken: Visit.formTokenOf(token) }
    }
    return undefined
  })

  /** A link of another site brings no cookie: the same address is asked again by a page of this one. */
  const again = (visit: Visit.Guest): Pages.PageAnswer => {
    const title = visit.text("continueTitle")
    const next = Visit.at(visit, visit.path.slice("/console/".length))
    return Frame.render(visit, {
      title,
      next,
      main: html`<section class="panel narrow"><h1><a href="${next}">${title}</a></h1></section>`
    })
  }

  const toSignIn = (visit: Visit.Guest): Pages.PageAnswer => {
    const hadSession = Visit.cookies(visit.request, SignInPage.sessionCookie).length > 0
    const to = Pages.isRead(visit.request) ? SignInPage.placeOf(visit.path.slice("/console/".length)) : ""
    const query = new URLSearchParams({ ...(hadSession && { why: "ended" }), ...(to !== "" && { to }) }).toString()
    return Frame.redirect(`${Visit.at(visit, "sign-in")}${query === "" ? "" : `?${query}`}`)
  }

  const signOut = Effect.fnUntraced(function* (visit: Visit.Visit, session: Parameters<typeof sessions.end>[0]) {
    yield* sessions.end(session, visit.operator.name)
    const cookie = `${SignInPage.sessionCookie}=; Max-Age=0; ${SignInPage.attributes(visit)}`
    return Frame.redirect(`${Visit.at(visit, "sign-in")}?why=out`, { "set-cookie": cookie })
  })

  const answer = Effect.fnUntraced(function* (visit: Visit.Guest) {
    const { request } = visit
    const early = asGuest(visit)
    if (early !== undefined) return early
    if (visit.path === "/console/sign-in" && request.method === "POST")
      return yield* SignInPage.submit(visit, signIns, sessions)
    const current = yield* signedIn(visit)
    if (visit.path === "/console/sign-in") {
      const to = SignInPage.placeOf(new URLSearchParams(request.query).get("to") ?? "")
      return current === undefined
        ? SignInPage.page(visit, yield* signIns.isOpen(request), to)
        : Frame.redirect(Visit.at(visit, to))
    }
    if (current === undefined && Pages.isRead(request) && Visit.isFromElsewhere(visit)) return again(visit)
    if (current === undefined) return Routes.endedEvents(visit) ?? toSignIn(visit)
    const { formToken, operator, session } = current
    if (request.method === "POST" && !Visit.isFormToken(formToken, BrowserInput.fields(request)("formToken")))
      return Frame.notice(visit, 403, visit.text("forgedTitle"), visit.text("forged"))
    if (!Routes.isOfPage(visit)) yield* sessions.use(session)
    const call = ContractCalls.make(handler, visit, operator)
    const own: Visit.Visit = {
      ...visit,
      operator,
      formToken,
      call,
      nowMs: yield* Clock.currentTimeMillis,
      newKey: random.token
    }
    if (visit.path === "/console/sign-out" && request.method === "POST") return yield* signOut(own, session)
    if (visit.path === "/console/code")
      return request.method === "POST"
        ? yield* CodePage.submit(own, signIns, sessions.complete(session))
        : CodePage.page(own)
    return (yield* Routes.answer(own)) ?? Frame.notice(own, 404, visit.text("missingTitle"), visit.text("missing"))
  })

  return (request) => {
    const address = Pages.addressOf(request.path)
    if (address.path === "/" && Pages.isRead(request)) return Effect.succeed(Frame.redirect("console"))
    if (!prefix.test(address.path)) return Effect.undefined
    const visit = Visit.guest(request, address)
    return Pages.orNotice(answer(visit), () =>
      Frame.notice(visit, 503, visit.text("brokenTitle"), visit.text("broken"))
    )
  }
}
