/** A signed request of which a check can change any part, before or after it is signed. */
import { createPrivateKey } from "node:crypto"
import * as Canonical from "@pay/schema/Canonical"
import { mediaType } from "@pay/schema/Dialect"
import type { Operation } from "@pay/schema/Operation"
import type * as Scheme from "@pay/schema/Scheme"
import * as Control from "@pay/signing/Control"
import * as Form from "@pay/signing/Form"
import * as OAuth from "@pay/signing/OAuth"
import { Redacted } from "effect"
import type { Message } from "./Exchange.ts"
import type { Settings } from "./Settings.ts"

export type Fields = Readonly<Record<string, string>>

/** The parts of an OAuth signature that a check replaces. */
interface OAuthParts {
  readonly method?: Scheme.Method
  readonly nonce?: string
  /** How far the timestamp of the request is ahead of this machine's clock, in seconds. */
  readonly aheadSeconds?: number
  readonly consumerKey?: string
  /** The base address that is signed, instead of the one that is called. */
  readonly signedBaseUrl?: string
}

/** What signs the requests of a merchant, and where they go. */
export type Merchant = Pick<
  Settings,
  "login" | "controlKey" | "privateKey" | "controlAmount" | "endpoint" | "group" | "dialect"
>

/** The parts of a request that a check replaces. Without options the request is correct. */
export interface Options {
  readonly endpointId?: string
  /** The control key that signs, instead of the merchant's. */
  readonly key?: string
  /** The values that `control` covers, instead of the contract's. */
  readonly recipe?: Control.Recipe
  /** The private key that signs, as PEM, instead of the merchant's. */
  readonly privateKey?: string
  readonly oauth?: OAuthParts
  /** The query after the path, with its question mark. */
  readonly query?: string
  /** The HTTP method, changed after signing. */
  readonly method?: string
  /** Text that is appended to the address after signing. */
  readonly suffix?: string
  /** Headers that replace or add to those of the request. A header with an empty text is left out. */
  readonly headers?: Fields
  readonly change?: (parameters: ReadonlyArray<Form.Parameter>) => ReadonlyArray<Form.Parameter>
  readonly authorization?: (header: string) => string | undefined
  readonly body?: (form: string) => string
}

/** The values that the signature needs besides the request. */
interface SigningContext {
  readonly baseUrl: string
  readonly settings: Merchant
  readonly nowSeconds: number
  readonly nonce: string
}

const contentType = { "content-type": "application/x-www-form-urlencoded" }

/** Returns the headers of every request. A request of the older dialect has no `Accept`. */
export const headersOf = ({ dialect }: Pick<Merchant, "dialect">): Fields =>
  dialect === "pairs" ? contentType : { accept: mediaType, ...contentType }

const controlOf = (operation: Operation, fields: Fields, options: Options, settings: Merchant): string => {
  if (operation.signing._tag !== "Control") return ""
  const { fields: texts } = Canonical.fields(operation, Object.entries(fields))
  const slots = { endpointId: options.endpointId ?? settings.endpoint, mode: settings.controlAmount ?? "minor" }
  const values = Canonical.controlValues(operation, texts, slots)
  return Control.sign(
    options.recipe ?? operation.signing.recipe,
    values,
    options.key ?? Redacted.value(settings.controlKey)
  )
}

const keyOf = (method: Scheme.Method, { key, privateKey }: Options, settings: Merchant): OAuth.SigningKey => {
  if (method === "HMAC-SHA1") return OAuth.hmac(key ?? Redacted.value(settings.controlKey))
  const pem = privateKey ?? (settings.privateKey === undefined ? "" : Redacted.value(settings.privateKey))
  return OAuth.rsaPrivate(createPrivateKey(pem))
}

const authorizationOf = (
  methods: Scheme.OAuth["methods"],
  fields: Fields,
  path: string,
  options: Options,
  { baseUrl, nonce, nowSeconds, settings }: SigningContext
): string => {
  const { oauth = {} } = options
  const signed = OAuth.sign(
    {
      method: "POST",
      url: `${oauth.signedBaseUrl ?? baseUrl}${path}`,
      consumerKey: oauth.consumerKey ?? settings.login,
      parameters: Object.entries(fields),
      timestampSeconds: nowSeconds + (oauth.aheadSeconds ?? 0),
      nonce: oauth.nonce ?? nonce
    },
    keyOf(oauth.method ?? methods[0], options, settings)
  )
  return signed.ok ? signed.authorization : ""
}

/** Returns the last segments of the path. Modules of the older dialect write the number of a group after `group/`. */
const placeOf = ({ endpointId }: Options, { dialect, endpoint, group }: Merchant): string =>
  dialect === "pairs" && endpointId !== undefined && endpointId === group ? `group/${group}` : (endpointId ?? endpoint)

/** Makes the request of an operation with these fields and no others, ready to be sent. */
export const make = (operation: Operation, fields: Fields, options: Options, context: SigningContext): Message => {
  const { authorization = (header) => header, body = (form) => form, change = (parameters) => parameters } = options
  const { baseUrl, settings } = context
  const path = `${operation.path}/${placeOf(options, settings)}${options.query ?? ""}`
  const entries: ReadonlyArray<Form.Parameter> = Object.entries(fields)
  const isControl = operation.signing._tag === "Control"
  const parameters: ReadonlyArray<Form.Parameter> = isControl
    ? [...entries, ["control", controlOf(operation, fields, options, settings)]]
    : entries
  const header =
    operation.signing._tag === "OAuth"
      ? authorization(authorizationOf(operation.signing.methods, fields, path, options, context))
      : undefined
  const headers = { ...headersOf(settings), ...(header !== undefined && { authorization: header }), ...options.headers }
  return {
    method: options.method ?? "POST",
    url: `${baseUrl}${path}${options.suffix ?? ""}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== "")),
    body: body(Form.write(change(parameters)))
  }
}
