/**
 * OAuth 1.0a without tokens (docs/specification.md#oauth; RFC 5849): signs and verifies whole requests. Time and nonce are
 * arguments. The caller checks whether a nonce was used before.
 */
export { hmac, type Method, rsaPrivate, rsaPublic, type SigningKey, type VerifyingKey } from "./oauth/Key.ts"
export { type Prepared, prepare, type Signed, sign, type Unsigned } from "./oauth/Signing.ts"
export {
  type Claim,
  NONCE_MAX_CHARACTERS,
  type Parsed,
  parse,
  type Reason,
  type Received,
  type Unread,
  type Verified,
  verify
} from "./oauth/Verification.ts"
