/** What every page of the console knows of its request: language, addresses, the operator, and the session's token for forms. */
import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"
import type { Role } from "../../operators/OperatorOperation.ts"
import type { Address, OperatorRequest, PageRequest } from "../Pages.ts"
import * as Language from "../pages/Language.ts"
import { header } from "../RequestHead.ts"
import * as ConsoleTexts from "./ConsoleTexts.ts"
import type { Call } from "./ContractCalls.ts"

/** A request of a page, before anyone has signed in. */
export interface Guest extends Address {
  readonly request: PageRequest
  readonly language: ConsoleTexts.ConsoleLanguage
  readonly text: ConsoleTexts.Texts
}

export interface Visit extends Guest {
  readonly operator: OperatorRequest["operator"]
  /** The token that every form of the session has. */
  readonly formToken: string
  readonly call: Call
  /** Makes an idempotency key for the forms of a page. */
  readonly newKey: () => string
  readonly nowMs: number
}

/** Returns the values of a cookie. A browser sends several if pages of other paths of the host set some of the same name. */
export const cookies = (request: PageRequest, name: string): ReadonlyArray<string> =>
  header(request, "cookie")
    .split(";", 64)
    .map((text) => text.trim())
    .filter((text) => text.startsWith(`${name}=`) && text.length > name.length + 1)
    .map((text) => text.slice(name.length + 1))

export const languageCookie = "pay-language"

const languageOf = (request: PageRequest): ConsoleTexts.ConsoleLanguage => {
  const chosen = cookies(request, languageCookie).find(ConsoleTexts.isLanguage)
  if (chosen !== undefined) return chosen
  const preferred = Language.choose("", header(request, "accept-language"))
  return ConsoleTexts.isLanguage(preferred) ? preferred : "en"
}

export const guest = (request: PageRequest, address: Address): Guest => {
  const language = languageOf(request)
  return { ...address, request, language, text: ConsoleTexts.textsIn(language) }
}

/** Returns a relative address of the console: `at(visit, "orders/1")`. */
export const at = ({ root }: Pick<Guest, "root">, path: string): string =>
  `${root}console${path === "" ? "" : `/${path}`}`

/** Returns the token of a session's forms. Only who has the session's cookie can compute it. */
export const formTokenOf = (session: Redacted.Redacted<string>): string =>
  createHash("sha256")
    .update(`form ${Redacted.value(session)}`)
    .digest("base64url")

export const isFormToken = (expected: string, sent: string): boolean => {
  const [a, b] = [Buffer.from(expected), Buffer.from(sent)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Whether a form was sent by a page of this gateway. Browsers say it themselves over TLS and on the machine; elsewhere the origin must be
 * the address that was asked.
 */
export const isOwnForm = (request: PageRequest): boolean => {
  const site = header(request, "sec-fetch-site")
  return site === ""
    ? URL.parse(header(request, "origin"))?.host === header(request, "host").toLowerCase()
    : site === "same-origin"
}

/** Whether the browser came from a page of another site, so that it withheld the session's cookie. */
export const isFromElsewhere = ({ request }: Guest): boolean =>
  ["cross-site", "same-site"].includes(header(request, "sec-fetch-site"))

/** Whether the operator may do what needs this role. */
export const may = ({ operator }: Pick<Visit, "operator">, role: Role | undefined): boolean =>
  role === undefined || operator.roles.includes(role)
