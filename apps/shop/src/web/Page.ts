/**
 * Makes pages from templates, and escapes their values. The headers restrict a page: style and script are the shop's own files,
 * forms post to the shop, no other site frames a page, no cache stores it. The toolkit has its own pages, which send the browser
 * to the gateway and the issuer.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { escaped } from "@pay/schema/Markup"
import { Data } from "effect"
import { HttpServerResponse } from "effect/http"
import problems from "./problems.json" with { type: "json" }

/** Markup for one visitor. `token` is the visitor's form token, which each form contains. */
export type Html = (token: string) => string
type Part = string | Html | false | undefined | ReadonlyArray<Part>

const markupOf = (part: Part, token: string): string => {
  if (typeof part === "function") return part(token)
  if (typeof part === "object") return part.map((each) => markupOf(each, token)).join("")
  return part === undefined || part === false ? "" : escaped(part)
}

/** A template that escapes its values, except those that are templates themselves. `false` and `undefined` print nothing. */
export const html =
  ({ raw }: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  (token) =>
    String.raw({ raw }, ...parts.map((part) => markupOf(part, token)))

export interface Input {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly autocomplete?: string | undefined
  readonly inputmode?: string | undefined
  /** The payment method to which the input belongs. The style sheet hides the input while another method is chosen. */
  readonly way?: string | undefined
  /** The problem of the value, shown beside the input. */
  readonly error?: string | undefined
  readonly options?: ReadonlyArray<{ readonly value: string; readonly label: string }>
}

const inputOf = (input: Input): Html => {
  const { autocomplete = "off", error, inputmode = "text", label, name, options, value = "", way = "" } = input
  const invalid = error !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`
  const choices = options?.map(
    (option) => html`<option value="${option.value}"${option.value === value && " selected"}>${option.label}</option>`
  )
  const control =
    choices === undefined
      ? html`<input name="${name}" value="${value}" autocomplete="${autocomplete}" inputmode="${inputmode}"${invalid}>`
      : html`<select name="${name}"${invalid}>${choices}</select>`
  const message = error !== undefined && html`<span class="error" id="${name}-error">${error}</span>`
  return html`<p data-way="${way}"><label>${label} ${control}</label> ${message}</p>`
}

interface Form {
  readonly action: string
  readonly hidden?: Readonly<Record<string, string>>
  readonly inputs?: ReadonlyArray<Input>
  readonly button: string
  /** The button of one payment method. The style sheet shows it instead of `button` while this method is chosen. */
  readonly buttonOfWay?: { readonly way: string; readonly button: string } | false
}

export const form = ({ action, button, buttonOfWay = false, hidden = {}, inputs = [] }: Form): Html =>
  html`<form method="post" action="${action}" novalidate>
    <input type="hidden" name="token" value="${(token) => token}">
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
    ${inputs.map(inputOf)}${buttonOfWay && html`<button data-way="${buttonOfWay.way}">${buttonOfWay.button}</button>`}
    <button${buttonOfWay && html` data-way="not-${buttonOfWay.way}"`}>${button}</button>
  </form>`

export interface ShopPage {
  readonly title: string
  readonly main: Html
  readonly status?: number
  /** The value of the `Refresh` header: seconds, and the address if it is a different one. */
  readonly refresh?: string | undefined
}

const layout = readFileSync(join(import.meta.dirname, "page.html"), "utf8")

const headers = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

export const render = ({ main, refresh, status = 200, title }: ShopPage, token: string) => {
  const parts: Readonly<Record<string, string>> = { title: escaped(title), main: main(token) }
  const page = layout.replace(/\{(title|main)\}/g, (_, part) => parts[part] ?? "")
  const response = HttpServerResponse.text(page, { status, contentType: "text/html; charset=utf-8", headers })
  return refresh === undefined ? response : HttpServerResponse.setHeader(response, "refresh", refresh)
}

/** A request that cannot be answered. `why` selects a text of `problems.json`. */
export class Problem extends Data.TaggedError("Problem")<{ readonly why: keyof typeof problems }> {}

/** Returns the page for a request that cannot be answered. */
export const problem = (why: Problem["why"]) => {
  const { status, title } = problems[why]
  const response = render({ title, status, main: html`<p><a href="/">To the shop</a></p>` }, "")
  const authenticate = 'Basic realm="Foxglove back office", charset="UTF-8"'
  return status === 401 ? HttpServerResponse.setHeader(response, "www-authenticate", authenticate) : response
}
