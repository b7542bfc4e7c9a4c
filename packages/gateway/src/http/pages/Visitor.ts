/** What a page request says of the visitor: language, fields of a posted form, facts of the browser for 3-D Secure. */
import * as Form from "@pay/signing/Form"
import type { Browser } from "../../threeds/ThreeDSServer.ts"
import type { PageAnswer, PageRequest } from "../Pages.ts"
import { header } from "../RequestHead.ts"
import * as Language from "./Language.ts"
import * as Layout from "./Layout.ts"

export const language = (request: PageRequest): Language.Language =>
  Language.choose(request.query, header(request, "accept-language"))

/** No page has a form of more fields, nor a longer value: what an issuer sends back is the longest. */
const mostFields = 64
const longestValue = 16_384

/** The first value of each name; empty where there is none, it is too long, or the form is none of ours. */
export const fields = (request: Partial<PageRequest> & Pick<PageRequest, "body">): ((name: string) => string) => {
  const parsed = Form.head(request.body, mostFields).length < request.body.length ? undefined : Form.parse(request.body)
  const parameters = parsed?.ok === true ? parsed.parameters : []
  return (name) => {
    const value = parameters.find(([parameter]) => parameter === name)?.[1] ?? ""
    return value.length > longestValue ? "" : value
  }
}

/** The query of the next page: the chosen language stays, and the way back to the shop is open. */
export const next = (request: PageRequest): string => {
  const lang = new URLSearchParams(request.query).get("lang")
  return lang === null ? "?then=return" : `?then=return&lang=${Language.choose(request.query, "")}`
}

/** RFC 9110 §15.4.4: the browser gets the next page with GET. `location` may be relative. */
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

/** From headers, and from what the card form's script filled in: without the script there is no JavaScript. */
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
