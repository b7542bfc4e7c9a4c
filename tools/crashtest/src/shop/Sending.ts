/** Makes the request or the program of one order from the template's. */
import { Predicate } from "effect"
import type { Dispatcher } from "undici"
import * as Substitution from "../template/Substitution.ts"
import type * as ShopRequests from "./ShopRequests.ts"

export interface Sending {
  readonly request?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly run?: ReadonlyArray<string>
}

const form = "application/x-www-form-urlencoded"
const json = "application/json"

const inString = (value: string): string => JSON.stringify(value).slice(1, -1)

const fieldsOf = (body: object): string =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value)
    ])
  ).toString()

/** The body with its values as its type wants them: percent-encoded in a form, escaped in JSON. */
const bodyOf = (body: unknown, type: string, values: Substitution.Values): string => {
  if (typeof body !== "string") {
    const filled = Substitution.inJson(body, values)
    return type.startsWith(form) && Predicate.isObject(filled) ? fieldsOf(filled) : JSON.stringify(filled)
  }
  if (type.startsWith(form)) return Substitution.inText(body, values, encodeURIComponent)
  return Substitution.inText(body, values, /json/i.test(type) ? inString : undefined)
}

const methods: Readonly<Record<string, Dispatcher.HttpMethod>> = {
  GET: "GET",
  POST: "POST",
  PUT: "PUT",
  PATCH: "PATCH",
  DELETE: "DELETE"
}

/** The request for one order. Its path is below the address of the shop. */
export const requestOf = (
  { body, headers = {}, request = "GET /" }: Sending,
  shop: URL,
  values: Substitution.Values
): Omit<ShopRequests.Request, "timeoutMs"> => {
  const [method = "GET", target = "/"] = request.split(" ")
  const url = new URL(Substitution.inText(target, values, encodeURIComponent), shop).href
  const named = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Substitution.inText(value, values)])
  )
  const type = named["content-type"] ?? (typeof body === "string" ? form : json)
  return {
    url,
    method: methods[method] ?? "GET",
    headers: { accept: "*/*", ...named, ...(body === undefined ? {} : { "content-type": type }) },
    body: body === undefined ? undefined : bodyOf(body, type, values)
  }
}

export const programOf = ({ run = [] }: Sending, values: Substitution.Values): ReadonlyArray<string> =>
  run.map((word) => Substitution.inText(word, values))
