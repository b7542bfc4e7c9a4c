/**
 * Pages are data; text becomes HTML here only, and is escaped here. The headers restrict what a page may do: style and script are
 * files of the shop, forms post to the shop, no other site frames a page, and no cache stores it. The toolkit has pages of its
 * own that send the browser to gateway and issuer.
 */
import { escaped } from "@pay/schema/Markup"
import { HttpServerResponse } from "effect/http"
import * as Brand from "./Brand.ts"
import type { Problem } from "./Visitor.ts"

export interface Input {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly autocomplete?: string
  readonly inputmode?: "numeric" | "email" | "tel" | "decimal"
  /** The way to pay for which the input is there. The style sheet hides it while another way is chosen. */
  readonly way?: string
  /** What is wrong with the value. */
  readonly flaw?: string | undefined
  /** Values and labels to choose from. */
  readonly options?: ReadonlyArray<readonly [value: string, label: string]>
}

export interface PageForm {
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
  readonly inputs?: ReadonlyArray<Input>
  readonly button: string
}

/** What is said about one thing, and done with it. */
export interface Item {
  readonly title: string
  readonly href?: string
  /** The address of a picture. */
  readonly picture?: string
  /** The status in a word or two. */
  readonly sign?: string
  readonly lines?: ReadonlyArray<string | false | undefined>
  readonly forms?: ReadonlyArray<PageForm | false>
}

export interface Page extends Item {
  readonly status?: number
  /** A `Refresh` header: seconds, and the address if it is another one. */
  readonly refresh?: string | undefined
  readonly alert?: string | undefined
  readonly links?: ReadonlyArray<readonly [href: string, label: string] | false>
  readonly items?: ReadonlyArray<Item>
}

interface Html {
  readonly markup: string
}
type Part = string | Html | false | undefined | ReadonlyArray<Part>

const markupOf = (part: Part): string => {
  if (part === undefined || part === false) return ""
  if (typeof part === "string") return escaped(part)
  return "markup" in part ? part.markup : part.map(markupOf).join("")
}

/** A template that escapes its values, except what another template made. */
const html = ({ raw }: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  markup: String.raw({ raw }, ...parts.map(markupOf))
})

const inputOf = ({ autocomplete = "off", flaw, inputmode, label, name, options, value = "", way }: Input): Html => {
  const invalid = flaw !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`
  const choices = options?.map(
    ([option, text]) => html`<option value="${option}"${option === value && html` selected`}>${text}</option>`
  )
  const control =
    choices === undefined
      ? html`<input name="${name}" value="${value}" autocomplete="${autocomplete}"${inputmode !== undefined && html` inputmode="${inputmode}"`}${invalid}>`
      : html`<select name="${name}"${invalid}>${choices}</select>`
  const error = flaw !== undefined && html`<span class="error" id="${name}-error">${flaw}</span>`
  return html`<p${way !== undefined && html` data-way="${way}"`}><label>${label} ${control}</label> ${error}</p>`
}

const formOf = ({ action, button, hidden, inputs = [] }: PageForm): Html =>
  html`<form method="post" action="${action}" novalidate>
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    ${inputs.map(inputOf)}<button>${button}</button>
  </form>`

const bodyOf = ({ forms = [], lines = [], sign }: Item): Html =>
  html`${sign !== undefined && html`<span class="sign">${sign}</span>`}
    ${lines.map((line) => line !== undefined && line !== false && html`<p>${line}</p>`)}
    ${forms.map((form) => form !== false && formOf(form))}`

const linkOf = (href: string, label: string): Html => html`<a href="${href}">${label}</a>`

const itemOf = (item: Item): Html =>
  html`<li>${item.picture !== undefined && html`<img src="${item.picture}" alt="" width="240" height="160">`}${item.href === undefined ? item.title : linkOf(item.href, item.title)} ${bodyOf(item)}</li>`

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'"
].join("; ")

export const render = (page: Page, headers: Readonly<Record<string, string>> = {}) => {
  const { alert, items = [], links = [], refresh, status = 200, title } = page
  const document = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <title>${title} · ${Brand.name}</title>
  <link rel="icon" href="/logo.svg">
  <link rel="stylesheet" href="/shop.css">
  <script src="/shop.js" defer></script>
</head>
<body>
  <header><a href="/"><img src="/logo.svg" alt="">${Brand.name}</a> <a href="/orders">Your orders</a></header>
  <main>
    <h1>${title}</h1>
    ${alert !== undefined && html`<p class="error" role="alert">${alert}</p>`}
    ${links.map((link) => link !== false && html`<p>${linkOf(...link)}</p>`)}
    ${bodyOf(page)}
    <ul class="rows">${items.map(itemOf)}</ul>
  </main>
  <footer>A sample shop: nothing is sold here.</footer>
</body>
</html>`
  return HttpServerResponse.text(document.markup, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-store",
      "content-security-policy": policy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...(refresh === undefined ? {} : { refresh }),
      ...headers
    }
  })
}

const authenticate = { "www-authenticate": 'Basic realm="Foxglove back office", charset="UTF-8"' }

/** What the browser shows where a request cannot be answered. */
export const problem = ({ says, status }: Pick<Problem, "says"> & { readonly status: number }) =>
  render({ title: says, status, links: [["/", "To the shop"]] }, status === 401 ? authenticate : {})
