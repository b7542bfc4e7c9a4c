/**
 * Reads the facts about a visitor from a page request: language, fields of a posted form, and facts of the browser for 3-D
 * Secure.
 */
import * as Form from "@pay/signing/Form"
import type { Browser } from "../../threeds/ThreeDSServer.ts"
import type { Address, PageAnswer, PageRequest } from "../Pages.ts"
import { header } from "../RequestHead.ts"
import * as Language from "./Language.ts"
import * as Layout from "./Layout.ts"

/** A request at one of the gateway's own pages. */
export type Visit = PageRequest & Address

export const language = (request: PageRequest): Language.Language =>
  Language.choose(request.query, header(request, "accept-language"))

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
  const lang = new URLSearchParams(request.query).get("lang")
  return lang === null ? "?then=return" : `?then=return&lang=${Language.choose(request.query, "")}`
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

const colorDepths = new Set(["1", "4", "8", "15", "16", "24", "32", "48"])
const whole = (text: string, least: number, most: number): number | undefined => {
  const number = Number(text)
  return /^-?\d{1,6}$/.test(text) && number >= least && number <= most ? number : undefined
}

/**
 * Returns the facts of the browser from its headers and from the fields that the card form's script filled in. If the script did
 * not run, JavaScript counts as disabled.
 */
export const browser = (request: PageRequest): Browser => {
  const read = fields(request)
  const scripted = read("screenWidth") !== ""
  return {
    acceptHeader: header(request, "accept").slice(0, 2048) || undefined,
    ip: undefined,
    javaEnabled: scripted ? read("java") === "true" : undefined,
    javascriptEnabled: scripted,
    language: /^[A-Za-z0-9-]{2,35}/.exec(header(request, "accept-language"))?.[0],
    colorDepth: colorDepths.has(read("colorDepth")) ? read("colorDepth") : undefined,
    screenHeight: whole(read("screenHeight"), 1, 999_999),
    screenWidth: whole(read("screenWidth"), 1, 999_999),
    timeZoneMinutes: whole(read("timeZone"), -840, 840),
    userAgent: header(request, "user-agent").slice(0, 2048) || undefined
  }
}
