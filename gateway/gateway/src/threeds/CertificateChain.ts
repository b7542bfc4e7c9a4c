/**
 * Checks whether a certificate that was sent with a signature leads to one of the configured roots (a part of RFC 5280, section
 * 6.1).
 */
import type { X509Certificate } from "node:crypto"

/** Highest number of certificates in a chain: signer, intermediate issuers and root. Payment schemes use three. */
export const longestChain = 5

/** Limits for the size of an unknown key. RSA verification takes longer with a longer modulus or exponent. */
const mostKeyBits = 4096
const mostExponent = 65_537n

const isUsual = ({ publicKey }: X509Certificate): boolean => {
  const { modulusLength, publicExponent } = publicKey.asymmetricKeyDetails ?? {}
  if (publicKey.asymmetricKeyType !== "rsa") return publicKey.asymmetricKeyType === "ec"
  return (modulusLength ?? Infinity) <= mostKeyBits && publicExponent !== undefined && publicExponent <= mostExponent
}

const isValid = (certificate: X509Certificate, nowMs: number): boolean =>
  certificate.validFromDate.getTime() <= nowMs && nowMs <= certificate.validToDate.getTime()

const isSame = (one: X509Certificate, other: X509Certificate): boolean => one.raw.equals(other.raw)

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const leadsTo = (
  certificate: X509Certificate,
  certificates: ReadonlyArray<X509Certificate>,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number
): boolean => {
  if (!isValid(certificate, nowMs)) return false
  if (roots.some((root) => isSame(root, certificate))) return true
  if (roots.some((root) => isIssuedBy(certificate, root) && isValid(root, nowMs))) return true
  // A certificate that is already on the path is not tried again. The search therefore ends even if certificates sign each other.
  const others = certificates.filter((other) => !isSame(other, certificate))
  return others.some((issuer) => isIssuedBy(certificate, issuer) && leadsTo(issuer, others, roots, nowMs))
}

/**
 * Returns the one certificate that issued none of the others, if it leads to a root. The order does not matter, and a
 * self-signed root may be included. Undefined: no configured root issued it.
 */
export const signer = (
  certificates: ReadonlyArray<X509Certificate>,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number
): X509Certificate | undefined => {
  if (certificates.length > longestChain || !certificates.every(isUsual)) return undefined
  const leaves = certificates.filter(
    (certificate) => !certificates.some((other) => !isSame(other, certificate) && isIssuedBy(other, certificate))
  )
  const [leaf] = leaves
  return leaf !== undefined && leaves.length === 1 && leadsTo(leaf, certificates, roots, nowMs) ? leaf : undefined
}
