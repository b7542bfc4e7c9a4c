/**
 * Pages for a customer's browser, each with the headers that say what it may do: one inline script known by its hash, forms to
 * the issuer, no frame around it, no copy kept. Without JavaScript a button does what the script would.
 */

import { hash } from "node:crypto"
import { escaped } from "@pay/schema/Markup"
import * as BrowserData from "./BrowserData.ts"
import * as NextAction from "./NextAction.ts"

/** An answer to a request, for any server. */
export interface Reply {
  readonly status: 200 | 303 | 404 | 405 | 413 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the pages say. */
export interface Words {
  /** `lang` of the pages: `en`, `pt-BR`. */
  readonly language: string
  readonly waiting: string
  readonly toBank: string
  readonly goOn: string
  /** The text of the page for an address that does not exist. */
  readonly missing: string
  /** The server could not read or write; it is tried again by itself. */
  readonly trouble: string
}

export const english: Words = {
  language: "en",
  waiting: "One moment, we are confirming your payment.",
  toBank: "Your bank asks you to confirm this payment.",
  goOn: "Continue",
  missing: "There is nothing here.",
  trouble: "Something went wrong on our side. Nothing was lost; this page tries again."
}

const sourceOf = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`

/** In the colours of the gateway's pages, light and dark. The ring turns once a second, as often as a waiting page looks again. */
const style = [
  ":root{color-scheme:light dark;--back:#f2f4f6;--card:#fff;--text:#16202b;--line:#c9d1d9;--act:#14507d;--on:#fff}",
  "@media(prefers-color-scheme:dark){:root{--back:#0f141a;--card:#1a212b;--text:#e7edf3;--line:#3a4653;--act:#7cc0f2;--on:#0f141a}}",
  "body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--text);font:1.1em/1.5 system-ui,sans-serif}",
  "main{box-sizing:border-box;width:min(26em,100% - 2em);padding:2em;border-radius:1em;background:var(--card);text-align:center}",
  "h1{margin:0;font:inherit}form:has(button){margin-top:1.5em}iframe{display:none}",
  "button{width:100%;padding:.7em 1em;border:0;border-radius:.6em;background:var(--act);color:var(--on);font:inherit;font-weight:600;cursor:pointer}",
  ".wait::before{content:'';display:block;width:2.4em;height:2.4em;margin:0 auto 1em;border:.25em solid var(--line);border-top-color:var(--act);border-radius:50%;animation:turn 1s linear infinite}",
  "@keyframes turn{to{transform:rotate(1turn)}}@media(prefers-reduced-motion:reduce){.wait::before{animation:none}}"
].join("")
const submitting = "document.forms[0].submit()"
const reloading = "parent.location.reload()"

interface Page {
  readonly status?: Reply["status"]
  readonly says: string
  /** Shows that something goes on. */
  readonly isWaiting?: boolean
  readonly main?: string
  readonly script?: string
  /** Further directives of its policy. */
  readonly may?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

const common = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const render = (
  { language }: Words,
  { headers, isWaiting = false, main = "", may = ["frame-ancestors 'none'"], says, script, status = 200 }: Page
): Reply => ({
  status,
  headers: {
    ...common,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": [
      "default-src 'none'",
      `style-src ${sourceOf(style)}`,
      ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`]),
      "img-src data:",
      "base-uri 'none'",
      ...may
    ].join("; "),
    ...headers
  },
  body: `<!doctype html><html lang="${escaped(language)}" dir="auto"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escaped(says)}</title><link rel="icon" href="data:,"><style>${style}</style></head><body><main><h1${isWaiting ? ' class="wait"' : ""}>${escaped(says)}</h1>${main}</main>${script === undefined ? "" : `<script>${script}</script>`}</body></html>`
})

const inputs = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join("")

/**
 * Returns the sources that the content security policy allows for an issuer's form. They include every https address, because an
 * issuer may redirect the browser.
 */
const issuer = (url: string): string => `https: ${URL.parse(url)?.origin ?? ""}`.trim()

/** Looks again by itself. */
export const waiting = (words: Words): Reply =>
  render(words, { says: words.waiting, isWaiting: true, headers: { refresh: "1" } })

export const trouble = (words: Words): Reply =>
  render(words, { status: 503, says: words.trouble, headers: { refresh: "3" } })

export const missing = (words: Words): Reply => render(words, { status: 404, says: words.missing })

/** Not to be done with this method, or with so much. */
export const refused = (status: 405 | 413, allow: string): Reply => ({
  status,
  headers: { ...common, allow, "content-type": "text/plain" },
  body: ""
})

export const redirect = (location: string): Reply => ({ status: 303, headers: { ...common, location }, body: "" })

/** To the issuer: a form that posts itself, or waits for its button. */
const toBank = (words: Words, url: string, fields: Readonly<Record<string, string>>, byHand: boolean): Reply =>
  render(words, {
    says: words.toBank,
    main: `<form method="post" action="${escaped(url)}">${inputs(fields)}<button>${escaped(words.goOn)}</button></form>`,
    ...(byHand ? {} : { script: submitting }),
    may: [`form-action ${issuer(url)}`, "frame-ancestors 'none'"]
  })

/** A little longer than an issuer has for looking at the browser. */
const methodSeconds = "11"

/** Tells the shop itself what the issuer asks of the browser. */
const browserData = (words: Words, url: string, fields: Readonly<Record<string, string>>): Reply =>
  render(words, {
    says: words.waiting,
    isWaiting: true,
    main: `<form method="post" action="${escaped(url)}">${inputs(fields)}<noscript><button>${escaped(words.goOn)}</button></noscript></form>`,
    script: `(${BrowserData.fill})(document.forms[0]);${submitting}`,
    may: ["form-action 'self'", "frame-ancestors 'none'"]
  })

/** The issuer looks at the browser in a hidden frame, which ends with {@link framed}. */
const method = (words: Words, url: string, fields: Readonly<Record<string, string>>): Reply =>
  render(words, {
    says: words.waiting,
    isWaiting: true,
    main: `<form method="post" action="${escaped(url)}" target="issuer">${inputs(fields)}</form><iframe name="issuer" title="${escaped(words.toBank)}" tabindex="-1" aria-hidden="true"></iframe>`,
    script: submitting,
    may: [`form-action ${issuer(url)}`, `frame-src 'self' ${issuer(url)}`, "frame-ancestors 'none'"],
    headers: { refresh: methodSeconds }
  })

/** What the issuer leaves in the hidden frame: the page around it looks again. */
export const framed = (words: Words): Reply =>
  render(words, { says: words.waiting, script: reloading, may: ["frame-ancestors 'self'"] })

/**
 * A page of the gateway, as it is. It runs its own scripts and posts its forms where it wants to, but has no part in the shop's
 * origin: no cookies, no storage.
 */
const ofGateway = (html: string): Reply => ({
  status: 200,
  headers: {
    ...common,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "sandbox allow-forms allow-scripts; frame-ancestors 'none'"
  },
  body: html
})

/** The way to the next action; `backUrl` is the order's `redirect_url`. `byHand`: to an issuer by a button only. */
export const go = (words: Words, nextAction: NextAction.NextAction, backUrl: string, byHand = false): Reply => {
  if (nextAction._tag === "Redirect") return redirect(nextAction.url)
  if (nextAction._tag === "Page") return ofGateway(nextAction.html)
  const fields = NextAction.form(nextAction, backUrl)
  const url = NextAction.target(nextAction, backUrl)
  if (nextAction._tag === "BrowserData") return browserData(words, url, fields)
  return nextAction._tag === "Method" ? method(words, url, fields) : toBank(words, url, fields, byHand)
}
