/**
 * Verifies the XML signature of a PaRes (3-D Secure 1.0.2; XML Signature Syntax and Processing). It returns only the text that
 * the signature covers, so that other content of the document is never read.
 */
import { X509Certificate } from "node:crypto"
import { Result } from "effect"
import { SignedXml } from "xml-crypto"
import * as CertificateChain from "./CertificateChain.ts"
import * as Xml from "./Xml.ts"

const dsig = "http://www.w3.org/2000/09/xmldsig#"

/**
 * Accepted algorithms. The protocol is from 2002 and signs with SHA-1; newer issuers use SHA-256. No accepted transform changes
 * the content.
 */
const algorithms = {
  canonicalization: ["http://www.w3.org/TR/2001/REC-xml-c14n-20010315", "http://www.w3.org/2001/10/xml-exc-c14n#"],
  digest: [`${dsig}sha1`, "http://www.w3.org/2001/04/xmlenc#sha256"],
  signature: [`${dsig}rsa-sha1`, "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"]
}

const shortestKeyBits = 2048
const mostTransforms = 4

const pick = <A>(all: Readonly<Record<string, A>>, names: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))

/** Checks the only allowed structure: a message with one PARes and one signature over it, each once in the document. */
const shape = (root: Element): { readonly id: string; readonly signature: Element } | undefined => {
  const message = root.localName === "ThreeDSecure" ? Xml.only(root, "Message") : undefined
  const pares = Xml.only(message, "PARes")
  const signature = Xml.only(message, "Signature")
  const id = pares?.getAttribute("id") ?? ""
  const areUnique = ["Message", "PARes", "Signature", "SignedInfo", "Reference"].every(
    (name) => Xml.count(root, name) === 1
  )
  if (Xml.count(root, "Transform") > mostTransforms) return undefined
  return pares === undefined || signature === undefined || id === "" || !areUnique ? undefined : { id, signature }
}

const certificatesIn = (signature: Element): Result.Result<ReadonlyArray<X509Certificate>, string> => {
  const texts = Array.from(signature.getElementsByTagNameNS(dsig, "X509Certificate")).map((each) => each.textContent)
  if (texts.length > CertificateChain.longestChain) return Result.fail("brings too many certificates")
  return Result.try({
    try: () => texts.map((text) => new X509Certificate(Buffer.from(text ?? "", "base64"))),
    catch: () => "brings a certificate that cannot be read"
  })
}

/** Returns the canonical text of the one element that the signature covers; undefined if the signature is not valid. */
const covered = (xml: string, signature: Element, id: string, signer: X509Certificate): string | undefined => {
  const signed = new SignedXml({ publicCert: signer.publicKey })
  signed.CanonicalizationAlgorithms = pick(signed.CanonicalizationAlgorithms, algorithms.canonicalization)
  signed.HashAlgorithms = pick(signed.HashAlgorithms, algorithms.digest)
  signed.SignatureAlgorithms = pick(signed.SignatureAlgorithms, algorithms.signature)
  try {
    signed.loadSignature(signature)
    if (!signed.checkSignature(xml)) return undefined
  } catch {
    return undefined
  }
  const [reference, ...others] = signed.getReferences()
  return others.length === 0 && reference?.uri === `#${id}` ? signed.getSignedReferences()[0] : undefined
}

const keyBits = ({ publicKey }: X509Certificate): number =>
  publicKey.asymmetricKeyType === "rsa" ? (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) : 0

/**
 * Returns the signed `PARes` element in canonical form, or fails with a description of the defect. `roots`: trusted certificates
 * of signers or of their issuers.
 */
export const verify = (
  xml: string,
  roots: ReadonlyArray<X509Certificate>,
  nowMs: number
): Result.Result<string, string> => {
  const root = Xml.parse(xml)
  if (Result.isFailure(root)) return Result.fail(root.failure)
  const signed = shape(root.success)
  if (signed === undefined) return Result.fail("is not one signed PARes")
  const certificates = certificatesIn(signed.signature)
  if (Result.isFailure(certificates)) return Result.fail(certificates.failure)
  const signer = CertificateChain.signer(certificates.success, roots, nowMs)
  if (signer === undefined || keyBits(signer) < shortestKeyBits) {
    return Result.fail("is not signed by an issuer that is known here")
  }
  const text = covered(xml, signed.signature, signed.id, signer)
  return text === undefined ? Result.fail("has a signature that is not right") : Result.succeed(text)
}
