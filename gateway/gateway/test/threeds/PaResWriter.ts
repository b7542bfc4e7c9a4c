/**
 * An issuer's side of 3-D Secure 1.0.2, written by hand: messages in canonical form, so that digest and signature are taken
 * over exactly the text that stands here and no XML library takes part.
 */
import { hash, sign } from "node:crypto"
import * as ThreeDS from "@pay/schema/ThreeDS"
import type { Identity } from "./Certificates.ts"

export interface Purchase {
  readonly xid: string
  readonly purchAmount: string
  readonly currency: string
  readonly exponent: string
  readonly acqBIN: string
  readonly merID: string
}

export const purchase: Purchase = {
  xid: "MDAwMDAwMDAwMDAwMDAwMDAwMDE=",
  purchAmount: "1042",
  currency: "840",
  exponent: "2",
  acqBIN: "444433",
  merID: "shop"
}

const merchantOf = ({ acqBIN, merID }: Purchase) => `<Merchant><acqBIN>${acqBIN}</acqBIN><merID>${merID}</merID>`
const purchaseOf = ({ currency, exponent, purchAmount, xid }: Purchase) =>
  `<Purchase><xid>${xid}</xid><date>20261121 00:00:00</date><purchAmount>${purchAmount}</purchAmount><currency>${currency}</currency><exponent>${exponent}</exponent></Purchase>`

const message = (inside: string) => `<ThreeDSecure><Message id="m1">${inside}</Message></ThreeDSecure>`

export const pareq = (of: Purchase = purchase): string =>
  ThreeDS.xml.encode(
    message(
      `<PAReq><version>1.0.2</version>${merchantOf(of)}<name>Example Shop</name></Merchant>${purchaseOf(of)}</PAReq>`
    )
  )

export interface Answer {
  readonly status?: string
  readonly of?: Purchase
  readonly id?: string
}

/** The `PARes` element: what is signed. */
export const element = ({ id = "p1", of = purchase, status = "Y" }: Answer = {}): string =>
  `<PARes id="${id}"><version>1.0.2</version>${merchantOf(of)}</Merchant>${purchaseOf(of)}<pan>0000000000001111</pan><TX><time>20261121 00:01:00</time><status>${status}</status><cavv>AAABBZEEBgAAAAAAAAQGAAAAAAA=</cavv><eci>05</eci><cavvAlgorithm>2</cavvAlgorithm></TX></PARes>`

const dsig = "http://www.w3.org/2000/09/xmldsig#"
const methods = {
  sha1: { signature: `${dsig}rsa-sha1`, digest: `${dsig}sha1` },
  sha256: {
    signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    digest: "http://www.w3.org/2001/04/xmlenc#sha256"
  },
  sha512: {
    signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    digest: "http://www.w3.org/2001/04/xmlenc#sha512"
  }
} as const

const c14n = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"

export interface Signing {
  readonly by: Identity
  /** Sent along in KeyInfo. */
  readonly certificates?: ReadonlyArray<Identity>
  readonly algorithm?: keyof typeof methods
  /** Left out: as `algorithm`. */
  readonly digestBy?: keyof typeof methods
  readonly canonicalBy?: string
  readonly id?: string
}

/** The signature over one element, as the issuer that `by` names would make it. */
export const signature = (
  signed: string,
  { algorithm = "sha1", by, canonicalBy = c14n, certificates = [by], digestBy = algorithm, id = "p1" }: Signing
): string => {
  const method = methods[algorithm]
  const digest = hash(digestBy, signed, "base64")
  const inside = `<CanonicalizationMethod Algorithm="${canonicalBy}"></CanonicalizationMethod><SignatureMethod Algorithm="${method.signature}"></SignatureMethod><Reference URI="#${id}"><DigestMethod Algorithm="${methods[digestBy].digest}"></DigestMethod><DigestValue>${digest}</DigestValue></Reference>`
  const canonical = `<SignedInfo xmlns="${dsig}">${inside}</SignedInfo>`
  const value = sign(algorithm, Buffer.from(canonical), by.key).toString("base64")
  const encoded = certificates.map(
    ({ certificate }) => `<X509Certificate>${certificate.raw.toString("base64")}</X509Certificate>`
  )
  return `<Signature xmlns="${dsig}"><SignedInfo>${inside}</SignedInfo><SignatureValue>${value}</SignatureValue><KeyInfo><X509Data>${encoded.join("")}</X509Data></KeyInfo></Signature>`
}

/** Encodes a message with these parts. */
export const encode = (...parts: ReadonlyArray<string>): string => ThreeDS.xml.encode(message(parts.join("")))

/** A correct PaRes. */
export const pares = (answer: Answer, signing: Signing): string => {
  const signed = element(answer)
  return encode(signed, signature(signed, signing))
}
