/** Reads a call that sends a request: `fetch` or `axios` of JavaScript, `requests.post` of Python, `Invoke-RestMethod` of PowerShell. */
import * as Literals from "./Literals.ts"
import type { PastedRequest } from "./PastedRequest.ts"
import * as PrintedFields from "./PrintedFields.ts"

type Options = ReadonlyMap<string, Literals.Literal>

const form = "application/x-www-form-urlencoded"

const optionsOf = (entries: Extract<Literals.Literal, { _tag: "Entries" }>["entries"]): Options =>
  new Map(entries.flatMap(({ key, value }) => (key === undefined ? [] : [[key.toLowerCase(), value] as const])))

const textOf = (literal: Literals.Literal | undefined, what: string): string => {
  if (literal?._tag !== "Text") throw new Literals.NotData(`no ${what}`)
  return literal.text
}

/** Returns the body that a value becomes, and the type with which it is sent. */
const bodyOf = (value: Literals.Literal | undefined, isObjectForm: boolean): readonly [body: string, type?: string] => {
  if (value === undefined || value._tag === "Nothing") return [""]
  if (value._tag === "Text") return [value.text]
  if (value._tag === "Entries" && isObjectForm) return [PrintedFields.formOf(Literals.fieldsOf(value)), form]
  if (value._tag === "Entries")
    throw new Literals.NotData(
      "an object as its body, which fetch sends as [object Object]: send new URLSearchParams(fields)"
    )
  if (value.name !== "JSON.stringify") return [PrintedFields.formOf(PrintedFields.ofParams(value)), form]
  const fields = value.arguments[0] === undefined ? [] : Literals.fieldsOf(value.arguments[0].value)
  return [JSON.stringify(Object.fromEntries(fields))]
}

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Literals.Literal | undefined
  readonly body: readonly [body: string, type?: string]
  readonly type?: string
}

const requestOf = ({ body: [body, ownType], headers, method, type = ownType, url }: Sent): PastedRequest => {
  const given = headers === undefined ? [] : Literals.fieldsOf(headers)
  const named = given.map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    method: method.toUpperCase(),
    url,
    isSchemeKnown: true,
    headers: new Map([...(type === undefined ? [] : [["content-type", type] as const]), ...named]),
    body
  }
}

const ofFetch = (text: string): PastedRequest => {
  const call = Literals.first(text)
  if (call._tag !== "Call") throw new Literals.NotData("no call")
  const [address, second] = call.arguments
  const options = optionsOf(second?.value._tag === "Entries" ? second.value.entries : [])
  const method = options.get("method")
  return requestOf({
    url: textOf(address?.value, "address"),
    method: method === undefined ? "GET" : textOf(method, "method"),
    headers: options.get("headers"),
    body: bodyOf(options.get("body"), false)
  })
}

/** An object becomes JSON, unless the headers say that it is a form; a text is sent as a form if they do not say what it is. */
const axiosBody = (data: Literals.Literal | undefined, isForm: boolean): readonly [body: string, type?: string] => {
  if (data?._tag !== "Entries") {
    const [body, type = form] = bodyOf(data, true)
    return [body, type]
  }
  return isForm ? bodyOf(data, true) : [JSON.stringify(Object.fromEntries(Literals.fieldsOf(data))), "application/json"]
}

/** `axios(config)`, `axios.request(config)`, `axios.post(address, data, config)` and `axios(address, config)`. */
const ofAxios = (text: string): PastedRequest => {
  const call = Literals.first(text)
  if (call._tag !== "Call") throw new Literals.NotData("no call")
  const values = call.arguments.map(({ value }) => value)
  const [address, data] = values[0]?._tag === "Text" ? values : []
  const verb = call.name.slice("axios".length + 1)
  const hasData = ["post", "put", "patch"].includes(verb)
  const config = values[address === undefined ? 0 : hasData ? 2 : 1]
  const options = optionsOf(config?._tag === "Entries" ? config.entries : [])
  const method = options.get("method")
  const headers = options.get("headers")
  const given = headers === undefined ? [] : Literals.fieldsOf(headers)
  const isForm = given.some(([name, value]) => name.toLowerCase() === "content-type" && value.startsWith(form))
  return requestOf({
    url: textOf(address ?? options.get("url"), "address"),
    method: method === undefined ? (verb === "" || verb === "request" ? "GET" : verb) : textOf(method, "method"),
    headers,
    body: axiosBody(hasData && address !== undefined ? data : options.get("data"), isForm)
  })
}

const ofRequests = (text: string): PastedRequest => {
  const call = Literals.first(text)
  if (call._tag !== "Call") throw new Literals.NotData("no call")
  const options = optionsOf(call.arguments)
  const [address, second] = call.arguments.filter(({ key }) => key === undefined)
  const json = options.get("json")
  return requestOf({
    url: textOf(address?.value ?? options.get("url"), "address"),
    method: call.name.slice(call.name.lastIndexOf(".") + 1),
    headers: options.get("headers"),
    body:
      json === undefined
        ? bodyOf(options.get("data") ?? second?.value, true)
        : [JSON.stringify(Object.fromEntries(Literals.fieldsOf(json)))],
    ...(json !== undefined && { type: "application/json" })
  })
}

/** The parameters of a command of PowerShell, whose names may be shortened. */
const parameters = ["uri", "method", "body", "headers", "contenttype", "usebasicparsing", "websession", "useragent"]

const ofPowerShell = (text: string): PastedRequest => {
  const line = text.replaceAll(/`\r?\n/g, " ")
  const options = new Map<string, Literals.Literal>()
  for (const { 1: name = "", index, 0: all } of line.matchAll(/\s-([A-Za-z]+)[ \t]+(?=['"@\w$])/g)) {
    const option = parameters.find((each) => each.startsWith(name.toLowerCase()))
    const rest = line.slice(index + all.length)
    const bare = /^[A-Za-z]+(?=\s|$)/.exec(rest)?.[0]
    if (option !== undefined && option !== "websession" && option !== "usebasicparsing" && !options.has(option))
      options.set(option, bare === undefined ? Literals.first(rest, true) : { _tag: "Text", text: bare })
  }
  const type = options.get("contenttype")
  const [body, ownType] = bodyOf(options.get("body"), true)
  return requestOf({
    url: textOf(options.get("uri"), "address after -Uri"),
    method: options.has("method") ? textOf(options.get("method"), "method") : "GET",
    headers: options.get("headers"),
    body: ownType === undefined ? [body] : [body, ownType],
    ...(type !== undefined && { type: textOf(type, "type") })
  })
}

/** The calls by their beginning. */
export const forms: ReadonlyArray<readonly [shape: RegExp, read: (text: string) => PastedRequest]> = [
  [/^(await )?fetch\(/, ofFetch],
  [/^(await )?axios(\.\w+)?\(/, ofAxios],
  [/^(\w+ = )?requests\.(post|get|put)\(/, (text) => ofRequests(text.replace(/^\w+ = /, ""))],
  [/^(\$\w+ = ?)?(Invoke-|New-Object )/i, (text) => ofPowerShell(text.slice(Math.max(0, text.search(/Invoke-/i))))]
]
