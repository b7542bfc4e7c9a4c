/** Verifies the OAuth signature of a request (docs/specification.md#oauth). */
import { createPublicKey, randomBytes } from "node:crypto"
import { codes } from "@pay/schema/ErrorCode"
import type { OAuth as OAuthScheme } from "@pay/schema/Scheme"
import * as OAuth from "@pay/signing/OAuth"
import { Redacted, Result } from "effect"
import { type RequestRefused, refuse } from "../kernel/Answer.ts"
import * as Decision from "../kernel/Decision.ts"
import { Nonce } from "../merchants/Call.ts"
import type { Merchant, Route } from "../merchants/Directory.ts"
import * as Authentication from "./Authentication.ts"

export interface OAuthRequest {
  readonly url: string
  readonly authorization: string | undefined
}

/**
 * A public key without a private key, so that the request of an unknown consumer takes as long to verify. Its modulus is random:
 * only the size matters, and a search for primes would delay every start. A successful verification with this key is never
 * accepted.
 */
const dummyKey = (() => {
  const modulus = randomBytes(256)
  modulus[0] = (modulus[0] ?? 0) | 0x80
  modulus[255] = (modulus[255] ?? 0) | 1
  const key = { kty: "RSA", e: "AQAB", n: modulus.toString("base64url") }
  return OAuth.rsaPublic(createPublicKey({ key, format: "jwk" }))
})()
const challenge = { "www-authenticate": "OAuth" }

const keysOf = (merchant: Merchant | undefined, method: OAuth.Method): ReadonlyArray<OAuth.VerifyingKey> =>
  method === "RSA-SHA256"
    ? (merchant?.publicKeys ?? []).map(OAuth.rsaPublic)
    : Authentication.controlKeysOf(merchant).map((key) => OAuth.hmac(Redacted.value(key)))

const explain = (reason: OAuth.Reason): string => ("name" in reason ? `${reason._tag}: ${reason.name}` : reason._tag)

/** Verifies an OAuth signature. A nonce is recorded only for a request whose signature and time are right. */
export const verify = (
  scheme: OAuthScheme,
  request: OAuthRequest,
  received: Authentication.Claim,
  route: Route | undefined,
  time: { readonly nowMs: number; readonly clockSkewMs: number }
): Result.Result<Authentication.Authenticated, RequestRefused> => {
  const parsed = OAuth.parse({ method: "POST", ...request, parameters: received.parameters })
  if (!parsed.ok) {
    if (parsed.reason._tag === "MissingHeader") {
      const message = `${codes.authorizationRequired.message}; this operation is signed with ${scheme.methods.join(" or ")}`
      return Result.fail(refuse("authorizationRequired", { message, headers: challenge }))
    }
    if (parsed.reason._tag === "MalformedUrl") {
      return Result.fail(refuse("malformedForm", { message: "The query of the address is not a valid form" }))
    }
    const method = parsed.reason._tag === "UnsupportedMethod"
    const message = `Header Authorization cannot be used (${explain(parsed.reason)})`
    return Result.fail(refuse(method ? "oauthMethodUnsupported" : "oauthMalformed", { message }))
  }
  const { claim } = parsed
  if (!scheme.methods.includes(claim.signatureMethod)) {
    const message = `This operation is signed with ${scheme.methods.join(" or ")}`
    return Result.fail(refuse("oauthMethodUnsupported", { message }))
  }
  const merchant = route?.merchant.login === claim.consumerKey ? route.merchant : undefined
  const keys = keysOf(merchant, claim.signatureMethod)
  const nowSeconds = Math.floor(time.nowMs / 1000)
  let signed: number | undefined
  let ageSeconds: number | undefined
  const tolerance = { nowSeconds, toleranceSeconds: time.clockSkewMs / 1000 }
  if (keys.length === 0) OAuth.verify(claim, dummyKey, tolerance)
  for (const [index, key] of keys.entries()) {
    const verified = OAuth.verify(claim, key, tolerance)
    if (verified.ok) signed = index
    else if (verified.reason._tag === "OutsideTolerance") ageSeconds = verified.reason.ageSeconds
  }
  const unproved = () => Result.fail(refuse("oauthSignatureInvalid", { headers: challenge }))
  if (merchant === undefined || route === undefined || (signed === undefined && ageSeconds === undefined))
    return unproved()
  if (!Authentication.isOwn(received.fields, route))
    return Result.flatMap(Authentication.coveredFields(received, route), unproved)
  if (ageSeconds !== undefined) {
    const message = `oauth_timestamp is ${Math.abs(ageSeconds)} s ${ageSeconds > 0 ? "behind" : "ahead of"} the gateway's time ${nowSeconds}`
    return Result.fail(refuse("timestampSkewed", { message, headers: challenge }))
  }
  const { consumerKey, nonce } = claim
  const names = claim.signatureMethod === "RSA-SHA256" ? merchant.publicKeyNames : merchant.controlKeyNames
  return Result.succeed({
    key: names[signed ?? -1],
    nonce: {
      guards: [Decision.absent(Nonce, "key", [consumerKey, nonce])],
      writes: [Decision.append(Nonce, { consumerKey, nonce, usedAtMs: Math.floor(time.nowMs) })]
    }
  })
}
