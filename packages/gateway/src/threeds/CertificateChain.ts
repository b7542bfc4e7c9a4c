/** Whether a certificate that came with a signature leads to one of the roots that are configured (RFC 5280, section 6.1, in short). */
import type { X509Certificate } from "node:crypto"

/** Signer, issuers between and root: payment schemes use three. */
const longestChain = 5

const isValid = (certificate: X509Certificate, nowMs: number): boolean =>
  certificate.validFromDate.getTime() <= nowMs && nowMs <= certificate.validToDate.getTime()

const isSame = (one: X509Certificate, other: X509Certificate): boolean => one.raw.equals(other.raw)

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

const leadsTo = (
  certificate: X509Certificate,
  given: ReadonlyArray<X509Certificate>,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number,
  left: number
): boolean => {
  if (left === 0 || !isValid(certificate, nowMs)) return false
  if (roots.some((root) => isSame(root, certificate))) return true
  const issuers = [...roots, ...given].filter(
    (issuer) => !isSame(issuer, certificate) && isIssuedBy(certificate, issuer)
  )
  return issuers.some((issuer) => leadsTo(issuer, given, roots, nowMs, left - 1))
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
  const leaves = given.filter(
    (certificate) => !given.some((other) => !isSame(other, certificate) && isIssuedBy(other, certificate))
  )
  const [leaf] = leaves
  return leaf !== undefined && leaves.length === 1 && leadsTo(leaf, given, roots, nowMs, longestChain)
    ? leaf
    : undefined
}
