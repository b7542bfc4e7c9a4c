/** Signs requests. What requests to one address have in common is prepared once. */
import * as BaseString from "../BaseString.ts"
import type { Parameter } from "../Form.ts"
import * as OAuthHeader from "../OAuthHeader.ts"
import * as PercentEncoding from "../PercentEncoding.ts"
import * as BaseStringBytes from "./BaseStringBytes.ts"
import * as Key from "./Key.ts"

/** What the requests of one merchant to one address have in common. */
export interface Target {
  /** `POST` for every operation. */
  readonly method: string
  /** The absolute address, with its query if it has one. */
  readonly url: string
  /** The merchant login. */
  readonly consumerKey: string
}

/** A request that the merchant is about to sign and send. */
export interface Unsigned extends Target {
  /** The decoded fields of the body. `oauth_*` fields among them repeat the header and are not signed twice. */
  readonly parameters: ReadonlyArray<Parameter>
  /** The current time, in seconds since 1970. */
  readonly timestampSeconds: number
  /** A text that this consumer has never used before, of at most 128 characters. */
  readonly nonce: string
}

type Fields = Pick<Unsigned, "parameters" | "timestampSeconds" | "nonce">

/** Signs the requests to one address. Each function returns the value of the `Authorization` header. */
export interface Prepared {
  readonly ok: true
  /** Signs on the calling thread: microseconds for HMAC, about a millisecond of processor time for RSA. */
  readonly authorize: (fields: Fields) => string
  /** {@link authorize} with RSA on the thread pool. The event loop stays free, and signatures use all threads of the pool. */
  readonly authorizeOnPool: (fields: Fields) => Promise<string>
}

/** Signing fails only if the address is malformed. */
type Malformed = { readonly ok: false; readonly reason: { readonly _tag: "MalformedUrl" } }

/** A signature with its header. */
export type Signed =
  | {
      readonly ok: true
      readonly authorization: string
      /** The signature in Base64, before the percent-encoding of the header. */
      readonly signature: string
    }
  | Malformed

const malformed: Malformed = { ok: false, reason: { _tag: "MalformedUrl" } }

/**
 * Prepares the signatures of the requests to one address.
 *
 * @example
 * const prepared = prepare({ method: "POST", url, consumerKey: login }, hmac(controlKey))
 * if (prepared.ok) headers.authorization = prepared.authorize({ parameters, timestampSeconds, nonce })
 */
export const prepare = (target: Target, key: Key.SigningKey): Prepared | Malformed => {
  const parts = partsOf(target, key.method)
  if (parts === undefined) return malformed
  const { bytes, header } = parts
  return {
    ok: true,
    authorize: (fields) => header(fields, Key.sign(key, bytes(fields))),
    authorizeOnPool: async (fields) => header(fields, await Key.signOnPool(key, bytes(fields)))
  }
}

/** Signs one request on the calling thread. */
export const sign = (request: Unsigned, key: Key.SigningKey): Signed => {
  const parts = partsOf(request, key.method)
  if (parts === undefined) return malformed
  const signature = Key.sign(key, parts.bytes(request))
  return { ok: true, authorization: parts.header(request, signature), signature }
}

/** The text to sign and the header of a request, or `undefined` if the address is malformed. */
const partsOf = ({ method, url, consumerKey }: Target, signatureMethod: Key.Method) => {
  const target = BaseString.target(url)
  if (target === undefined) return undefined
  const lead = BaseStringBytes.lead(method, target.baseUri)
  const same: ReadonlyArray<Parameter> = [
    ...target.query.filter(isField),
    ["oauth_consumer_key", consumerKey],
    ["oauth_signature_method", signatureMethod],
    ["oauth_version", "1.0"]
  ]
  const beforeNonce = `${OAuthHeader.write([["oauth_consumer_key", consumerKey]])}, oauth_nonce="`
  const beforeTimestamp = `", oauth_signature_method="${signatureMethod}", oauth_timestamp="`
  const beforeSignature = `", oauth_version="1.0", oauth_signature="`
  return {
    bytes: ({ parameters, timestampSeconds, nonce }: Fields): Uint8Array => {
      const signed = same.slice()
      for (const parameter of parameters) if (isField(parameter)) signed.push(parameter)
      signed.push(["oauth_nonce", nonce], ["oauth_timestamp", String(timestampSeconds)])
      return BaseStringBytes.make(method, target.baseUri, signed, lead)
    },
    header: ({ nonce, timestampSeconds }: Fields, signature: string): string =>
      `${beforeNonce}${PercentEncoding.encode(nonce)}${beforeTimestamp}${timestampSeconds}${beforeSignature}${PercentEncoding.encode(signature)}"`
  }
}

/** Whether the name belongs to a parameter of the header. Such a parameter in the body or the query only repeats the header. */
export const isProtocolName = (name: string): boolean => name.startsWith("oauth_")

const isField = ([name]: Parameter): boolean => !isProtocolName(name)
