/** Signing of one request with any fields. */
import * as BaseString from "../BaseString.ts"
import type { Parameter } from "../Form.ts"
import * as OAuthHeader from "../OAuthHeader.ts"
import * as BaseStringBytes from "./BaseStringBytes.ts"
import * as Key from "./Key.ts"

/** A request that the merchant is about to sign and send. */
export interface Unsigned {
  /** `POST` for every operation. */
  readonly method: string
  /** The absolute address, with its query if it has one. */
  readonly url: string
  /** The merchant login. */
  readonly consumerKey: string
  /** The decoded fields of the body. `oauth_*` fields among them repeat the header and are not signed twice. */
  readonly parameters: ReadonlyArray<Parameter>
  /** The current time, in seconds since 1970. */
  readonly timestampSeconds: number
  /** A text that this consumer has never used before, of at most 128 characters. */
  readonly nonce: string
}

/** A signature with its header. Signing fails only if the address is malformed. */
export type Signed =
  | {
      readonly ok: true
      /** The value of the `Authorization` header. */
      readonly authorization: string
      /** The signature in Base64, before the percent-encoding of the header. */
      readonly signature: string
    }
  | { readonly ok: false; readonly reason: { readonly _tag: "MalformedUrl" } }

/** Signs on the calling thread: microseconds for HMAC, about a millisecond of processor time for RSA. */
export const sign = (request: Unsigned, key: Key.SigningKey): Signed => {
  const target = BaseString.target(request.url)
  if (target === undefined) return malformedUrl
  const protocol = protocolParameters(request, key.method)
  return signed(protocol, Key.sign(key, baseString(request, target, protocol)))
}

/** {@link sign} with RSA on the thread pool. The event loop stays free, and concurrent signatures use all threads of the pool. */
export const signOnPool = async (request: Unsigned, key: Key.SigningKey): Promise<Signed> => {
  const target = BaseString.target(request.url)
  if (target === undefined) return malformedUrl
  const protocol = protocolParameters(request, key.method)
  return signed(protocol, await Key.signOnPool(key, baseString(request, target, protocol)))
}

/** The required parameters (docs/specification.md#oauth-header) except the signature, in the order of their names. */
export const protocolParameters = (
  request: Pick<Unsigned, "consumerKey" | "timestampSeconds" | "nonce">,
  method: Key.Method
): ReadonlyArray<Parameter> => [
  ["oauth_consumer_key", request.consumerKey],
  ["oauth_nonce", request.nonce],
  ["oauth_signature_method", method],
  ["oauth_timestamp", String(request.timestampSeconds)],
  ["oauth_version", "1.0"]
]

/** Whether the name belongs to a parameter of the header. Such a parameter in the body or the query only repeats the header. */
export const isProtocolName = (name: string): boolean => name.startsWith("oauth_")

/** Returns the bytes to sign: the fields of the query and the body, and the protocol parameters once. */
export const baseString = (
  request: Pick<Unsigned, "method" | "parameters">,
  target: BaseString.Target,
  protocol: ReadonlyArray<Parameter>
): Uint8Array => {
  const fields = [...target.query, ...request.parameters].filter(([name]) => !isProtocolName(name))
  return BaseStringBytes.make(request.method, target.baseUri, [...fields, ...protocol])
}

const signed = (protocol: ReadonlyArray<Parameter>, signature: string): Signed => ({
  ok: true,
  authorization: OAuthHeader.write([...protocol, ["oauth_signature", signature]]),
  signature
})

const malformedUrl: Signed = { ok: false, reason: { _tag: "MalformedUrl" } }
