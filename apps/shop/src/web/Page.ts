/**
 * Pages are data; text becomes HTML here only, and is escaped here. The headers restrict what a page may do: style and script are
 * files of the shop, forms post to the shop, no other site frames a page, and no cache stores it. The toolkit has pages of its
 * own that send the browser to gateway and issuer.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { escaped } from "@pay/schema/Markup"
import { Data } from "effect"
import { HttpServerResponse } from "effect/http"
import problems from "./problems.json" with { type: "json" }

export interface Input {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly autocomplete?: string | undefined
  readonly inputmode?: string | undefined
  /** The way to pay for which the input is there. The style sheet hides it while another way is chosen. */
  readonly way?: string | undefined
  /** What is wrong with the value. */
  readonly flaw?: string | undefined
  /** Values and labels to choose from. */
  readonly options?: ReadonlyArray<readonly [value: string, label: string]>
}

export interface PageForm {
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
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

/** Attributes of which those without a value are left out. */
const attributes = (values: Readonly<Record<string, string | undefined>>): Part =>
  Object.entries(values).map(([name, value]) => value !== undefined && html` ${name}="${value}"`)

const inputOf = ({ autocomplete = "off", flaw, inputmode, label, name, options, value = "", way }: Input): Html => {
  const invalid = flaw === undefined ? {} : { "aria-invalid": "true", "aria-describedby": `${name}-error` }
  const choices = options?.map(
    ([option, text]) => html`<option value="${option}"${option === value && html` selected`}>${text}</option>`
  )
  const control =
    choices === undefined
      ? html`<input${attributes({ name, value, autocomplete, inputmode, ...invalid })}>`
      : html`<select${attributes({ name, ...invalid })}>${choices}</select>`
  const error = flaw !== undefined && html`<span class="error" id="${name}-error">${flaw}</span>`
  return html`<p${attributes({ "data-way": way })}><label>${label} ${control}</label> ${error}</p>`
}

const formOf = ({ action, button, hidden, inputs = [] }: PageForm, token: string): Html =>
  html`<form method="post" action="${action}" novalidate>
    ${Object.entries({ token, ...hidden }).map(([name, value]) => html`<input type="hidden"${attributes({ name, value })}>`)}
    ${inputs.map(inputOf)}<button>${button}</button>
  </form>`

const bodyOf = ({ forms = [], lines = [], sign }: Item, token: string): Html =>
  html`${sign !== undefined && html`<span class="sign">${sign}</span>`}
    ${lines.map((line) => line !== undefined && line !== false && html`<p>${line}</p>`)}
    ${forms.map((form) => form !== false && formOf(form, token))}`

const linkOf = (href: string, label: string): Html => html`<a href="${href}">${label}</a>`

const itemOf = (item: Item, token: string): Html => {
  const { href, picture, title } = item
  const image = picture !== undefined && html`<img src="${picture}" alt="" width="240" height="160">`
  return html`<li>${image}${href === undefined ? title : linkOf(href, title)} ${bodyOf(item, token)}</li>`
}

const layout = readFileSync(join(import.meta.dirname, "page.html"), "utf8")

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Renders a page. `token` is in each of its forms. */
export const render = (page: Page, token: string, headers: Readonly<Record<string, string>> = {}) => {
  const { alert, items = [], links = [], refresh, status = 200, title } = page
  const main = html`${alert !== undefined && html`<p class="error" role="alert">${alert}</p>`}
    ${links.map((link) => link !== false && html`<p>${linkOf(...link)}</p>`)}
    ${bodyOf(page, token)}
    <ul class="rows">${items.map((item) => itemOf(item, token))}</ul>`
  const document = layout.replace(/\{(title|main)\}/g, (_, part) => markupOf(part === "main" ? main : title))
  return HttpServerResponse.text(document, {
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

/** Why a request cannot be answered: a text of `problems.json`. */
export class Problem extends Data.TaggedError("Problem")<{ readonly why: keyof typeof problems }> {}

const authenticate = { "www-authenticate": 'Basic realm="Foxglove back office", charset="UTF-8"' }

/** What the browser shows where a request cannot be answered. */
export const problem = (why: Problem["why"]) => {
  const { says, status } = problems[why]
  return render({ title: says, status, links: [["/", "To the shop"]] }, "", status === 401 ? authenticate : {})
}
