/** Opens RSA signatures with the public key, which shows the hash that was signed, or that another key signed it. */
import { constants, type KeyObject, publicDecrypt } from "node:crypto"

/**
 * The content of a signature. `digest`: PKCS #1 v1.5 with the name and the digest of a hash. `bare`: PKCS #1 v1.5 with other
 * bytes. `pss`: probably PSS, whose content cannot be seen. `reversed`: its bytes are in reverse order. `cut`: it has a length that
 * no signature has. `foreign`: made with another private key.
 */
export type Opened =
  | { readonly kind: "digest"; readonly hash: string; readonly digest: Buffer }
  | { readonly kind: "bare"; readonly bytes: Buffer }
  | { readonly kind: "reversed"; readonly hash: string; readonly digest: Buffer }
  | { readonly kind: "pss" | "cut" | "foreign" }

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

/** Returns the content of a block with the padding of PKCS #1 v1.5. */
const unpadded = (block: Buffer): Opened | undefined => {
  const end = block.indexOf(0, 2)
  const isPadded = block[0] === 0 && block[1] === 1 && end > 9 && block.subarray(2, end).every((byte) => byte === 0xff)
  return isPadded ? contentOf(block.subarray(end + 1)) : undefined
}

const blockOf = (signature: Buffer, key: KeyObject): Buffer | undefined => {
  try {
    return publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature)
  } catch {
    return undefined
  }
}

/** Lengths of keys in use, in bytes. */
const usualLengths: ReadonlySet<number> = new Set([128, 256, 384, 512])

/** Opens a signature. One of the length of another key is of another key. */
export const open = (signature: Buffer, key: KeyObject): Opened => {
  const isWhole = signature.length * 8 === key.asymmetricKeyDetails?.modulusLength
  if (!isWhole) return { kind: usualLengths.has(signature.length) ? "foreign" : "cut" }
  const block = blockOf(signature, key)
  const content = block === undefined ? undefined : unpadded(block)
  if (content !== undefined) return content
  if (block?.at(-1) === PSS_TRAILER) return { kind: "pss" }
  const reversed = blockOf(Buffer.from(signature).reverse(), key)
  const backwards = reversed === undefined ? undefined : unpadded(reversed)
  return backwards?.kind === "digest" ? { ...backwards, kind: "reversed" } : { kind: "foreign" }
}
