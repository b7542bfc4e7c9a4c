/**
 * Renders a page of the console around its content: navigation, search, the operator, and the command that does the same. Its style sheet and
 * its script are files of the gateway, so the policy permits nothing that is written into a page.
 */
import { createHash } from "node:crypto"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import type { PageAnswer } from "../Pages.ts"
import * as Language from "../pages/Language.ts"
import * as Layout from "../pages/Layout.ts"
import { script } from "./ConsoleScript.ts"
import { style } from "./ConsoleStyle.ts"
import type { Key } from "./ConsoleTexts.ts"
import * as Visit from "./Visit.ts"

export interface ConsolePage {
  readonly status?: number
  readonly title: string
  readonly main: Html
  /** The commands that do the same. */
  readonly commands?: ReadonlyArray<string>
  /** The address of the events that replace the content, relative to the console. */
  readonly live?: string
  /** The page loads this address at once. Relative. */
  readonly next?: string
  readonly headers?: Readonly<Record<string, string>>
}

const fileOf = (name: string, type: string, text: string) => ({
  name: `${name}-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`,
  type: `${type}; charset=utf-8`,
  text
})
const sheet = fileOf("style", "text/css", style)
const program = fileOf("script", "text/javascript", script)

/** Returns a file of the console by the last part of its path. */
export const file = (name: string): PageAnswer | undefined => {
  const match = [sheet, program].find((each) => each.name === name)
  return (
    match && {
      status: 200,
      headers: {
        "content-type": match.type,
        "cache-control": "public, max-age=31536000, immutable",
        "x-content-type-options": "nosniff"
      },
      body: match.text
    }
  )
}

/** A form names the address from which it comes: `no-referrer` would hide it from the gateway, too. */
export const headers = { ...Layout.headers, "referrer-policy": "same-origin" } as const

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

const tabs = [
  ["now", "nowTitle"],
  ["orders", "orders"],
  ["unknown", "unknownTitle"]
] as const satisfies ReadonlyArray<readonly [string, Key]>

const search = (visit: Visit.Visit): Html =>
  html`<form class="find" role="search" method="post" action="${Visit.at(visit, "search")}">${formToken(visit)}<label class="unseen" for="q">${visit.text("search")}: ${visit.text("searchHint")}</label><input id="q" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="128" placeholder="${visit.text("searchHint")}" title="${visit.text("searchHint")}"><button>${visit.text("search")}</button></form>`

/** The hidden field that every form of a session has. */
export const formToken = ({ formToken }: Visit.Visit): Html =>
  html`<input type="hidden" name="formToken" value="${formToken}">`

const navigation = (visit: Visit.Visit): Html =>
  html`<nav aria-label="${visit.text("pages")}"><ul>${tabs.map(
    ([path, key]) =>
      html`<li><a href="${Visit.at(visit, path)}"${visit.path.startsWith(`/console/${path}`) && trusted(` aria-current="page"`)}>${visit.text(key)}</a></li>`
  )}</ul></nav>`

const isSignedIn = (visit: Visit.Guest): visit is Visit.Visit => "formToken" in visit

/** The page to which a link leads back. */
const placeOf = (visit: Visit.Guest): string =>
  visit.request.method === "POST" ? "" : visit.path.slice("/console/".length)

const languageLink = (visit: Visit.Guest): Html => {
  const other = visit.language === "de" ? "en" : "de"
  return html`<a href="${Visit.at(visit, `lang-${other}`)}?to=${encodeURIComponent(placeOf(visit))}" lang="${other}">${visit.text("otherLanguage")}</a>`
}

const top = (visit: Visit.Guest): Html =>
  html`<header class="top"><div><a class="name" href="${Visit.at(visit, "")}">pay</a>${
    isSignedIn(visit) && html`${navigation(visit)}${search(visit)}`
  }<div class="who">${languageLink(visit)}${
    isSignedIn(visit) &&
    html`${
      visit.operator.lack !== undefined &&
      visit.path !== "/console/code" &&
      html`<a class="button" href="${Visit.at(visit, "code")}?to=${encodeURIComponent(placeOf(visit))}">${visit.text("lacksCode")}</a>`
    }<b>${visit.operator.name}</b><form method="post" action="${Visit.at(visit, "sign-out")}">${formToken(visit)}<button>${visit.text("signOut")}</button></form>`
  }</div></div></header>`

const commandsOf = (visit: Visit.Guest, commands: ReadonlyArray<string> = []): Html | false =>
  commands.length > 0 &&
  html`<p class="command"><span>${visit.text("command")}</span>${commands.map((each) => html`<code>${each}</code>`)}</p>`

/** Seconds after which a page without JavaScript loads again, if it is live. */
const refreshSeconds = 20

/** The content of a page, as it also is in events. */
export const content = (visit: Visit.Guest, { commands, main }: Pick<ConsolePage, "commands" | "main">): Html =>
  html`${main}${commandsOf(visit, commands)}`

export const render = (visit: Visit.Guest, page: ConsolePage): PageAnswer => {
  const { live, title } = page
  const shown = content(visit, page)
  const body = html`<!doctype html>
<html lang="${visit.language}" dir="${Language.languages[visit.language].direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title} · pay</title>${Layout.icon}<link rel="stylesheet" href="${Visit.at(visit, sheet.name)}"><script src="${Visit.at(visit, program.name)}" defer></script>${
    live !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`
  }${page.next !== undefined && html`<meta http-equiv="refresh" content="0;url=${page.next}">`}</head><body><a class="skip" href="#main">${visit.text("skip")}</a>${top(visit)}<main id="main">${
    live === undefined
      ? shown
      : html`<div data-live="${Visit.at(visit, live)}" data-old="${visit.text("stale")}">${shown}</div>`
  }</main></body></html>`
  return {
    status: page.status ?? 200,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-language": visit.language,
      "content-security-policy": policy,
      ...page.headers
    },
    body: body.text
  }
}

/** Sends the browser to another page with GET. `location` is relative. */
export const redirect = (location: string, more: Readonly<Record<string, string>> = {}): PageAnswer => ({
  status: 303,
  headers: { ...headers, ...more, location },
  body: ""
})

/** A page that only says why there is no other. */
export const notice = (visit: Visit.Guest, status: number, title: string, message: string, back?: string): PageAnswer =>
  render(visit, {
    status,
    title,
    main: html`<section class="panel narrow stack"><h1>${title}</h1><p class="notice bad">${message}</p><p><a class="button" href="${Visit.at(visit, back ?? "")}">${visit.text("back")}</a></p></section>`
  })
