/** Right requests as raw HTTP, from which the tables of mistakes make wrong ones. Nothing here uses the code that is tested. */
import { createHmac, generateKeyPairSync, hash, type KeyObject, sign } from "node:crypto"
import * as PayApi from "@pay/schema/PayApi"
import * as Sample from "@pay/schema/Sample"
import { merchant, secrets } from "../Pay.ts"
import { file } from "../TestFiles.ts"

type Fields = Readonly<Record<string, string>>

/** One row of a table: what the developer did, the name of the cause, and the request that came of it. */
export interface Row {
  /** What was done wrong, in words. */
  readonly did: string
  /** The name that must be found. `right` if the request is right, `unexplained` if no cause may be named. */
  readonly cause: string
  /** Further names that describe the very same text, and may be found beside it. */
  readonly or?: ReadonlyArray<string>
  readonly request: string
  readonly args?: ReadonlyArray<string>
  readonly env?: Fields
}

export const { controlKey } = secrets
export const login = merchant.PAY_LOGIN
export const sha1 = (text: string | Buffer): string => hash("sha1", text)

const form = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&")

/** A request signed by `control`, in the parts that a mistake replaces. */
export interface ControlParts {
  readonly line: string
  readonly headers: ReadonlyArray<string>
  readonly endpointId: string
  readonly fields: Fields
  /** The values of the recipe in their order, the amount in minor units. */
  readonly values: ReadonlyArray<string>
  readonly key: string
  readonly sign: (values: ReadonlyArray<string>, key: string) => string
  /** Writes the body of the fields and the control. */
  readonly body: (fields: Fields, control: string) => string
}

export const values = (fields: Fields, recipe: ReadonlyArray<string>, endpointId: string): ReadonlyArray<string> =>
  recipe.map((slot) =>
    slot === "endpointId"
      ? endpointId
      : slot === "amount" && fields.amount !== undefined
        ? String(Math.round(Number(fields.amount) * 100))
        : (fields[slot] ?? "")
  )

const host = "Host: gateway.example"
const formType = "Content-Type: application/x-www-form-urlencoded"

/** The right parts of an operation's sample request. */
const controlParts = (operation: (typeof PayApi.all)[number], more: Fields, endpointId: string): ControlParts => {
  if (operation.signing._tag !== "Control") throw new Error(`${operation.name} is signed with OAuth`)
  const sample = Sample.request(operation)
  const given: Record<string, string> = { ...sample, ...more }
  if (Object.hasOwn(operation.fields, "login")) given.login = login
  const fields = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""))
  return {
    line: `POST /paynet${operation.path}/${endpointId} HTTP/1.1`,
    headers: [host, "Accept: application/vnd.pay+json", formType],
    endpointId,
    fields,
    values: values(fields, operation.signing.recipe, endpointId),
    key: controlKey,
    sign: (values, key) => sha1(values.join("") + key),
    body: (fields, control) => form({ ...fields, control })
  }
}

const named = (command: string) => {
  const operation = PayApi.all.find((each) => each.command === command)
  if (operation === undefined) throw new Error(`no operation ${command}`)
  return operation
}

export const controlOperations = PayApi.all
  .filter(({ signing }) => signing._tag === "Control")
  .map(({ command }) => command)

export const controlRequest = (
  command: string,
  change: (parts: ControlParts) => Partial<ControlParts> = () => ({}),
  more: Fields = {},
  endpointId = "1111"
): string => {
  const right = controlParts(named(command), more, endpointId)
  const { body, fields, headers, key, line, sign, values } = { ...right, ...change(right) }
  return [line, ...headers, "", body(fields, sign(values, key))].join("\r\n")
}

/** Encodes as RFC 3986 says. */
export const percent = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

export type Pair = readonly [name: string, value: string]

/** A request signed with OAuth, in the parts that a mistake replaces. */
export interface OAuthParts {
  readonly line: string
  readonly headers: ReadonlyArray<string>
  /** What is signed. */
  readonly method: string
  readonly address: string
  readonly fields: ReadonlyArray<Pair>
  readonly query: ReadonlyArray<Pair>
  readonly protocol: ReadonlyArray<Pair>
  readonly encode: (text: string) => string
  readonly sort: (pairs: ReadonlyArray<Pair>) => ReadonlyArray<Pair>
  readonly base: (method: string, address: string, parameters: string) => string
  readonly key: string
  readonly sign: (base: string, key: string) => string
  /** What is sent. */
  readonly sent: ReadonlyArray<Pair>
  readonly header: (protocol: ReadonlyArray<Pair>, signature: string) => string
  readonly body: (fields: ReadonlyArray<Pair>) => string
}

/** A file of other control keys that the merchant has. */
export const otherKeys = file("other-keys.txt", "first-key\nsecond-key\n")

export const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
export const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
export const otherPublicKey = file("other.pem", otherRsa.publicKey.export({ type: "spki", format: "pem" }).toString())

export const hmacSha1 = (base: string, key: string): string =>
  createHmac("sha1", `${percent(key)}&`)
    .update(base)
    .digest("base64")
export const rsaSha256 =
  (privateKey: KeyObject, algorithm = "sha256") =>
  (base: string): string =>
    sign(algorithm, Buffer.from(base), privateKey).toString("base64")

const byName = ([one]: Pair, [other]: Pair): number => (one < other ? -1 : one > other ? 1 : 0)

/** The time at which the requests of the tables are judged, and their own. */
export const now = 1_700_000_000

const payout: ReadonlyArray<Pair> = [
  ["client_orderid", "Order 7"],
  ["amount", "19.99"],
  ["currency", "USD"],
  ["order_desc", "José's gift ~ 50% (a+b)*"],
  ["account_number", "A-100200300"],
  ["email", "john+shop@example.com"],
  ["Zone", "x"]
]

const protocolOf = (method: string): ReadonlyArray<Pair> => [
  ["oauth_consumer_key", login],
  ["oauth_nonce", "abc123"],
  ["oauth_signature_method", method],
  ["oauth_timestamp", String(now)],
  ["oauth_version", "1.0"]
]

export const headerOf = (protocol: ReadonlyArray<Pair>, signature: string): string =>
  `OAuth ${[...protocol, ["oauth_signature", signature] as const].map(([name, value]) => `${name}="${percent(value)}"`).join(", ")}`

const oauthParts = (command: string, isRsa: boolean): OAuthParts => {
  const { path } = named(command)
  return {
    line: `POST /paynet${path}/1111 HTTP/1.1`,
    headers: [host, "Accept: application/vnd.pay+json", formType],
    method: "POST",
    address: `https://gateway.example/paynet${path}/1111`,
    fields: payout,
    query: [],
    protocol: protocolOf(isRsa ? "RSA-SHA256" : "HMAC-SHA1"),
    encode: percent,
    sort: (pairs) => pairs.toSorted(byName),
    base: (...parts) => parts.map(percent).join("&"),
    key: controlKey,
    sign: isRsa ? rsaSha256(rsa.privateKey) : hmacSha1,
    sent: payout,
    header: headerOf,
    body: (fields) => fields.map(([name, value]) => `${percent(name)}=${percent(value)}`).join("&")
  }
}

const baseString = ({ address, base, encode, fields, method, protocol, query, sort }: OAuthParts): string =>
  base(
    method,
    address,
    sort([...query, ...fields, ...protocol].map(([name, value]) => [encode(name), encode(value)] as const))
      .map(([name, value]) => `${name}=${value}`)
      .join("&")
  )

export const oauthRequest = (
  command: string,
  change: (parts: OAuthParts) => Partial<OAuthParts> & { readonly sentProtocol?: ReadonlyArray<Pair> } = () => ({}),
  isRsa = command.startsWith("v4/")
): string => {
  const right = oauthParts(command, isRsa)
  const changed = change(right)
  const parts = { ...right, ...changed }
  const signature = parts.sign(baseString(parts), parts.key)
  const authorization = parts.header(changed.sentProtocol ?? right.protocol, signature)
  const headers = authorization === "" ? parts.headers : [...parts.headers, `Authorization: ${authorization}`]
  return [parts.line, ...headers, "", parts.body(parts.sent)].join("\r\n")
}
