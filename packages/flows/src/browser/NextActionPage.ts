/**
 * Pages for a customer's browser. The headers of a page restrict it: it runs one inline script, identified by its hash, posts
 * forms only to the issuer, and is neither framed nor cached. Without JavaScript the customer presses a button instead.
 */

import "../engine/OldNode.ts"
import * as crypto from "node:crypto"
import { escaped, hidden } from "@pay/schema/Markup"
import * as BrowserData from "../order/BrowserData.ts"
import * as NextAction from "../order/NextAction.ts"

/** An HTTP answer, for any server. */
export interface Reply {
  readonly status: 200 | 303 | 404 | 405 | 413 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The texts of the pages. */
export interface Words {
  /** The language tag of the pages, such as `en` or `pt-BR`. */
  readonly language: string
  readonly waiting: string
  readonly toBank: string
  readonly goOn: string
  /** The text of the page for an address that does not exist. */
  readonly missing: string
  /** The text of the page after an error of the server. The page reloads itself. */
  readonly trouble: string
}

/** The texts of the pages in English. */
export const english: Words = {
  language: "en",
  waiting: "One moment, we are confirming your payment.",
  toBank: "Your bank asks you to confirm this payment.",
  goOn: "Continue",
  missing: "There is nothing here.",
  trouble: "Something went wrong on our side. Nothing was lost; this page tries again."
}

const sourceOf = (text: string): string => `'sha256-${crypto.hash("sha256", text, "base64")}'`

/**
 * The style sheet, in the colours of the gateway's pages, light and dark. The ring turns once a second, the interval of reloads.
 */
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

interface BrowserPage {
  readonly status?: Reply["status"]
  readonly says: string
  /** Whether the page shows a progress ring. */
  readonly isWaiting?: boolean
  readonly main?: string
  readonly script?: string
  /** Further directives of the page's content security policy. */
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
  { headers, isWaiting = false, main = "", may = ["frame-ancestors 'none'"], says, script, status = 200 }: BrowserPage
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

/**
 * Returns the sources that the content security policy allows for an issuer's form. They include every https address, because an
 * issuer may redirect the browser.
 */
const issuer = (url: string): string => `https: ${URL.parse(url)?.origin ?? ""}`.trim()

/** Returns the page for a browser that waits. It reloads itself each second. */
export const waiting = (words: Words): Reply =>
  render(words, { says: words.waiting, isWaiting: true, headers: { refresh: "1" } })

/** Returns the page after an error of the server. It reloads itself every 3 seconds. */
export const trouble = (words: Words): Reply =>
  render(words, { status: 503, says: words.trouble, headers: { refresh: "3" } })

/** Returns the page for an address that does not exist. */
export const missing = (words: Words): Reply => render(words, { status: 404, says: words.missing })

/** Returns the answer to a request with a method that is not allowed (405), or with a body that is too long (413). */
export const refused = (status: 405 | 413, allow: string): Reply => ({
  status,
  headers: { ...common, allow, "content-type": "text/plain" },
  body: ""
})

/** Returns a redirect (303) to the location. */
export const redirect = (location: string): Reply => ({ status: 303, headers: { ...common, location }, body: "" })

/** Returns a page with a form to the issuer. A script posts the form. With `byHand` the customer presses its button instead. */
const toBank = (words: Words, url: string, fields: Readonly<Record<string, string>>, byHand: boolean): Reply =>
  render(words, {
    says: words.toBank,
    main: `<form method="post" action="${escaped(url)}">${hidden(fields)}<button>${escaped(words.goOn)}</button></form>`,
    ...(byHand ? {} : { script: submitting }),
    may: [`form-action ${issuer(url)}`, "frame-ancestors 'none'"]
  })

/** Seconds until the page of the issuer's method reloads: a little more than the 10 seconds that the issuer has. */
const methodSeconds = "11"

/** Returns a page that posts the browser information to the merchant. */
const browserData = (words: Words, url: string, fields: Readonly<Record<string, string>>): Reply =>
  render(words, {
    says: words.waiting,
    isWaiting: true,
    main: `<form method="post" action="${escaped(url)}">${hidden(fields)}<noscript><button>${escaped(words.goOn)}</button></noscript></form>`,
    script: `(${BrowserData.fill})(document.forms[0]);${submitting}`,
    may: ["form-action 'self'", "frame-ancestors 'none'"]
  })

/** Returns a page that runs the issuer's method page in a hidden frame. The frame ends with the page of {@link framed}. */
const method = (words: Words, url: string, fields: Readonly<Record<string, string>>): Reply =>
  render(words, {
    says: words.waiting,
    isWaiting: true,
    main: `<form method="post" action="${escaped(url)}" target="issuer">${hidden(fields)}</form><iframe name="issuer" title="${escaped(words.toBank)}" tabindex="-1" aria-hidden="true"></iframe>`,
    script: submitting,
    may: [`form-action ${issuer(url)}`, `frame-src 'self' ${issuer(url)}`, "frame-ancestors 'none'"],
    headers: { refresh: methodSeconds }
  })

/** Returns the last page in the hidden frame of the issuer's method. It reloads the page that contains the frame. */
export const framed = (words: Words): Reply =>
  render(words, { says: words.waiting, script: reloading, may: ["frame-ancestors 'self'"] })

/**
 * Returns a page of the gateway without changes. It may run its own scripts and post forms anywhere. The sandbox of its content
 * security policy keeps it out of the merchant's origin, so that it cannot read the merchant's cookies and storage.
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

/**
 * Returns the page or redirect for the next action. `backUrl` is the order's `redirect_url`. `byHand`: the browser goes to the
 * issuer only when the customer presses the button.
 */
export const go = (words: Words, nextAction: NextAction.NextAction, backUrl: string, byHand = false): Reply => {
  if (nextAction._tag === "Redirect") return redirect(nextAction.url)
  if (nextAction._tag === "Page") return ofGateway(nextAction.html)
  const fields = NextAction.form(nextAction, backUrl)
  const url = NextAction.target(nextAction, backUrl)
  if (nextAction._tag === "BrowserData") return browserData(words, url, fields)
  return nextAction._tag === "Method" ? method(words, url, fields) : toBank(words, url, fields, byHand)
}
