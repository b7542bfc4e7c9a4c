/** Whether a certificate that came with a signature leads to one of the roots that are configured (RFC 5280, section 6.1, in short). */
import type { X509Certificate } from "node:crypto"

/** Signer, issuers between and root: payment schemes use three. */
export const longestChain = 5

/** What a stranger's key may cost: RSA takes the longer to verify, the longer the number and the exponent are. */
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
  given: ReadonlyArray<X509Certificate>,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number
): boolean => {
  if (!isValid(certificate, nowMs)) return false
  if (roots.some((root) => isSame(root, certificate))) return true
  if (roots.some((root) => isIssuedBy(certificate, root) && isValid(root, nowMs))) return true
  // A certificate that is already on the path is not tried again. The search therefore ends even if certificates sign each other.
  const others = given.filter((other) => !isSame(other, certificate))
  return others.some((issuer) => isIssuedBy(certificate, issuer) && leadsTo(issuer, others, roots, nowMs))
}

/**
 * The one certificate of `given` that issued none of the others, if it leads to a root; order does not matter. A root that
 * signs by itself may be given too. Undefined: nobody we know vouches for it.
 */
export const signer = (
  given: ReadonlyArray<X509Certificate>,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number
): X509Certificate | undefined => {
  if (given.length > longestChain || !given.every(isUsual)) return undefined
  const leaves = given.filter(
    (certificate) => !given.some((other) => !isSame(other, certificate) && isIssuedBy(other, certificate))
  )
  const [leaf] = leaves
  return leaf !== undefined && leaves.length === 1 && leadsTo(leaf, given, roots, nowMs) ? leaf : undefined
}
