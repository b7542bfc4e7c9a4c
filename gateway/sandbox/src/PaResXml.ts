/**
 * The PaRes of 3-D Secure 1.0.2 (protocol specification, payer authentication response), signed as XML (XML Signature Syntax and
 * Processing) by the simulated issuer or by another signer.
 */
import * as ThreeDS from "@pay/schema/ThreeDS"
import { SignedXml } from "xml-crypto"
import * as IssuerKeys from "./IssuerKeys.ts"
import * as IssuerVerdict from "./IssuerVerdict.ts"
import * as PaReqXml from "./PaReqXml.ts"
import type { Decided, Transaction } from "./ThreeDSRecord.ts"

export interface Signer {
  readonly privateKeyPem: string
  readonly certificatePem: string
}

export const issuer: Signer = IssuerKeys

const canonical = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"

const element = (name: string, value: string | undefined): string =>
  value === undefined ? "" : `<${name}>${value}</${name}>`

/** Returns the XML of a PaRes without a signature. */
export const unsigned = (transaction: Transaction, { decidedAtMs, transStatus }: Decided): string =>
  [
    `<ThreeDSecure><Message id="${transaction.serverTransId}"><PARes id="pares"><version>1.0.2</version>`,
    `<Merchant>${PaReqXml.merchant}</Merchant>`,
    `<Purchase>${PaReqXml.purchase(transaction)}</Purchase>`,
    element("pan", transaction.lastFour.padStart(16, "0")),
    `<TX>${element("time", PaReqXml.time(decidedAtMs))}<status>${transStatus}</status>`,
    element("cavv", IssuerVerdict.cavv(transaction, transStatus)),
    element("eci", IssuerVerdict.eci(transaction, transStatus)),
    "<cavvAlgorithm>2</cavvAlgorithm></TX></PARes></Message></ThreeDSecure>"
  ].join("")

/** Returns the XML with a signature over its `PARes` beside that element. */
export const sign = (xml: string, { certificatePem, privateKeyPem }: Signer): string => {
  const signature = new SignedXml({
    privateKey: privateKeyPem,
    publicCert: certificatePem,
    canonicalizationAlgorithm: canonical,
    signatureAlgorithm: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    getKeyInfoContent: SignedXml.getKeyInfoContent
  })
  signature.addReference({
    xpath: "//*[local-name(.)='PARes']",
    transforms: [canonical],
    digestAlgorithm: "http://www.w3.org/2001/04/xmlenc#sha256"
  })
  signature.computeSignature(xml, { location: { reference: "//*[local-name(.)='PARes']", action: "after" } })
  return signature.getSignedXml()
}

export const encode = (transaction: Transaction, decided: Decided): string =>
  ThreeDS.xml.encode(sign(unsigned(transaction, decided), issuer))
