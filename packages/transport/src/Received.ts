/**
 * Describes an answer that is not one of this protocol: what was received, and what to check. A description contains no text of the
 * answer, except the host of a redirect.
 */
import * as Pairs from "@pay/schema/Pairs"
import { Result } from "effect"
import type { WireAnswer } from "./WirePort.ts"

const header = ({ headers }: WireAnswer, name: string): string => {
  const value = headers[name]
  return typeof value === "string" ? value : ""
}

const kindOf = (answer: WireAnswer): string => {
  const body = answer.body.trim()
  if (isOlder(answer)) return "text"
  if (/^(?:text\/html|application\/xhtml)/i.test(header(answer, "content-type")) || body.startsWith("<"))
    return "a page (HTML)"
  if (body === "") return "an empty answer"
  return /^[{[]/.test(body) || isWhole(body) ? "JSON" : "text"
}

/** Whether a body is of the older dialect, which calls its pairs HTML. */
const isOlder = ({ body }: WireAnswer): boolean =>
  !body.trimStart().startsWith("<") && Pairs.read(body)?.type !== undefined

/** Whether a text is JSON from its beginning to its end. */
const isWhole = (text: string): boolean => Result.isSuccess(Result.try((): unknown => JSON.parse(text)))

/** What to check after a status that the address, or a party before the gateway, is known to give. */
const checks: Readonly<Record<number, string>> = {
  401: "a login or a firewall before the gateway refuses this program: have it admitted, and check baseUrl",
  403: "a login or a firewall before the gateway refuses this program: have it admitted, and check baseUrl",
  404: "wrong path, the address is not a gateway's. baseUrl is everything before /api/",
  405: "wrong path, the address takes no POST and is not a gateway's. baseUrl is everything before /api/",
  407: "a proxy asks for a login: check the proxy",
  410: "wrong path, the address is not a gateway's. baseUrl is everything before /api/",
  413: "a proxy before the gateway takes no request of this size: report it to the gateway's support",
  429: "a proxy before the gateway limits this program: call less often",
  511: "this network asks for a sign-in: check the network"
}

const elsewhere =
  "a website, a login or the sign-in of this network answers, not the gateway: check baseUrl and the network"
const before = "a proxy answers for the gateway, which is not available: try later, and check baseUrl if it stays so"
const otherForm = 'the answer has the form of the older dialect: name the dialect in profile, such as "pairs"'
const cutOff = "it is incomplete, because the connection or a proxy cut it off: try again"
const otherFields = "its fields are not those of this protocol: check baseUrl and profile"

const checkOf = (answer: WireAnswer, kind: string): string => {
  const { body, status } = answer
  const check = checks[status]
  if (check !== undefined) return check
  if (status >= 500) return before
  if (status === 200 && isOlder(answer)) return otherForm
  if (kind !== "JSON") return elsewhere
  return isWhole(body) ? otherFields : cutOff
}

const redirect = (location: string, url: string): string => {
  const target = URL.parse(location, url)
  if (target === null || !/^https?:$/.test(target.protocol)) return "a redirect: check baseUrl"
  if (target.origin === new URL(url).origin)
    return "a redirect to another path: a login or another program answers at this address, check baseUrl"
  return `a redirect to ${target.origin.slice(0, 100)}: if this is the gateway's address, write it in baseUrl`
}

/** Returns what was received from this URL, and what to check. */
export const describe = (answer: WireAnswer, url: string): string => {
  const { status } = answer
  const location = header(answer, "location")
  if (status >= 300 && status < 400 && location !== "") return redirect(location, url)
  const kind = kindOf(answer)
  return `${kind}: ${checkOf(answer, kind)}`
}
