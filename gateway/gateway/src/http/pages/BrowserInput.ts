/**
 * Reads the facts about a visitor from a page request: language, fields of a posted form, and facts of the browser for 3-D
 * Secure.
 */
import * as BrowserForm from "@pay/schema/BrowserForm"
import type { Parameter } from "@pay/signing/Form"
import * as Form from "@pay/signing/Form"
import { type Browser, ofForm } from "../../orders/record/CustomerBrowser.ts"
import type { Address, PageAnswer, PageRequest } from "../Pages.ts"
import { header } from "../RequestHead.ts"
import * as Language from "./Language.ts"
import * as Layout from "./Layout.ts"

/** A request at one of the gateway's own pages. */
export type Visit = PageRequest & Address

/**
 * Returns the language that the customer chose: that of the query, or of the `threeDSSessionData` with which the issuer sends the
 * browser back (EMV 3-D Secure), because its address is the same for all languages. `undefined`: none was chosen.
 */
const chosen = (request: PageRequest): Language.Language | undefined =>
  Language.named(new URLSearchParams(request.query).get("lang") ?? "") ??
  (request.method === "POST"
    ? Language.named(Buffer.from(fields(request)("threeDSSessionData"), "base64url").toString())
    : undefined)

export const language = (request: PageRequest): Language.Language =>
  chosen(request) ?? Language.choose("", header(request, "accept-language"))

/** Returns the fields that carry the chosen language to an issuer and back. */
export const sessionData = (request: PageRequest): ReadonlyArray<Parameter> => {
  const lang = chosen(request)
  return lang === undefined ? [] : [["threeDSSessionData", Buffer.from(lang).toString("base64url")]]
}

/** Returns an address of the gateway with the chosen language. */
export const inLanguage = (request: PageRequest, url: string): string => {
  const lang = chosen(request)
  return lang === undefined ? url : `${url}?lang=${lang}`
}

/** Limits of a form. No page has more fields; the longest value is the result of an issuer. */
const mostFields = 64
const longestValue = 16_384

/**
 * Returns a function that returns the first value of a field. The value is empty if it is missing or too long, or if the form is
 * malformed or has too many fields.
 */
export const fields = (request: Partial<PageRequest> & Pick<PageRequest, "body">): ((name: string) => string) => {
  const parsed = Form.head(request.body, mostFields).length < request.body.length ? undefined : Form.parse(request.body)
  const parameters = parsed?.ok === true ? parsed.parameters : []
  return (name) => {
    const value = parameters.find(([parameter]) => parameter === name)?.[1] ?? ""
    return value.length > longestValue ? "" : value
  }
}

/** Returns the query of the next page. It keeps the chosen language, and enables the automatic return to the shop. */
export const next = (request: PageRequest): string => {
  const lang = chosen(request)
  return lang === undefined ? "?then=return" : `?then=return&lang=${lang}`
}

/** Redirects the browser to the next page with GET (RFC 9110 §15.4.4). `location` may be relative. */
export const seeOther = (location: string): PageAnswer => ({
  status: 303,
  headers: { ...Layout.headers, location },
  body: ""
})

export const plain = (status: number, body: string): PageAnswer => ({
  status,
  headers: { ...Layout.headers, "content-type": "text/plain; charset=utf-8" },
  body
})

/**
 * Returns the facts of the browser from its headers and from the fields that the script of a page filled in. The address is left
 * out.
 */
export const browser = (request: PageRequest): Browser => {
  const read = fields(request)
  const posted = BrowserForm.names.map((name) => [name, read(name)] as const)
  return ofForm(BrowserForm.read(BrowserForm.withHeaders(Object.fromEntries(posted), request.headers)), undefined)
}
