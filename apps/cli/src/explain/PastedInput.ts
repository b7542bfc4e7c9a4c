/** Reads a request that the user has pasted into `pay explain`: its operation, fields, signature, and the address that it has. */
import * as Dialect from "@pay/schema/Dialect"
import * as Loopback from "@pay/schema/Loopback"
import type { NamedMistake, OtherBase } from "@pay/signing/Explain"
import { commands } from "../Commands.ts"
import * as Flags from "../command/Flags.ts"
import * as Profiles from "../command/Profiles.ts"
import * as Credentials from "../request/Credentials.ts"
import * as Endpoint from "../request/Endpoint.ts"
import * as FieldInput from "../request/FieldInput.ts"
import { variable, variables } from "../terminal/Environment.ts"
import * as Files from "../terminal/Files.ts"
import { UsageError } from "../terminal/UsageError.ts"
import type { PastedRequest } from "./PastedRequest.ts"
import * as RequestMistakes from "./RequestMistakes.ts"
import * as RequestText from "./RequestText.ts"

/** What a pasted request tells beside its fields. */
export interface Pasted {
  /** The addresses that the request may have, the most likely first. They differ in http and https, if nothing tells which it is. */
  readonly urls: ReadonlyArray<string>
  readonly body: string
  /** What a right signature leaves open: the request is addressed to another host than that of the settings. */
  readonly note: string | undefined
  /** What a right signature leaves open: the request has another `Accept` than the specification allows. */
  readonly acceptNote: string | undefined
  /** The login of the settings, if no flag gives another one. */
  readonly login: string | undefined
  /** Endpoint ids of the settings and profiles. */
  readonly otherIds: ReadonlyArray<string>
  readonly otherBases: ReadonlyArray<OtherBase>
}

export type Read =
  | { readonly _tag: "NotPasted" }
  | { readonly _tag: "Callback"; readonly args: ReadonlyArray<string> }
  | { readonly _tag: "Mistaken"; readonly given: Flags.Given; readonly mistakes: ReadonlyArray<NamedMistake> }
  | { readonly _tag: "Readable"; readonly input: FieldInput.FieldInput; readonly pasted: Pasted }

const written = (flags: Iterable<readonly [string, string]>): ReadonlyArray<string> =>
  [...flags].map(([name, text]) => (name === "json" ? "--json" : `--${name}=${text}`))

export const read = async (args: ReadonlyArray<string>): Promise<Read> => {
  const given = Flags.ofCommand(args, commands.explain, "explain")
  const path = given.flags.get("request")
  if (path === undefined) return { _tag: "NotPasted" }
  const pasted = withFieldsOfQuery(RequestText.parse(await Files.read("request", path)), given)
  const flags = [...given.flags].filter(([name]) => name !== "request")
  const located = RequestMistakes.locate(pasted.url)
  if (located === undefined) return callback(pasted, flags)
  if ("meant" in located) return { _tag: "Mistaken", given, mistakes: [RequestMistakes.ofPath(located.meant)] }
  const { endpointId, operation } = located
  const mistakes = RequestMistakes.of(pasted, operation, given.flags.has("received"))
  if (mistakes.length > 0) return { _tag: "Mistaken", given, mistakes }
  const authorization = pasted.headers.get("authorization")
  const settings = new Map([
    ["endpoint-id", endpointId],
    ...(authorization === undefined ? [] : [["received", authorization] as const]),
    ...flags
  ])
  const page = `explain ${operation.command}`
  const input = await FieldInput.of(operation, page, commands.explain, written(settings), pasted.body)
  const urls = given.flags.has("base-url") ? [Endpoint.url(operation, input.given)] : urlsOf(pasted, given)
  return {
    _tag: "Readable",
    input,
    pasted: {
      urls,
      body: pasted.body,
      note: noteOf(urls[0], given),
      acceptNote: acceptNoteOf(pasted, given),
      login: given.flags.has("login") ? undefined : variable("PAY_LOGIN"),
      otherIds: otherIds(endpointId),
      otherBases: otherBases(given)
    }
  }
}

/**
 * Takes the query as the body where gateways of the older dialect do: in a request with neither a body nor a `Content-Type`. Other
 * gateways refuse it.
 */
const withFieldsOfQuery = (pasted: PastedRequest, given: Flags.Given): PastedRequest => {
  const query = RequestText.queryOf(pasted.url)
  const isTaken = pasted.method === "POST" && pasted.body === "" && query !== "" && !pasted.headers.has("content-type")
  return isTaken && Endpoint.profile(given).answers === "pairs" ? { ...pasted, body: query } : pasted
}

const callback = ({ url }: PastedRequest, flags: ReadonlyArray<readonly [string, string]>): Read => {
  if (/[?&]control=/.test(url)) return { _tag: "Callback", args: [url, ...written(flags)] }
  throw new UsageError(
    "The address of --request is none of an operation: …/api/v2/sale/ENDPOINT, or of a callback",
    "explain"
  )
}

/** Returns the addresses that a request may have. Raw HTTP says neither http nor https, and may say no host. */
const urlsOf = ({ isSchemeKnown, url }: PastedRequest, given: Flags.Given): ReadonlyArray<string> => {
  const base = URL.parse(Credentials.setting(given, "base-url") ?? "")
  const address = URL.parse(url)
  if (address === null) return [`${URL.parse(Credentials.need(given, "base-url"))?.origin}${url}`]
  if (base !== null && isSameMachine(base, address)) return [base.origin + url.slice(originLength(url))]
  if (isSchemeKnown) return [url]
  const rest = url.slice("https:".length)
  const own = ["https:", "http:"].find(
    (scheme) => scheme === base?.protocol && URL.parse(scheme + rest)?.host === base.host
  )
  if (own !== undefined) return [own + rest]
  if (/^\/\/[^/]*:443(\/|$)/.test(rest)) return [url]
  if (/^\/\/[^/]*:80(\/|$)/.test(rest)) return [`http:${rest}`]
  return Loopback.isOn(url) ? [`http:${rest}`, url] : [url, `http:${rest}`]
}

/** Length of the part of an absolute address before its path. */
const originLength = (url: string): number => {
  const path = url.indexOf("/", url.indexOf("//") + 2)
  return path === -1 ? url.length : path
}

/**
 * Whether two addresses lead to one gateway on this machine. It has one public address, that of the settings, and another name of
 * the machine is not the text that it verifies.
 */
const isSameMachine = (base: URL, address: URL): boolean =>
  Loopback.isOn(base.href) && Loopback.isOn(address.href) && base.port === address.port

/** Returns the note of a request that is addressed to another host than that of the settings. */
const noteOf = (url: string | undefined, given: Flags.Given): string | undefined => {
  const [own, other] = [Credentials.setting(given, "base-url"), url].map((text) => URL.parse(text ?? "")?.host)
  return own === undefined || other === undefined || own === other
    ? undefined
    : `It is addressed to ${other}, and the settings (PAY_BASE_URL) name ${own}: a gateway verifies its own public address.`
}

/** Returns the note of a request with another `Accept` than that of the specification, which the older dialect does not ask for. */
const acceptNoteOf = ({ headers }: PastedRequest, given: Flags.Given): string | undefined => {
  const accept = headers.get("accept")?.trim()
  const isAllowed = accept === undefined || accept.toLowerCase().includes(Dialect.mediaType)
  return isAllowed || Endpoint.profile(given).answers === "pairs"
    ? undefined
    : `Its Accept is ${accept.slice(0, 60)}: the specification allows ${Dialect.mediaType} alone, and a gateway may refuse another one.`
}

const withoutGroup = (id: string): string => id.replace(/^group\//, "")

const profiles = (): ReadonlyArray<readonly [name: string, profile: Profiles.Profile]> =>
  Object.entries(Profiles.read(variables()).profiles)

const otherIds = (endpointId: string): ReadonlyArray<string> => {
  const ids = [variable("PAY_ENDPOINT_ID"), ...profiles().map(([, profile]) => profile["endpoint-id"])]
  return [...new Set(ids.flatMap((id) => (id === undefined ? [] : withoutGroup(id))))].filter((id) => id !== endpointId)
}

/** Returns other addresses of gateways, which may have been signed by mistake. */
export const otherBases = (given: Flags.Given): ReadonlyArray<OtherBase> => {
  const own = Credentials.setting(given, "base-url")
  const others = given.flags.get("other-urls")?.split(",") ?? []
  return [
    ...others.map((text) => ({ label: `signed with ${text.trim()}`, base: text.trim().replace(/\/$/, "") })),
    ...(own === undefined ? [] : [{ label: "the address of the settings (PAY_BASE_URL)", base: own }]),
    ...profiles().flatMap(([name, profile]) =>
      profile["base-url"] === undefined
        ? []
        : [{ label: `the address of the profile ${name}`, base: profile["base-url"] }]
    )
  ]
}
