/**
 * The address at which a merchant receives callbacks (docs/assumptions.md#callback-payload). Its own query is sent in one form,
 * which decoding and encoding by a web framework does not change, and has no parameter that a callback has.
 */
import * as Form from "@pay/signing/Form"
import * as Callback from "./Callback.ts"

/** The address that the gateway calls, and its query without `?`. */
export interface Called {
  readonly url: string
  readonly query: string
}

/** Returns what is wrong with the query of an address, as the end of the sentence "Parameter X …". */
export const flaw = (text: string): string | undefined => {
  const [address = ""] = text.split("#", 1)
  const queryAt = address.indexOf("?")
  const own = Form.parse(queryAt === -1 ? "" : address.slice(queryAt + 1))
  if (!own.ok) return "must have a query of percent-encoded UTF-8"
  const names = own.parameters.map(([name]) => nameAtReceiver(name))
  const reserved = names.find((name) => Callback.names.has(name))
  return reserved === undefined
    ? undefined
    : `must not have ${reserved} in its query, because each callback has a parameter of this name`
}

/**
 * Returns the name under which a receiver may find a parameter: some frameworks ignore case, PHP reads `client.orderid` as
 * `client_orderid` and ends a name at NUL, and PHP and Express read `status[]` and `[status]` as values of `status`.
 */
const nameAtReceiver = (name: string): string => {
  const [text = ""] = name.split("\0", 1)
  const [first = ""] = text.split(/[[\]]/).filter((part) => part !== "")
  return first.trim().replace(/[ .]/g, "_").toLowerCase()
}

/**
 * Adds parameters to the query of an address, after the merchant's own ones. Every parameter is written in the same form, and the
 * fragment is removed. Returns `undefined` if the text is no address, or its query cannot be decoded.
 */
export const complete = (text: string, parameters: ReadonlyArray<Form.Parameter>): Called | undefined => {
  const url = URL.parse(text)
  const own = Form.parse(url?.search.slice(1) ?? "")
  if (url === null || !own.ok) return undefined
  const query = Form.write([...own.parameters, ...parameters])
  url.hash = ""
  url.search = query
  return { url: url.href, query }
}

/** Returns one text for all spellings of an address. A text that is no address stays unchanged. */
export const canonical = (text: string): string => complete(text, [])?.url ?? text
