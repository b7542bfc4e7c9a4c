/**
 * Verification of a received request in two steps: {@link parse} reads its claim, and {@link verify} checks whether the claimed
 * consumer signed it.
 */
import * as BaseString from "../BaseString.ts"
import type { Parameter } from "../Form.ts"
import * as OAuthHeader from "../OAuthHeader.ts"
import * as BaseStringBytes from "./BaseStringBytes.ts"
import * as Key from "./Key.ts"
import { isProtocolName } from "./Signing.ts"

/** Longest accepted nonce, in characters. It is limited because the gateway has to store nonces. */
export const NONCE_MAX_CHARACTERS = 128

/** A request as it arrived. */
export interface Received {
  readonly method: string
  /** The public address of the operation, as text or already parsed. It must not be built from the `Host` header. */
  readonly url: string | BaseString.Target
  readonly authorization: string | undefined
  /** The decoded fields of the body. */
  readonly parameters: ReadonlyArray<Parameter>
}

/** The unproved content of a request: enough to look up the key and then to verify the signature. */
export interface Claim {
  readonly consumerKey: string
  readonly signatureMethod: Key.Method
  readonly timestampSeconds: number
  readonly nonce: string
  readonly version: "1.0"
  readonly signature: string
  readonly realm: string | undefined
  /** What the signature covers: the parameters of the query, of the body and of the header, in this order. */
  readonly signed: {
    readonly method: string
    readonly baseUri: string
    readonly parameters: ReadonlyArray<Parameter>
  }
}

/** Why a request is not verified. */
export type Reason =
  | { readonly _tag: "MissingHeader" }
  | { readonly _tag: "MalformedHeader"; readonly problem: OAuthHeader.Problem; readonly detail: string }
  | { readonly _tag: "MissingParameter"; readonly name: string }
  | { readonly _tag: "MalformedParameter"; readonly name: string }
  /** A parameter of the body or the query is absent from the header, or has another value there. */
  | { readonly _tag: "ConflictingParameter"; readonly name: string }
  | { readonly _tag: "UnsupportedMethod"; readonly method: string }
  | { readonly _tag: "UnsupportedVersion"; readonly version: string }
  | { readonly _tag: "MalformedUrl" }
  /** The request was signed with another method than the key requires. */
  | { readonly _tag: "WrongMethod"; readonly expected: Key.Method; readonly received: Key.Method }
  | { readonly _tag: "SignatureMismatch" }
  /** The timestamp is outside the tolerance. A positive age means that the request is older than the verifier's clock. */
  | { readonly _tag: "OutsideTolerance"; readonly ageSeconds: number }

/** Why a claim cannot be read, without a key. */
export type Unread = Exclude<Reason, { readonly _tag: "WrongMethod" | "SignatureMismatch" | "OutsideTolerance" }>

/** The result of {@link parse}. */
export type Parsed = { readonly ok: true; readonly claim: Claim } | { readonly ok: false; readonly reason: Unread }
/** The result of {@link verify}. */
export type Verified = { readonly ok: true } | { readonly ok: false; readonly reason: Reason }

/**
 * Reads the claim of a request. The header must have all required parameters. `oauth_*` parameters that the body or the
 * query repeats must be equal, and are signed once. Fields of the query are signed.
 */
export const parse = (request: Received): Parsed => {
  if (request.authorization === undefined) return refused({ _tag: "MissingHeader" })
  const header = OAuthHeader.parse(request.authorization)
  if (!header.ok) return refused({ _tag: "MalformedHeader", problem: header.problem, detail: header.reason })
  const target = typeof request.url === "string" ? BaseString.target(request.url) : request.url
  if (target === undefined) return refused({ _tag: "MalformedUrl" })

  const protocol = header.parameters
  for (const name of required) if (find(protocol, name) === "") return refused({ _tag: "MissingParameter", name })
  const signatureMethod = find(protocol, "oauth_signature_method")
  if (signatureMethod !== "HMAC-SHA1" && signatureMethod !== "RSA-SHA256") {
    return refused({ _tag: "UnsupportedMethod", method: signatureMethod })
  }
  const version = find(protocol, "oauth_version")
  if (version !== "1.0") return refused({ _tag: "UnsupportedVersion", version })
  const timestamp = find(protocol, "oauth_timestamp")
  if (!/^[1-9]\d{0,14}$/.test(timestamp)) return refused({ _tag: "MalformedParameter", name: "oauth_timestamp" })
  const nonce = find(protocol, "oauth_nonce")
  if (nonce.length > NONCE_MAX_CHARACTERS) return refused({ _tag: "MalformedParameter", name: "oauth_nonce" })

  const parameters: Array<Parameter> = []
  for (const fields of [target.query, request.parameters]) {
    for (const field of fields) {
      if (!isProtocolName(field[0])) {
        parameters.push(field)
      } else if (!protocol.some(([name, value]) => name === field[0] && value === field[1])) {
        return refused({ _tag: "ConflictingParameter", name: field[0] })
      }
    }
  }
  parameters.push(...protocol)
  const consumerKey = find(protocol, "oauth_consumer_key")
  const signature = find(protocol, "oauth_signature")
  const signed = { method: request.method, baseUri: target.baseUri, parameters }
  const timestampSeconds = Number(timestamp)
  const { realm } = header
  return {
    ok: true,
    claim: { consumerKey, signatureMethod, timestampSeconds, nonce, version, signature, realm, signed }
  }
}

const find = (parameters: ReadonlyArray<Parameter>, name: string): string => {
  for (const parameter of parameters) if (parameter[0] === name) return parameter[1]
  return ""
}

const required = [
  "oauth_consumer_key",
  "oauth_nonce",
  "oauth_signature",
  "oauth_signature_method",
  "oauth_timestamp",
  "oauth_version"
] as const

/**
 * Whether the consumer signed the request with this key, at a time within the tolerance (in both directions). The key decides the
 * method, not the request. The time is checked after the signature, so that only the owner of the key learns the result.
 */
export const verify = (
  claim: Claim,
  key: Key.VerifyingKey,
  time: { readonly nowSeconds: number; readonly toleranceSeconds: number }
): Verified => {
  if (claim.signatureMethod !== key.method) {
    return refused({ _tag: "WrongMethod", expected: key.method, received: claim.signatureMethod })
  }
  const { method, baseUri, parameters } = claim.signed
  if (!Key.verify(key, BaseStringBytes.make(method, baseUri, parameters), claim.signature)) {
    return refused({ _tag: "SignatureMismatch" })
  }
  const ageSeconds = time.nowSeconds - claim.timestampSeconds
  return Math.abs(ageSeconds) > time.toleranceSeconds ? refused({ _tag: "OutsideTolerance", ageSeconds }) : { ok: true }
}

const refused = <R extends Reason>(reason: R) => ({ ok: false, reason }) as const
