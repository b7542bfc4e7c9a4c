/**
 * One page: document, style, scripts, and the headers that say what it may do. A page loads nothing, may be framed by
 * nobody, is never kept, and sends forms only where this one has to.
 */

import { Effect } from "effect"
import { type Html, html, own } from "../../kernel/Html.ts"
import { SecureRandom } from "../../kernel/SecureRandom.ts"
import type { Brand, Colors } from "../../merchants/Brand.ts"
import type { PageAnswer } from "../Pages.ts"
import * as Language from "./Language.ts"
import * as Scripts from "./Scripts.ts"
import { style } from "./Style.ts"
import * as TestMode from "./TestMode.ts"

export interface Page {
  readonly status: number
  readonly language: Language.Language
  readonly title: string
  readonly main: Html
  /** Our own scripts; where there are none, none runs. */
  readonly scripts?: ReadonlyArray<string>
  /** Looked at again after so many seconds where there is no JavaScript; `url` relative. */
  readonly refresh?: { readonly seconds: number; readonly url: string }
  /** Sources of `form-action`; left out: the page has no form. */
  readonly formAction?: ReadonlyArray<string>
  /** Sources of `frame-src`. */
  readonly frame?: ReadonlyArray<string>
  /** True where a script asks the gateway how things stand. */
  readonly asks?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** The endpoint's look; left out: the pages' own. */
  readonly brand?: Brand | undefined
  /** A sandbox lists its test cards above the page. */
  readonly testCards?: "open" | "closed"
}

/** Returns the scheme, host and port of a validated address. */
export const origin = (url: string): string => URL.parse(url)?.origin ?? "'none'"

/**
 * Browsers hold the addresses that a form's target redirects to against `form-action` too: another https address must be
 * possible there, or a shop that moves its customers on would lose them.
 */
export const away = (url: string): ReadonlyArray<string> => ["https:", origin(url)]

/** The headers of every answer that a page gives. */
export const headers = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "permissions-policy": "camera=(), microphone=(), geolocation=()",
  "cross-origin-opener-policy": "same-origin"
} as const

const sources = (name: string, values: ReadonlyArray<string> | undefined): string =>
  `${name} ${values === undefined || values.length === 0 ? "'none'" : values.join(" ")}`

export const policy = (page: Pick<Page, "scripts" | "formAction" | "frame" | "asks">, nonce: string): string =>
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

/** An empty one, so that browsers do not ask for it. */
const icon = own(`<link rel="icon" href="data:,">`)

const switcher = (page: Page): Html =>
  html`<footer><nav aria-label="${Language.languages[page.language].language}"><ul>${Language.all.map(
    (language) =>
      html`<li><a href="?lang=${language}" lang="${language}"${language === page.language && own(` aria-current="true"`)}>${Language.languages[language].name}</a></li>`
  )}</ul></nav></footer>`

const variables = ({ accent, on, over }: Colors): string => `:root{--accent:${accent};--over:${over};--on:${on}}`

/** The colours are checked and of the form `#rrggbb`. */
const branded = ({ brand }: Page): string =>
  brand?.colors === undefined
    ? style
    : `${style}${variables(brand.colors.light)}@media(prefers-color-scheme:dark){${variables(brand.colors.dark)}}`

/** `nonce`: new for each answer. `test`: of a sandbox. */
export const render = (content: Page, nonce: string, test?: TestMode.TestMode): PageAnswer => {
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
  }<style nonce="${nonce}">${own(branded(page))}</style></head><body>${test && TestMode.ribbon(language, test, cards)}<main>${page.main}</main>${switcher(page)}${scripts.map(
    (script) => html`<script nonce="${nonce}">${own(script)}</script>`
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
  return (page: Page): PageAnswer => render(page, random.token(), test)
})
