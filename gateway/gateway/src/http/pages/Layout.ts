/**
 * Renders a page: document, style, scripts, and the headers that restrict it. A page loads no other files, may not be framed, is
 * never cached, and sends forms only to permitted addresses.
 */

import { Effect } from "effect"
import { type Html, html, trusted } from "../../kernel/Html.ts"
import { SecureRandom } from "../../kernel/SecureRandom.ts"
import type { Brand, Colors } from "../../merchants/Brand.ts"
import type { PageAnswer } from "../Pages.ts"
import * as Language from "./Language.ts"
import * as Scripts from "./Scripts.ts"
import { style } from "./Style.ts"
import * as TestMode from "./TestMode.ts"

export interface HtmlPage {
  readonly status: number
  readonly language: Language.Language
  readonly title: string
  readonly main: Html
  /** The gateway's own scripts. Without them, the page may run none. */
  readonly scripts?: ReadonlyArray<string>
  /** Reloads the page after this time if there is no JavaScript. `url` is relative. */
  readonly refresh?: { readonly seconds: number; readonly url: string }
  /** Sources of `form-action`. If left out, the page has no form. */
  readonly formAction?: ReadonlyArray<string>
  /** Sources of `frame-src`. */
  readonly frame?: ReadonlyArray<string>
  /** Whether a script of the page requests the state from the gateway. */
  readonly asks?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** The brand of the endpoint. If left out, the page has the default look. */
  readonly brand?: Brand | undefined
  /** How a sandbox lists its test cards above the page. If left out, they are not listed. */
  readonly testCards?: "open" | "closed"
  /** Whether the page's payment goes through 3-D Secure. If left out, the page is about no payment. */
  readonly authentication?: TestMode.Authentication
}

/** Returns the scheme, host and port of a validated address. */
export const origin = (url: string): string => URL.parse(url)?.origin ?? "'none'"

/**
 * Returns the sources of `form-action` for a form to this address. Browsers also check the addresses to which the form's target
 * redirects, so every https address is permitted: otherwise a shop that redirects its customers would lose them.
 */
export const away = (url: string): ReadonlyArray<string> => ["https:", origin(url)]

/** Headers of every answer with a page. */
export const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "cross-origin-opener-policy": "same-origin"
} as const

const sources = (name: string, values: ReadonlyArray<string> | undefined): string =>
  `${name} ${values === undefined || values.length === 0 ? "'none'" : values.join(" ")}`

export const policy = (page: Pick<HtmlPage, "scripts" | "formAction" | "frame" | "asks">, nonce: string): string =>
  [
    "default-src 'none'",
    "img-src data:",
    `style-src 'nonce-${nonce}'`,
    sources("script-src", page.scripts === undefined ? [] : [`'nonce-${nonce}'`]),
    sources("connect-src", page.asks === true ? ["'self'"] : []),
    sources("frame-src", page.frame),
    sources("form-action", page.formAction),
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** An empty icon, so that browsers do not request one. */
export const icon = trusted(`<link rel="icon" href="data:,">`)

const switcher = (page: HtmlPage): Html =>
  html`<footer><nav aria-label="${Language.languages[page.language].language}"><ul>${Language.all.map(
    (language) =>
      html`<li><a href="?lang=${language}" lang="${language}"${language === page.language && trusted(` aria-current="true"`)}>${Language.languages[language].name}</a></li>`
  )}</ul></nav></footer>`

const variables = ({ accent, on, over }: Colors): string => `:root{--accent:${accent};--over:${over};--on:${on}}`

/** Returns the style sheet with the colours of the brand, which are checked and have the form `#rrggbb`. */
const branded = ({ brand }: HtmlPage): string =>
  brand?.colors === undefined
    ? style
    : `${style}${variables(brand.colors.light)}@media(prefers-color-scheme:dark){${variables(brand.colors.dark)}}`

/** Renders a page. `nonce` is new for each answer; `test` is the test mode of a sandbox. */
export const render = (content: HtmlPage, nonce: string, test?: TestMode.TestMode): PageAnswer => {
  const cards = content.testCards ?? "none"
  const page =
    test !== undefined && cards !== "none"
      ? { ...content, scripts: [...(content.scripts ?? []), Scripts.copy] }
      : content
  const { language, refresh, scripts = [], title } = page
  const { direction } = Language.languages[language]
  const body = html`<!doctype html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title>${icon}${
    refresh !== undefined &&
    html`<noscript><meta http-equiv="refresh" content="${refresh.seconds};url=${refresh.url}"></noscript>`
  }<style nonce="${nonce}">${trusted(branded(page))}</style></head><body>${test && TestMode.banner(language, test, cards, page.authentication ?? "either")}<main>${page.main}</main>${switcher(page)}${scripts.map(
    (script) => html`<script nonce="${nonce}">${trusted(script)}</script>`
  )}</body></html>`
  return {
    status: page.status,
    headers: {
      ...headers,
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      vary: "accept-language",
      "content-security-policy": policy(page, nonce),
      ...page.headers
    },
    body: body.text
  }
}

/** Renders pages, each with a new nonce, and with the ribbon of a sandbox where the gateway is one. */
export const renderer = Effect.gen(function* () {
  const random = yield* SecureRandom
  const test = yield* TestMode.visible
  return (page: HtmlPage): PageAnswer => render(page, random.token(), test)
})
