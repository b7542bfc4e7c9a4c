/** Opens RSA signatures with the public key, which shows the hash that was signed, or that another key signed it. */
import { constants, type KeyObject, publicDecrypt } from "node:crypto"

/**
 * The content of a signature. `digest`: PKCS #1 v1.5 with the name and the digest of a hash. `bare`: PKCS #1 v1.5 with other
 * bytes. `pss`: probably PSS, whose content cannot be seen. `foreign`: made with another private key.
 */
export type Opened =
  | { readonly kind: "digest"; readonly hash: string; readonly digest: Buffer }
  | { readonly kind: "bare"; readonly bytes: Buffer }
  | { readonly kind: "pss" | "foreign" }

/** The first bytes of DigestInfo by hash (RFC 8017 §9.2, note 1). */
const prefixes: ReadonlyArray<readonly [hash: string, prefix: Buffer]> = [
  ["md5", "3020300c06082a864886f70d020505000410"],
  ["sha1", "3021300906052b0e03021a05000414"],
  ["sha224", "302d300d06096086480165030402040500041c"],
  ["sha256", "3031300d060960864801650304020105000420"],
  ["sha384", "3041300d060960864801650304020205000430"],
  ["sha512", "3051300d060960864801650304020305000440"]
].map(([hash = "", hex = ""]) => [hash, Buffer.from(hex, "hex")])

const PSS_TRAILER = 0xbc

const contentOf = (bytes: Buffer): Opened => {
  for (const [hash, prefix] of prefixes) {
    if (bytes.subarray(0, prefix.length).equals(prefix))
      return { kind: "digest", hash, digest: bytes.subarray(prefix.length) }
  }
  return { kind: "bare", bytes }
}

/** Opens a signature. A signature of another length than the key's is of another key. */
export const open = (signature: Buffer, key: KeyObject): Opened => {
  let block: Buffer
  try {
    block = publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature)
  } catch {
    return { kind: "foreign" }
  }
  const end = block.indexOf(0, 2)
  const isPadded = block[0] === 0 && block[1] === 1 && end > 9 && block.subarray(2, end).every((byte) => byte === 0xff)
  if (isPadded) return contentOf(block.subarray(end + 1))
  return { kind: block.at(-1) === PSS_TRAILER ? "pss" : "foreign" }
}
