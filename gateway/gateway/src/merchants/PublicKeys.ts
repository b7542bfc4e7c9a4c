/** Parses and checks public keys in PEM. Keys are compared by their content, not by their text. */
import { createHash, type KeyObject } from "node:crypto"
import * as Approval from "@pay/signing/Approval"
import * as RsaKey from "@pay/signing/RsaKey"
import { Result } from "effect"

const reasons: Record<RsaKey.Reason["_tag"], string> = {
  Malformed: "is no public key in PEM",
  Encrypted: "is an encrypted private key: give the public one",
  NotRsa: "is not RSA",
  TooShort: `has less than ${RsaKey.MIN_BITS} bits`,
  PrivateKeyGiven: "is a private key, which must stay with its owner: give the public one",
  PublicKeyGiven: "is no public key in PEM"
}

/** Parses the key of requests signed with RSA-SHA256. Fails with the problem. */
export const rsa = (pem: string): Result.Result<KeyObject, string> => {
  const loaded = RsaKey.publicFromPem(pem)
  return loaded.ok ? Result.succeed(loaded.key) : Result.fail(reasons[loaded.reason._tag])
}

const personalReasons = {
  Malformed: reasons.Malformed,
  NotEd25519: "is not Ed25519: an approver's key must be able to sign approvals and nothing else",
  PrivateKeyGiven: reasons.PrivateKeyGiven
} as const

/** Parses an approver's key: Ed25519, which cannot sign requests to the API. Fails with the problem. */
export const personal = (pem: string): Result.Result<KeyObject, string> => {
  const loaded = Approval.publicFromPem(pem)
  return loaded.ok ? Result.succeed(loaded.key) : Result.fail(personalReasons[loaded.reason])
}

/** Returns `SHA256:` and the hash of the key (SPKI), in base64 without padding, as OpenSSH writes fingerprints. */
export const fingerprint = (key: KeyObject): string =>
  `SHA256:${createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("base64")
    .replaceAll("=", "")}`
