/** Parses a request that the user has pasted: a curl command, raw HTTP, or an entry of a HAR file. */
import { UsageError } from "../terminal/UsageError.ts"

export interface PastedRequest {
  readonly method: string
  /** The absolute address, or only path and query if the text names no host. */
  readonly url: string
  /** Whether the text says that the address is one of http or https. Otherwise `url` has https, which may be wrong. */
  readonly isSchemeKnown: boolean
  /** The headers by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Returns the query of an address, as it was written. */
export const queryOf = (url: string): string => {
  const [address = ""] = url.split("#", 1)
  const begin = address.indexOf("?")
  return begin === -1 ? "" : address.slice(begin + 1)
}

const unreadable = (what: string): UsageError =>
  new UsageError(`--request holds no request that can be read: ${what}. ${whatToPaste}`, "explain")

const whatToPaste =
  "Paste what was sent: a curl command (browsers have Copy as cURL), raw HTTP with its headers and body, or a HAR entry. Fields alone, as a program prints them, do not show how they were encoded; pay explain OPERATION --form FILE takes a body of name=value&name=value"

/** Splits a command into words as a shell does: quotes, backslashes, continued lines, and the end of the command. */
const shellWords = (text: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word: string | undefined
  let at = 0
  const quoted = (end: string, escapes: boolean): string => {
    let inside = ""
    while (at < text.length && text[at] !== end) {
      if (escapes && text[at] === "\\" && at + 1 < text.length) at += 1
      inside += text[at]
      at += 1
    }
    if (at >= text.length) throw unreadable("a quote of the curl command is not closed")
    return inside
  }
  while (at < text.length) {
    const character = text[at] ?? ""
    at += 1
    if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === "\\") {
      if (text[at] === "\n") at += 1
      else if (text.startsWith("\r\n", at)) at += 2
      else {
        word = (word ?? "") + (text[at] ?? "")
        at += 1
      }
    } else if (character === "'" || character === '"') {
      word = (word ?? "") + quoted(character, character === '"')
      at += 1
    } else if (character === "$" && text[at] === "'") {
      at += 1
      word = (word ?? "") + quoted("'", true)
      at += 1
    } else if (/[&;|<>]/.test(character)) {
      if (word === undefined || /^[12]$/.test(word)) return words
      throw unreadable(
        `a shell ends the curl command at the ${character} outside quotes: quote the address and the body`
      )
    } else word = (word ?? "") + character
  }
  return word === undefined ? words : [...words, word]
}

const dataFlags: ReadonlySet<string> = new Set(["-d", "--data", "--data-raw", "--data-binary", "--data-ascii"])
/** Flags of curl with a value that is not a part of the request. */
const otherFlags =
  /^(-[AbcEemouxwTCKrtyYzU]|--(user-agent|cookie|cookie-jar|cert|key|cacert|capath|connect-timeout|max-time|output|user|proxy|write-out|retry|resolve|interface|referer))$/

const urlencoded = (text: string): string => {
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
  const [, ...words] = shellWords(text)
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
    else if (dataFlags.has(flag)) data.push(value())
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
  if (data.some((part) => part.startsWith("@")))
    throw unreadable("the curl command reads its body from a file: give the body itself")
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

/** What a text looks like that a program prints of its own fields. */
const printed: ReadonlyArray<readonly [what: string, shape: RegExp]> = [
  ["it is an array as PHP prints it", /^(Array\s*\(|array\(\d+\) \{)/],
  ["it is a command of PowerShell: choose Copy as cURL", /^(\$session|Invoke-(WebRequest|RestMethod)\b)/],
  ["it is a call of fetch: choose Copy as cURL", /^(await )?fetch\(/],
  ["it is a line of a log before the request", /^\[?\d{4}-\d\d-\d\d/]
]

const ofHttp = (text: string): PastedRequest => {
  const [head = "", ...rest] = text.split(/\r?\n\r?\n/)
  const [first = "", ...lines] = unfolded(head)
  const [, method, target] = /^([A-Z]+) (\S+)( HTTP\/[\d.]+)?$/.exec(first.trim()) ?? []
  if (method === undefined || target === undefined)
    throw unreadable(
      printed.find(([, shape]) => shape.test(text))?.[0] ??
        "it begins neither with curl, nor with a line like POST /api/v2/sale/1 HTTP/1.1, nor as JSON"
    )
  const headers = new Map(lines.filter((line) => line.includes(":")).map(headerOf))
  if (/\bchunked\b/i.test(headers.get("transfer-encoding") ?? "") && /^[0-9a-f]+\r?\n/i.test(rest[0] ?? ""))
    throw unreadable("its body is in chunks: give the body itself, without the lengths and line ends of the chunks")
  const host = headers.get("host")
  const scheme = /^https?$/.exec(headers.get("x-forwarded-proto")?.toLowerCase() ?? "")?.[0]
  const isAbsolute = /^https?:/i.test(target)
  const url = isAbsolute || host === undefined ? target : `${scheme ?? "https"}://${host}${target}`
  const isSchemeKnown = isAbsolute || scheme !== undefined
  return { method, url, isSchemeKnown, headers, body: rest.join("\n\n").trimEnd() }
}

type Json = Readonly<Record<string, unknown>>
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null
const textOf = (value: unknown): string => (typeof value === "string" ? value : "")
const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isJson) : [])

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(/^\{\s*'/.test(text) ? "it is a dictionary as Python prints it" : "it begins as JSON and is none")
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

/** Returns a command in the writing of `cmd.exe` or PowerShell in that of other shells. */
const ofWindows = (command: string): string =>
  /\^(\r?\n|")/.test(command)
    ? command.replaceAll(/\^\r?\n/g, " ").replaceAll(/\^(.)/g, "$1")
    : command.replaceAll(/`\r?\n/g, " ")

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

export const parse = (text: string): PastedRequest => {
  const pasted = text.trim().replace(/^\$ /, "")
  if (isCallbackQuery(pasted)) return callbackOf(`https://callback.invalid/?${pasted.replace(/^\?/, "")}`)
  if (/^https?:\/\//.test(pasted) && !/\s/.test(pasted) && /[?&]control=/.test(pasted)) return callbackOf(pasted)
  if (/^curl(\.exe)?\s/.test(pasted)) return ofCurl(ofWindows(pasted))
  if (pasted.startsWith("> ")) return ofHttp(pasted.replaceAll(/^> ?/gm, ""))
  return pasted.startsWith("{") ? ofHar(pasted) : ofHttp(pasted)
}
