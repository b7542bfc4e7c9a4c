/** Parses a request that the user has pasted: a curl command, a call of a program, raw HTTP, or an entry of a HAR file. */
import { UsageError } from "../terminal/UsageError.ts"
import * as Literals from "./Literals.ts"
import type { PastedRequest } from "./PastedRequest.ts"
import * as PrintedFields from "./PrintedFields.ts"
import * as RequestCalls from "./RequestCalls.ts"
import { shellWords } from "./ShellWords.ts"

/** Returns the query of an address, as it was written. */
export const queryOf = (url: string): string => {
  const [address = ""] = url.split("#", 1)
  const begin = address.indexOf("?")
  return begin === -1 ? "" : address.slice(begin + 1)
}

const unreadable = (what: string): UsageError =>
  new UsageError(`--request holds no request that can be read: ${what}. ${whatToPaste}`, "explain")

const whatToPaste =
  "Paste what was sent: a curl command (browsers have Copy as cURL), a call of fetch, axios, requests.post or Invoke-RestMethod with its values, raw HTTP with its headers and body, or a HAR entry"

const dataFlags: ReadonlySet<string> = new Set(["-d", "--data", "--data-raw", "--data-binary", "--data-ascii"])
/** Flags of curl with a value that is not a part of the request. */
const otherFlags =
  /^(-[AbcEemouxwTCKrtyYzU]|--(user-agent|cookie|cookie-jar|cert|key|cacert|capath|connect-timeout|max-time|output|user|proxy|write-out|retry|resolve|interface|referer))$/

/** Refuses data that curl reads from a file or from standard input. */
const ofNoFile = (data: string): string => {
  if (data.startsWith("@")) throw unreadable("the curl command reads its body from a file: give the body itself")
  return data
}

const urlencoded = (text: string): string => {
  if (/^[\w.-]*@/.test(text)) ofNoFile("@")
  const equals = text.indexOf("=")
  return equals === -1
    ? encodeURIComponent(text)
    : `${equals === 0 ? "" : `${text.slice(0, equals)}=`}${encodeURIComponent(text.slice(equals + 1))}`
}

const headerOf = (line: string): readonly [string, string] => {
  const colon = line.indexOf(":")
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
}

const ofCurl = (text: string): PastedRequest => {
  const [, ...words] = shellWords(...ofWindows(text))
  const headers = new Map<string, string>()
  const data: Array<string> = []
  let method: string | undefined
  let url: string | undefined
  let isQuery = false
  for (let at = 0; at < words.length; at += 1) {
    const [flag, inline] = flagOf(words[at] ?? "")
    const value = (): string => {
      if (inline !== undefined) return inline
      at += 1
      return words[at] ?? ""
    }
    if (flag === "-X" || flag === "--request") method = value()
    else if (flag === "-H" || flag === "--header") headers.set(...headerOf(value()))
    else if (dataFlags.has(flag)) data.push(flag === "--data-raw" ? value() : ofNoFile(value()))
    else if (flag === "--data-urlencode") data.push(urlencoded(value()))
    else if (flag === "--json") {
      headers.set("content-type", "application/json")
      data.push(value())
    } else if (flag === "-F" || flag === "--form") {
      headers.set("content-type", "multipart/form-data")
      data.push(value())
    } else if (flag === "-G" || flag === "--get") isQuery = true
    else if (flag === "--url") url = value()
    else if (otherFlags.test(flag)) value()
    else if (!flag.startsWith("-")) url ??= flag
  }
  if (url === undefined) throw unreadable("the curl command names no address")
  const address = /^https?:/i.test(url) ? url : `http://${url}`
  const body = data.join("&")
  const target = isQuery
    ? { url: `${address}${address.includes("?") ? "&" : "?"}${body}`, body: "" }
    : { url: address, body }
  const sent = method ?? (data.length > 0 && !isQuery ? "POST" : "GET")
  return { method: sent, isSchemeKnown: true, headers, ...target }
}

/** Splits an argument of curl into its flag and the value that is attached to it: `--url=…`, `-XPOST`, `-sSd`. */
const flagOf = (written: string): readonly [flag: string, inline?: string] => {
  const word = written.replace(/^-[sSkvifgLN]+(?=[A-Za-z])/, "-")
  const [, long, text] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? []
  if (long !== undefined && text !== undefined) return [long, text]
  const [, short, attached] = /^(-[XHdF])(.+)$/s.exec(word) ?? []
  return short !== undefined && attached !== undefined ? [short, attached] : [word]
}

/** Splits a head into its lines. A header that goes on in lines which begin with a blank keeps its line ends. */
const unfolded = (head: string): ReadonlyArray<string> =>
  head.split(/\r?\n(?![ \t])/).map((line) => line.replaceAll("\r", ""))

/** Texts that hold no request which can be read, each with the reason. */
const refused: ReadonlyArray<readonly [what: string, shape: RegExp]> = [
  ["it is a line of an access log, which has neither a body nor a signature", /^\S+ \S+ \S+ \[[^\]]+\] "[A-Z]+ /],
  ["it is a packet of Wireshark: choose Follow and then HTTP Stream", /^(Hypertext Transfer Protocol|Frame \d+:)/],
  ["it is the console of Postman: choose Show raw log", /^[A-Z]+ https?:\/\/\S+\s+\d{3}\b/],
  ["it is a line of a log before the request", /^\[?\d{4}-\d\d-\d\d/]
]

const ofHttp = (text: string): PastedRequest => {
  const [head = "", ...rest] = text.split(/\r?\n\r?\n/)
  const [first = "", ...lines] = unfolded(head)
  const [, method, target] = /^([A-Z]+) (\S+)( HTTP\/[\d.]+)?$/.exec(first.trim()) ?? []
  if (method === undefined || target === undefined)
    throw unreadable(
      "it begins neither with curl, nor with a line like POST /api/v2/sale/1 HTTP/1.1, nor as a call or as JSON"
    )
  const headers = new Map(lines.filter((line) => line.includes(":")).map(headerOf))
  if (/\bchunked\b/i.test(headers.get("transfer-encoding") ?? "") && /^[0-9a-f]+\r?\n/i.test(rest[0] ?? ""))
    throw unreadable("its body is in chunks: give the body itself, without the lengths and line ends of the chunks")
  const host = headers.get("host")
  const scheme = /^https?$/.exec(headers.get("x-forwarded-proto")?.toLowerCase() ?? "")?.[0]
  const isAbsolute = /^https?:/i.test(target)
  const url = isAbsolute || host === undefined ? target : `${scheme ?? "https"}://${host}${target}`
  const isSchemeKnown = isAbsolute || scheme !== undefined
  const body = rest.join("\n\n").split("\n")
  const answer = body.findIndex((line) => /^HTTP\/[\d.]+ \d{3}/.test(line))
  const own = body.slice(0, answer === -1 ? body.length : answer).join("\n")
  return { method, url, isSchemeKnown, headers, body: own.trimEnd() }
}

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJson) : [])

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable("it begins as JSON and is none")
  }
}

/** Returns the request of a HAR entry. Of a whole file, returns the first entry with a signature. */
const entryOf = (value: Json): Json => {
  if (isJson(value.request)) return value.request
  const entries = listOf(isJson(value.log) ? value.log.entries : value.entries).flatMap(({ request }) =>
    isJson(request) ? [request] : []
  )
  return entries.find((request) => /control=|"control"|OAuth /.test(JSON.stringify(request))) ?? entries[0] ?? value
}

const ofHar = (text: string): PastedRequest => {
  const value = parsed(text)
  const request = entryOf(isJson(value) ? value : {})
  const { headers, method, postData, url } = request
  if (typeof url !== "string") throw unreadable("the HAR entry has no request with an address")
  const post = isJson(postData) ? postData : {}
  const params = new URLSearchParams(listOf(post.params).map(({ name, value }) => [textOf(name), textOf(value)]))
  return {
    method: textOf(method) || "GET",
    url,
    isSchemeKnown: true,
    headers: new Map(listOf(headers).map(({ name, value }) => [textOf(name).toLowerCase(), textOf(value)])),
    body: textOf(post.text) || params.toString()
  }
}

/** Returns a command in the writing of `cmd.exe` or PowerShell in that of other shells, and whether it has their variables. */
const ofWindows = (command: string): readonly [command: string, hasVariables: boolean] =>
  /\^(\r?\n|")/.test(command)
    ? [command.replaceAll(/\^\r?\n/g, " ").replaceAll(/\^(.)/g, "$1"), false]
    : [command.replaceAll(/`\r?\n/g, " "), !/`\r?\n/.test(command)]

/** Reads what `http.client` of Python prints at its debug level. */
const ofHttpClient = (text: string): PastedRequest =>
  ofHttp(
    text
      .split("\n")
      .flatMap((line) => (line.startsWith("send: ") ? [Literals.first(line.slice("send: ".length))] : []))
      .map((literal) => (literal._tag === "Text" ? literal.text : ""))
      .join("")
  )

const callbackOf = (url: string): PastedRequest => ({
  method: "GET",
  url,
  isSchemeKnown: true,
  headers: new Map(),
  body: ""
})

/** Whether a text is the query of a callback, without its address. */
const isCallbackQuery = (text: string): boolean =>
  /^\??[\w.-]+=\S*$/.test(text) && ["status=", "orderid=", "control="].every((name) => text.includes(name))

/** The forms of a request by their beginning. */
const forms: ReadonlyArray<readonly [shape: RegExp, read: (text: string) => PastedRequest]> = [
  [/^curl(\.exe)?\s/, ofCurl],
  ...RequestCalls.forms,
  [/^> [A-Z]+ /, (text) => ofHttp(text.replaceAll(/^(> ?|< .*\n?)/gm, ""))],
  [/^< [A-Z]+ /, (text) => ofHttp(text.replaceAll(/^(< ?|> .*\n?)/gm, ""))],
  [/^send: b['"]/, ofHttpClient],
  [/^\{\s*("|\}|$)/, ofHar]
]

export const parse = (text: string): PastedRequest => {
  const pasted = text.trim().replace(/^\$ /, "")
  if (isCallbackQuery(pasted)) return callbackOf(`https://callback.invalid/?${pasted.replace(/^\?/, "")}`)
  if (/^https?:\/\//.test(pasted) && !/\s/.test(pasted) && /[?&]control=/.test(pasted)) return callbackOf(pasted)
  const [why] = refused.find(([, shape]) => shape.test(pasted)) ?? []
  if (why !== undefined) throw unreadable(why)
  const read = forms.find(([shape]) => shape.test(pasted))?.[1]
  if (read === undefined && PrintedFields.isPrinted(pasted))
    throw unreadable("it has fields alone. pay explain OPERATION --form FILE reads them")
  try {
    return (read ?? ofHttp)(pasted)
  } catch (error) {
    if (error instanceof Literals.NotData) throw unreadable(`it has ${error.message}`)
    throw error
  }
}
